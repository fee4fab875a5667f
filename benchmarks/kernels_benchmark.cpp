// Times single kernels at the shapes of a step: B 256 rows, H 256 units, D features.
// build/dev/bin/perpend_benchmarks --benchmark_filter=kernel
#include <benchmark/benchmark.h>

#include <memory>
#include <numeric>
#include <vector>

#include "perpend/base/aligned.h"
#include "perpend/base/random.h"
#include "perpend/kernels/adam.h"
#include "perpend/kernels/bits.h"
#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/cosine.h"
#include "perpend/kernels/dense.h"

namespace perpend::kernels {
namespace {

constexpr std::size_t kRows = 256;
constexpr std::size_t kUnits = 256;

AlignedVector<float> normals(std::size_t n, std::uint32_t step) {
  const Stream stream({.seed = 1, .purpose = Purpose::test, .member = 0, .step = step});
  AlignedVector<float> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<float>(stream.normal(i));
  return numbers;
}

void count(benchmark::State& state, double operations) {
  state.counters["FLOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
}

// One member and one block of rows after its forward pass. Its bits are as sparse as in training with drop-out 0.5.
struct Block {
  explicit Block(std::size_t d)
      : features(d),
        stride(round_up(d + 1, 32)),
        x(normals(kRows * stride, 0)),
        weights(normals(kUnits * d + 16, 1)),
        bias(kUnits, 0.0F),
        v(normals(kUnits, 2)),
        columns(normals(kMaxColumns * kUnits, 3)),
        packed(kRows * d),
        quantized_rows(kRows * 2 * quantized_pairs(d)),
        quantized_weights(kUnits * 2 * quantized_pairs(d)),
        kept(kGroupsPerBlock * kUnits),
        by_unit(kGroupsPerBlock * kUnits),
        by_row(kWordsPerChunk),
        sums(kMaxColumns * kRowsPerGroup) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % stride < d ? x[i] : 0;
    quantize_weights();
    const AlignedVector<float> ones(kRows, 1.0F);
    std::vector<std::uint32_t> in_order(kRows);
    std::iota(in_order.begin(), in_order.end(), 0U);
    AlignedVector<std::int16_t> quantized(kRows * 2 * quantized_pairs(d));
    quantize({.count = kRows, .features = d, .x = x.data(), .stride = stride, .last = ones.data()}, quantized.data());
    for (std::uint32_t g = 0; g < kGroupsPerBlock; ++g) {
      pack_group(kRowsPerGroup, d, rows_of(g), packed.data() + g * kRowsPerGroup * d);
      pack_quantized({.rows = kRowsPerGroup,
                      .features = d,
                      .quantized = quantized.data(),
                      .indices = in_order.data() + g * kRowsPerGroup},
                     quantized_of(g));
      dropout_masks(
          {.stream = {.seed = 1, .purpose = Purpose::dropout}, .keep = keep_planes(0.5), .layer = 0, .group = g},
          kUnits, kept.data() + g * kUnits);
    }
    for (std::size_t g = 0; g < kGroupsPerBlock; ++g) quantized_signs(inputs(g), outputs(g), nullptr);
    transpose();
  }
  void transpose() {
    for (std::size_t g = 0; g < kGroupsPerBlock; ++g) {
      transpose_group(kUnits, by_unit.data() + g * kUnits, by_row.data() + g * kRowsPerGroup * kWordsPerRow);
    }
  }
  IndexedRows rows_of(std::size_t g) const { return {.data = x.data() + g * kRowsPerGroup * stride, .stride = stride}; }
  std::int16_t* quantized_of(std::size_t g) {
    return quantized_rows.data() + g * kRowsPerGroup * 2 * quantized_pairs(features);
  }
  void quantize_weights() {
    quantize({.count = kUnits, .features = features, .x = weights.data(), .stride = features, .last = bias.data()},
             quantized_weights.data());
  }
  SignInputs inputs(std::size_t g) {
    return {.features = features,
            .units = kUnits,
            .packed = packed.data() + g * kRowsPerGroup * features,
            .quantized_rows = quantized_of(g),
            .quantized_weights = quantized_weights.data(),
            .rows = rows_of(g),
            .weights = weights.data(),
            .bias = bias.data(),
            .kept = kept.data() + g * kUnits,
            .column_count = 1 + ColumnPlan::of_u(features).remainder,
            .columns = columns.data()};
  }
  SignOutputs outputs(std::size_t g) { return {.by_unit = by_unit.data() + g * kUnits, .sums = sums.data()}; }
  HiddenUnits hidden() const {
    return {.features = features, .units = kUnits, .weights = weights.data(), .v = v.data()};
  }
  double operations() const { return 2.0 * static_cast<double>(kRows * kUnits * features); }

  std::size_t features, stride;
  AlignedVector<float> x, weights, bias, v, columns, packed;
  AlignedVector<std::int16_t> quantized_rows, quantized_weights;
  AlignedVector<std::uint64_t> kept, by_unit;
  AlignedVector<std::uint32_t> by_row;
  AlignedVector<float> sums;
};

void kernel_quantize(benchmark::State& state) {
  Block block(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    block.quantize_weights();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(kernel_quantize)->ArgName("D")->Arg(8)->Arg(33)->Arg(60)->Arg(116);

template <class Run>
void run_groups(benchmark::State& state, const Run& run) {
  Block block(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    for (std::size_t g = 0; g < kGroupsPerBlock; ++g) run(block.inputs(g), block.outputs(g));
    benchmark::ClobberMemory();
  }
  count(state, block.operations());
}
void kernel_scores(benchmark::State& state) {
  run_groups(state, [](SignInputs in, const SignOutputs& out) {
    in.column_count = 1;
    scores(in, out);
  });
}
BENCHMARK(kernel_scores)->ArgName("D")->Arg(8)->Arg(33)->Arg(60)->Arg(116);
void kernel_float_signs(benchmark::State& state) {
  run_groups(state, [](const SignInputs& in, const SignOutputs& out) { float_signs(in, out, nullptr); });
}
BENCHMARK(kernel_float_signs)->ArgName("D")->Arg(8)->Arg(33)->Arg(60)->Arg(116);
// It also reports the share of signs that fell back to floats.
void kernel_quantized_signs(benchmark::State& state) {
  std::size_t fallbacks = 0;
  run_groups(state,
             [&](const SignInputs& in, const SignOutputs& out) { fallbacks += quantized_signs(in, out, nullptr); });
  state.counters["fallbacks"] =
      benchmark::Counter(static_cast<double>(fallbacks) / (kRows * kUnits), benchmark::Counter::kAvgIterations);
}
BENCHMARK(kernel_quantized_signs)->ArgName("D")->Arg(8)->Arg(33)->Arg(60)->Arg(116);

void kernel_transpose_bits(benchmark::State& state) {
  Block block(8);
  for (auto _ : state) {
    block.transpose();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(kernel_transpose_bits);

void kernel_input_gradient(benchmark::State& state) {
  Block block(static_cast<std::size_t>(state.range(0)));
  RowTables tables{ColumnPlan::of_u(block.features)};
  fill_u(block.hidden(), tables);
  const auto lists = std::make_unique<IndexLists>();
  AlignedVector<float> gradient(kRows * block.stride);
  for (auto _ : state) {
    input_gradient(kRows, block.by_row.data(), tables, *lists, {.data = gradient.data(), .stride = block.stride});
    benchmark::ClobberMemory();
  }
  count(state, block.operations());
}
BENCHMARK(kernel_input_gradient)->ArgName("D")->Arg(8)->Arg(33)->Arg(60)->Arg(116);

// Does both, each group's gradients interleaved with the next one's signs. Compare it with the sum of the two above.
void kernel_signs_and_gradient(benchmark::State& state) {
  Block block(static_cast<std::size_t>(state.range(0)));
  RowTables tables{ColumnPlan::of_u(block.features)};
  if (!InterleavedSum::is_faster(tables.plan())) return state.SkipWithError("not on this target");
  fill_u(block.hidden(), tables);
  const auto lists = std::make_unique<IndexLists>();
  const auto sum = std::make_unique<InterleavedSum>();
  AlignedVector<float> gradient(kRows * block.stride);
  for (auto _ : state) {
    for (std::size_t g = 0; g < kGroupsPerBlock; ++g) {
      quantized_signs(block.inputs(g), block.outputs(g), sum.get());
      sum->finish(*lists);
      sum->start({.rows = kRowsPerGroup,
                  .by_row = block.by_row.data() + g * kRowsPerGroup * kWordsPerRow,
                  .u_tables = &tables,
                  .gradient = gradient.data() + g * kRowsPerGroup * block.stride,
                  .stride = block.stride});
    }
    benchmark::ClobberMemory();
  }
  count(state, 2 * block.operations());
}
BENCHMARK(kernel_signs_and_gradient)->ArgName("D")->Arg(33)->Arg(60)->Arg(116);

void kernel_unit_sums(benchmark::State& state) {
  Block block(static_cast<std::size_t>(state.range(0)));
  RowTables tables{ColumnPlan::of_t(block.features)};
  const auto e = normals(kRows, 4);
  fill_t({.features = block.features, .rows = kRows, .e = e.data(), .x = block.rows_of(0)}, tables);
  const auto lists = std::make_unique<IndexLists>();
  const std::size_t stride = round_up(block.features + 1, 32);
  AlignedVector<float> sums(kUnits * stride);
  for (auto _ : state) {
    unit_sums({.rows = kRows, .all_units = kUnits, .by_unit = block.by_unit.data()}, {.first = 0, .count = kUnits},
              tables, *lists, {.data = sums.data(), .stride = stride});
    benchmark::ClobberMemory();
  }
  count(state, block.operations());
}
BENCHMARK(kernel_unit_sums)->ArgName("D")->Arg(8)->Arg(33)->Arg(60)->Arg(116);

void kernel_cosine_adjoint(benchmark::State& state) {
  const auto members = static_cast<std::size_t>(state.range(0));
  constexpr std::size_t kFeatures = 33;
  constexpr std::size_t kStride = 48;
  std::vector<AlignedVector<float>> gradients;
  std::vector<float*> pointers;
  for (std::size_t m = 0; m < members; ++m) {
    gradients.push_back(normals(kRows * kStride, static_cast<std::uint32_t>(m)));
    for (std::size_t i = 0; i < kRows * kStride; ++i) gradients[m][i] = i % kStride < kFeatures ? gradients[m][i] : 0;
  }
  for (auto& gradient : gradients) pointers.push_back(gradient.data());
  const AlignedVector<float> weight(kRows, 1.0F / kRows);
  AlignedVector<float> penalty(kRows);
  // Unscaled adjoints grow or vanish when fed back, so each round starts from the same numbers.
  const auto start = gradients;
  for (auto _ : state) {
    state.PauseTiming();
    for (std::size_t m = 0; m < members; ++m) std::copy(start[m].begin(), start[m].end(), gradients[m].begin());
    state.ResumeTiming();
    cosine_adjoint({.members = members,
                    .rows = kRows,
                    .features = kFeatures,
                    .gradients = pointers.data(),
                    .stride = kStride,
                    .eps = 1e-6F,
                    .weights = weight.data(),
                    .penalty = penalty.data()});
    benchmark::ClobberMemory();
  }
}
BENCHMARK(kernel_cosine_adjoint)->ArgName("M")->Arg(2)->Arg(5)->Arg(13);

void kernel_adam(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto gradient = normals(n, 0);
  auto weights = normals(n, 1);
  AlignedVector<float> m(n, 0.0F), v(n, 0.0F);
  const AdamStep step{
      .step_size = 1e-3F, .inverse_root = 1, .epsilon = 1e-8F, .beta1 = 0.9F, .beta2 = 0.999F, .weight_decay = 1e-4F};
  const AdamArrays arrays{.n = n, .gradient = gradient.data(), .weights = weights.data(), .m = m.data(), .v = v.data()};
  for (auto _ : state) benchmark::DoNotOptimize(adam(step, arrays));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(kernel_adam)->ArgName("parameters")->Arg(256 * 8)->Arg(256 * 33)->Arg(256 * 116);

void kernel_dropout_masks(benchmark::State& state) {
  const KeepPlanes keep = keep_planes(static_cast<double>(state.range(0)) / 100);
  AlignedVector<std::uint64_t> mask(kUnits);
  std::uint32_t step = 0;
  for (auto _ : state) {
    dropout_masks({.stream = {.seed = 1, .purpose = Purpose::dropout, .member = 0, .step = ++step}, .keep = keep},
                  kUnits, mask.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kUnits * kRowsPerGroup));
}
BENCHMARK(kernel_dropout_masks)->ArgName("keep_percent")->Arg(50)->Arg(80);

void kernel_product(benchmark::State& state) {
  const auto k = static_cast<std::size_t>(state.range(0));
  const auto a = normals(kRows * k, 0);
  const auto b = normals(k * kUnits, 1);
  AlignedVector<float> c(kRows * kUnits);
  for (auto _ : state) {
    product<float>({.m = kRows,
                    .n = kUnits,
                    .k = k,
                    .a = a.data(),
                    .a_row_stride = k,
                    .b = b.data(),
                    .b_stride = kUnits,
                    .c = c.data(),
                    .c_stride = kUnits});
    benchmark::ClobberMemory();
  }
  count(state, 2.0 * static_cast<double>(kRows * kUnits * k));
}
BENCHMARK(kernel_product)->ArgName("k")->Arg(8)->Arg(33)->Arg(116)->Arg(256);

}  // namespace
}  // namespace perpend::kernels
