#include "perpend/kernels/peak.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/peak.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// A fused multiply-add takes 4 or 5 cycles and a core starts 2 per cycle, so 10 chains keep it busy. 12 of them, a
// factor and a term fit into 16 registers.
constexpr std::size_t kChains = 12;
constexpr std::size_t kRounds = 200000;  // of all chains: about a millisecond

// Returns a sum that depends on every operation, so none can be left out.
float fma_chains(float x) {
  Vector chain[kChains];
  for (std::size_t i = 0; i < kChains; ++i) chain[i] = broadcast(x * static_cast<float>(i));
  const Vector factor = broadcast(0.999F);
  const Vector term = broadcast(x);
  for (std::size_t r = 0; r < kRounds; ++r) {
    // The chain is the addend, which NEON's instruction overwrites: another operand would cost it copies.
    HWY_UNROLL(12)
    for (std::size_t i = 0; i < kChains; ++i) chain[i] = fma(factor, term, chain[i]);
  }
  Vector sum = hn::Zero(Tag());
  for (const auto& c : chain) sum = hn::Add(sum, c);
  return hn::GetLane(sum);
}

std::size_t flops() { return 2 * kChains * kLanes * kRounds; }

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(fma_chains);
HWY_EXPORT(flops);

double measure_peak_gflops(double seconds) {
  using Clock = std::chrono::steady_clock;
  volatile float sink = 0;
  double best = 0;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    const auto start = Clock::now();
    sink = HWY_DYNAMIC_DISPATCH(fma_chains)(1.0F + sink * 0.0F);
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    best = std::max(best, 1e-9 * static_cast<double>(HWY_DYNAMIC_DISPATCH(flops)()) / elapsed.count());
  } while (Clock::now() < end);
  return best;
}

}  // namespace perpend::kernels
#endif
