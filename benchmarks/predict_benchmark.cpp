// Times prediction from memory: encoded rows go in, the ensemble's probability and the members' disagreement come out.
// build/dev/bin/perpend_benchmarks --benchmark_filter=predict
#include <benchmark/benchmark.h>

#include "perpend/base/random.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/selective.h"

namespace perpend {
namespace {

constexpr std::size_t kRows = 100'000;
constexpr std::size_t kFeatures = 30;

Inputs normal_rows() {
  const Stream stream({.seed = 1, .purpose = Purpose::test, .member = 0, .step = 0});
  Inputs inputs(kRows, kFeatures);
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t f = 0; f < kFeatures; ++f) inputs(r, f) = static_cast<float>(stream.normal(r * kFeatures + f));
  }
  return inputs;
}

// threads 0 means all threads.
void predict(benchmark::State& state) {
  const auto members = static_cast<std::size_t>(state.range(0));
  const Ensemble ensemble = initial_ensemble({.features = kFeatures}, members, 1);
  const Decision decision = equal_mean(members);
  const Inputs inputs = normal_rows();
  const Threads threads(static_cast<int>(state.range(1)));
  for (auto _ : state) {
    const auto probabilities = binary_probabilities(ensemble, inputs.view(), threads);
    benchmark::DoNotOptimize(decide(decision, probabilities.view()));
    benchmark::DoNotOptimize(row_disagreement(probabilities.view()));
  }
  state.counters["rows/s"] = benchmark::Counter(kRows, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(predict)
    ->ArgNames({"M", "threads"})
    ->ArgsProduct({{5}, {1, 0}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace perpend
