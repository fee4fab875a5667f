// The machine's own limit, measured: how many float32 operations a second one core does when it does nothing but fused
// multiply-adds on registers. Speeds are given as a share of it.
#pragma once

namespace perpend::kernels {

// GFLOP/s of one core over about `seconds`; a fused multiply-add counts as two operations.
double measure_peak_gflops(double seconds);

}  // namespace perpend::kernels
