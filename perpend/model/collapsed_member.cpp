#include "perpend/model/collapsed_member.h"

#include <algorithm>
#include <memory>

#include "perpend/base/error.h"

namespace perpend {

using kernels::kGroupsPerBlock;
using kernels::kRowsPerBlock;
using kernels::kUnitsPerChunk;
using kernels::kWordsPerChunk;

namespace {

// Scratch of the thread at work; too large for the stack of a worker thread.
kernels::BitLists& scratch_lists() {
  thread_local const auto lists = std::make_unique<kernels::BitLists>();
  return *lists;
}

// Sums of one chunk of units, zero beyond the columns that are used. All members of a thread share it, so that more of
// what only they have stays in the second-level cache.
Matrix<float, axis::Unit, axis::Feature>& scratch_sums(std::size_t columns) {
  thread_local Matrix<float, axis::Unit, axis::Feature> sums;
  if (sums.cols() != columns) sums = Matrix<float, axis::Unit, axis::Feature>(kUnitsPerChunk, columns);
  return sums;
}

// U of a chunk of units and T of a block of rows: filled right before they are walked, so they are in the first-level
// cache then.
enum class Walked { u, t };
template <Walked>
kernels::WalkTables& scratch_tables(std::size_t columns) {
  thread_local kernels::WalkTables tables{kernels::ColumnPlan(columns)};
  if (tables.plan().columns != columns) tables = kernels::WalkTables(kernels::ColumnPlan(columns));
  return tables;
}

std::size_t count_blocks(std::size_t rows) { return (rows + kRowsPerBlock - 1) / kRowsPerBlock; }
std::size_t count_chunks(std::size_t units) { return (units + kUnitsPerChunk - 1) / kUnitsPerChunk; }

std::uint64_t first_bits(std::size_t n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

}  // namespace

CollapsedLayout::CollapsedLayout(const Architecture& architecture)
    : features(architecture.features),
      units(architecture.hidden[0]),
      bias(round_up(features * units, 16) + 16),
      out0(bias + round_up(units, 16)),
      out1(out0 + round_up(units, 16)),
      out_bias(out1 + round_up(units, 16)),
      size(out_bias + 16) {}

bool CollapsedMember::serves(const Architecture& architecture) {
  return architecture.hidden.size() == 1 && architecture.activation == Activation::relu && architecture.classes == 2;
}

CollapsedMember::CollapsedMember(const Architecture& architecture, const Network<float>& network, double keep,
                                 std::size_t max_rows, bool with_input_gradient)
    : layout_(architecture),
      keep_(keep),
      inverse_keep_(static_cast<float>(1 / rounded_keep(keep))),
      parameters_(layout_.size, 0.0F),
      v_(round_up(layout_.units, 16), 0.0F),
      needs_by_row_(with_input_gradient || kernels::ColumnPlan(layout_.features + 1).leftover > 0) {
  PERPEND_CHECK(serves(architecture));
  if (with_input_gradient && kernels::integers_serve(layout_.features)) {
    coarse_.resize(2 * kernels::coarse_pairs(layout_.features) * layout_.units);
  }
  const std::size_t blocks = count_blocks(max_rows);
  const std::size_t chunks = count_chunks(layout_.units);
  by_unit_.assign(blocks * layout_.units * kGroupsPerBlock, 0);
  by_row_.assign(needs_by_row_ ? blocks * chunks * kWordsPerChunk : 0, 0);

  const auto& first = network.layers[0];
  const auto& last = network.layers[1];
  for (std::size_t u = 0; u < layout_.units; ++u) {
    for (std::size_t f = 0; f < layout_.features; ++f) parameters_[u * layout_.features + f] = first.weight(f, u);
    parameters_[layout_.bias + u] = first.bias[u];
    parameters_[layout_.out0 + u] = last.weight(u, 0);
    parameters_[layout_.out1 + u] = last.weight(u, 1);
  }
  std::copy_n(last.bias.begin(), 2, parameters_.begin() + static_cast<std::ptrdiff_t>(layout_.out_bias));
  refresh(0, layout_.units);
  refresh_constant();
}

Network<float> CollapsedMember::network() const {
  auto network = zero_network<float>({.features = layout_.features, .hidden = {layout_.units}});
  auto& first = network.layers[0];
  auto& last = network.layers[1];
  for (std::size_t u = 0; u < layout_.units; ++u) {
    for (std::size_t f = 0; f < layout_.features; ++f) first.weight(f, u) = parameters_[u * layout_.features + f];
    first.bias[u] = parameters_[layout_.bias + u];
    last.weight(u, 0) = parameters_[layout_.out0 + u];
    last.weight(u, 1) = parameters_[layout_.out1 + u];
  }
  std::copy_n(parameters_.begin() + static_cast<std::ptrdiff_t>(layout_.out_bias), 2, last.bias.begin());
  return network;
}

void CollapsedMember::refresh(std::size_t first, std::size_t count) {
  for (std::size_t u = first; u < first + count; ++u) {
    v_[u] = (parameters_[layout_.out1 + u] - parameters_[layout_.out0 + u]) * inverse_keep_;
  }
  if (!uses_integers()) return;
  kernels::coarsen(count, layout_.features, parameters_.data() + first * layout_.features, layout_.features,
                   parameters_.data() + layout_.bias + first,
                   coarse_.data() + first * 2 * kernels::coarse_pairs(layout_.features));
}

void CollapsedMember::refresh_constant() {
  constant_ = parameters_[layout_.out_bias + 1] - parameters_[layout_.out_bias];
}

void ScoredRows::finish() const {
  kernels::add_scores(gradient.rows(), gradient.cols(), inputs, gradient.data(), gradient.stride(), scores);
}

void GradientsBeside::start(const std::uint32_t* by_row, const kernels::WalkTables& tables, const ScoredRows& rows) {
  walk_->start(rows.gradient.rows(), by_row, tables, rows.gradient.data(), rows.gradient.stride());
  rows_ = rows;
}

void GradientsBeside::finish() {
  if (!rows_) return;
  walk_->finish(scratch_lists());
  rows_->finish();
  rows_.reset();
}

// What is summed beside the signs: b v, and the left-over columns of U.
void CollapsedMember::fill_columns(const kernels::ColumnPlan& plan, std::vector<float>& columns) const {
  const std::size_t units = layout_.units;
  columns.resize((1 + plan.leftover) * units);
  for (std::size_t u = 0; u < units; ++u) columns[u] = parameters_[layout_.bias + u] * v_[u];
  for (std::size_t c = 0; c < plan.leftover; ++c) {
    const float* w = parameters_.data() + plan.first_leftover() + c;
    for (std::size_t u = 0; u < units; ++u) columns[(1 + c) * units + u] = w[u * layout_.features] * v_[u];
  }
}

std::size_t CollapsedMember::forward(const CollapsedBatch& batch, std::size_t first, std::size_t count,
                                     const Dropout& dropout, std::size_t member, float* scores,
                                     MatrixView<float, axis::Row, axis::Feature> gradient, GradientsBeside& beside) {
  const std::size_t units = layout_.units;
  const std::size_t block = first / kRowsPerBlock;
  const std::size_t first_in_block = first % kRowsPerBlock;
  std::uint64_t* by_unit = by_unit_.data() + block * units * kGroupsPerBlock + first_in_block / kRowsPerGroup;
  std::uint32_t* by_row = needs_by_row_ ? by_row_.data() + block * count_chunks(units) * kWordsPerChunk +
                                              first_in_block * kernels::kWordsPerRow
                                        : nullptr;
  const bool with_gradient = gradient.data() != nullptr;
  PERPEND_CHECK(!with_gradient || needs_by_row_);
  const kernels::ColumnPlan plan(layout_.features);
  thread_local std::vector<float> columns;
  if (with_gradient) fill_columns(plan, columns);
  const bool walks_beside = with_gradient && units <= kUnitsPerChunk && kernels::WalkBeside::serves(plan);
  kernels::WalkTables* tables = nullptr;
  if (walks_beside) {
    tables = &beside.next_tables();
    kernels::fill_u(layout_.features, units, parameters_.data(), v_.data(), *tables);
  }

  const KeepPlanes planes = keep_planes(keep_);
  thread_local std::vector<std::uint64_t> kept;
  kept.resize(round_up(units, 32));
  thread_local AlignedVector<std::uint16_t> parts;
  parts.assign(kernels::kPartsPerGroup * kernels::part_stride(units), 0);
  std::size_t settled = 0;
  for (std::size_t r = 0; r < count; r += kRowsPerGroup) {
    const std::size_t row = first + r;
    kernels::dropout_masks(dropout.stream(member), planes, 0, static_cast<std::uint32_t>(row / kRowsPerGroup),
                           first_bits(batch.rows - row), units, kept.data());
    alignas(64) float sums[kernels::kMaxColumns * kRowsPerGroup] = {};
    std::fill_n(sums, kRowsPerGroup, constant_);
    const kernels::SignInputs in{
        .features = layout_.features,
        .units = units,
        .packed = uses_integers() ? nullptr : batch.packed + row * layout_.features,
        .coarse_rows = uses_integers() ? batch.coarse + row * 2 * kernels::coarse_pairs(layout_.features) : nullptr,
        .coarse_weights = coarse_.data(),
        .rows = batch.inputs.from(row),
        .weights = parameters_.data(),
        .bias = parameters_.data() + layout_.bias,
        .kept = kept.data(),
        .column_count = with_gradient ? 1 + plan.leftover : 1,
        .columns = with_gradient ? columns.data() : v_.data()};
    const kernels::SignOutputs out{
        .by_unit = by_unit + r / kRowsPerGroup, .by_part = needs_by_row_ ? parts.data() : nullptr, .sums = sums};
    kernels::WalkBeside* walk = walks_beside ? beside.walk() : nullptr;
    if (!with_gradient) {
      kernels::scores(in, out);
    } else if (uses_integers()) {
      settled += kernels::signs_by_integers(in, out, walk);
    } else {
      kernels::signs_by_floats(in, out, walk);
    }
    if (needs_by_row_) kernels::transpose_group(units, parts.data(), by_row + r * kernels::kWordsPerRow);
    if (walks_beside) beside.finish();
    const std::size_t rows = std::min(kRowsPerGroup, count - r);
    std::copy_n(sums, rows, scores + row);
    if (!with_gradient) continue;
    const ScoredRows group{batch.inputs.from(row), scores + row, gradient.middle_rows(row, rows)};
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < plan.leftover; ++c) {
        group.gradient(i, plan.first_leftover() + c) = sums[(1 + c) * kRowsPerGroup + i];
      }
    }
    if (walks_beside) beside.start(by_row + r * kernels::kWordsPerRow, *tables, group);
  }
  if (first + count == batch.rows) clear_groups_after(block, first_in_block + count);
  if (!with_gradient || walks_beside) return settled;
  auto& chunk = scratch_tables<Walked::u>(layout_.features);
  for (std::size_t u = 0; u < units; u += kUnitsPerChunk) {
    const std::size_t n = std::min(kUnitsPerChunk, units - u);
    kernels::fill_u(layout_.features, n, parameters_.data() + u * layout_.features, v_.data() + u, chunk);
    kernels::input_gradient(count, by_row + u / kUnitsPerChunk * kWordsPerChunk, chunk, scratch_lists(), u > 0,
                            gradient.row(first), gradient.stride());
  }
  ScoredRows{batch.inputs.from(first), scores + first, gradient.middle_rows(first, count)}.finish();
  return settled;
}

