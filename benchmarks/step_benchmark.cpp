// Times whole training steps. `perpend bench` compares the same steps with the machine's peak; these are for profiling
// and for comparing two builds: build/dev/bin/perpend_benchmarks --benchmark_filter=step
#include <benchmark/benchmark.h>

#include "perpend/api/bench.h"

namespace perpend {
namespace {

void run(benchmark::State& state, Method method, const StepShape& shape) {
  const auto step = make_step(method, shape);
  for (int i = 0; i < 8; ++i) step();
  for (auto _ : state) step();
  state.counters["FLOP/s"] =
      benchmark::Counter(useful_operations(method, shape), benchmark::Counter::kIsIterationInvariantRate);
}

void step_lit(benchmark::State& state) {
  run(state, Method::lit,
      {.features = static_cast<std::size_t>(state.range(0)), .members = static_cast<std::size_t>(state.range(1))});
}
BENCHMARK(step_lit)->ArgNames({"D", "M"})->ArgsProduct({{8, 33, 60, 116}, {2, 5, 13}});

void step_restarts(benchmark::State& state) {
  run(state, Method::restarts,
      {.features = static_cast<std::size_t>(state.range(0)), .members = static_cast<std::size_t>(state.range(1))});
}
BENCHMARK(step_restarts)->ArgNames({"D", "M"})->ArgsProduct({{8, 33, 60, 116}, {2, 5, 13}});

void step_two_softplus_layers(benchmark::State& state) {
  run(state, state.range(0) == 1 ? Method::lit : Method::restarts,
      {.hidden = {256, 256}, .activation = Activation::softplus});
}
BENCHMARK(step_two_softplus_layers)->ArgName("lit")->Arg(0)->Arg(1);

}  // namespace
}  // namespace perpend
