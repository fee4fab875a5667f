// What this machine offers, and which of it is used.
//
//   kernels/target.h  the instruction sets of the kernels: which there are, which one is active, and use_target()
//   kernels/peak.h    the floating-point peak of a core, measured now
//
// Every instruction set gives the same bytes; they differ in speed alone.
#pragma once

#include "perpend/kernels/peak.h"
#include "perpend/kernels/target.h"
