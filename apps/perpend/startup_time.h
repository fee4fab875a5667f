// How long the program takes to start and exit: `perpend --version`, from spawn to exit.
#pragma once

#include "perpend/api/bench.h"

namespace perpend::app {

// Returns milliseconds over `runs` starts of this very program. Throws IoError when it cannot be started.
TimeSpread startup_milliseconds(int runs);

}  // namespace perpend::app