// A batch may be shorter than the one before it, whose bits the sums by unit would still find.
void CollapsedMember::clear_groups_after(std::size_t block, std::size_t rows_in_block) {
  std::uint64_t* by_unit = by_unit_.data() + block * layout_.units * kGroupsPerBlock;
  for (std::size_t group = (rows_in_block + kRowsPerGroup - 1) / kRowsPerGroup; group < kGroupsPerBlock; ++group) {
    for (std::size_t u = 0; u < layout_.units; ++u) by_unit[u * kGroupsPerBlock + group] = 0;
  }
}

void CollapsedMember::sum_units(std::size_t rows, const kernels::PickedRows& inputs, const float* d_scores,
                                MatrixView<const float, axis::Row, axis::Feature> d_gradient, std::size_t first,
                                std::size_t count) const {
  const std::size_t units = layout_.units;
  const bool with_gradient = d_gradient.data() != nullptr;
  auto& tables = scratch_tables<Walked::t>(layout_.features + 1);
  auto& sums = scratch_sums(layout_.features + 1);
  for (std::size_t block = 0; block < count_blocks(rows); ++block) {
    const std::size_t row = block * kRowsPerBlock;
    const std::size_t in_block = std::min(kRowsPerBlock, rows - row);
    kernels::fill_t(layout_.features, in_block, d_scores + row, inputs.from(row),
                    with_gradient ? d_gradient.row(row) : nullptr, d_gradient.stride(), tables);
    kernels::unit_sums(in_block, first, count, by_unit_.data() + block * units * kGroupsPerBlock,
                       by_row_.data() + block * count_chunks(units) * kWordsPerChunk, tables, scratch_lists(),
                       block > 0, sums.data(), sums.stride());
  }
}

void CollapsedMember::unit_gradient(std::size_t first, std::size_t at, std::size_t count, float* d_weights,
                                    float* d_bias, float* d_out1) const {
  const auto& sums = scratch_sums(layout_.features + 1);
  const std::size_t u = first + at;
  kernels::unit_gradients(layout_.features, count, sums.row(at), sums.stride(),
                          parameters_.data() + u * layout_.features, parameters_.data() + layout_.bias + u,
                          v_.data() + u, inverse_keep_, d_weights, d_bias, d_out1);
}

}  // namespace perpend
