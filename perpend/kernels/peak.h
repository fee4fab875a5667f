// Measures the machine's own limit: how many float32 operations per second one core does when it only runs fused
// multiply-adds on registers. Benchmarks give speeds as a share of it.
#pragma once

namespace perpend::kernels {

// GFLOP/s of one core over about `seconds`; a fused multiply-add counts as two operations.
double measure_peak_gflops(double seconds);

}  // namespace perpend::kernels
