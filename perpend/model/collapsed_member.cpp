#include "perpend/model/collapsed_member.h"

#include <algorithm>
#include <memory>

#include "perpend/base/error.h"
#include "perpend/kernels/fast_path.h"
#include "perpend/model/monotone.h"

namespace perpend {

using kernels::count_blocks;
using kernels::count_chunks;
using kernels::kGroupsPerBlock;
using kernels::kRowsPerBlock;
using kernels::kUnitsPerChunk;
using kernels::kWordsPerChunk;

namespace {

// Scratch memory of the running thread. It is too large for a thread's stack.
kernels::IndexLists& scratch_lists() {
  thread_local const auto lists = std::make_unique<kernels::IndexLists>();
  return *lists;
}

// The sums of one chunk of units, zero beyond the columns that are used. All members of a thread share them, so that
// more of the members' own memory stays in the second-level cache.
Matrix<float, axis::Unit, axis::Feature>& scratch_sums(std::size_t columns) {
  thread_local Matrix<float, axis::Unit, axis::Feature> sums;
  if (sums.cols() != columns) sums = Matrix<float, axis::Unit, axis::Feature>(kUnitsPerChunk, columns);
  return sums;
}

// The tables of U for a chunk of units and of T for a block of rows. They are filled right before they are summed, so
// that they are in the first-level cache.
enum class TableOf { u, t };
template <TableOf>
kernels::RowTables& scratch_tables(const kernels::ColumnPlan& plan) {
  thread_local kernels::RowTables tables{plan};
  if (tables.plan() != plan) tables = kernels::RowTables(plan);
  return tables;
}

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
  return architecture.hidden.size() == 1 && architecture.activation == Activation::relu && architecture.classes == 2 &&
         !architecture.has_views() && kernels::is_on(kernels::FastPath::collapsed);
}

CollapsedMember::CollapsedMember(const Architecture& architecture, const Network<float>& network,
                                 const Options& options)
    : layout_(architecture),
      directions_(options.directions),
      keep_(options.keep),
      inverse_keep_(static_cast<float>(1 / rounded_keep(keep_))),
      parameters_(layout_.size, 0.0F),
      v_(round_up(layout_.units, 16), 0.0F),
      u_plan_(kernels::ColumnPlan::of_u(layout_.features)),
      interleaves_(options.with_input_gradient && layout_.units <= kUnitsPerChunk &&
                   kernels::InterleavedSum::is_faster(u_plan_)) {
  PERPEND_CHECK(serves(architecture));
  if (options.with_input_gradient && kernels::quantized_signs_are_faster(layout_.features)) {
    quantized_.resize(2 * kernels::quantized_pairs(layout_.features) * layout_.units);
  }
  const std::size_t blocks = count_blocks(options.max_rows);
  const std::size_t chunks = count_chunks(layout_.units);
  by_unit_.assign(blocks * kGroupsPerBlock * layout_.units, 0);
  by_row_.assign(options.with_input_gradient ? blocks * chunks * kWordsPerChunk : 0, 0);

  const auto& first = network.layers[0];
  const auto& last = network.layers[1];
  for (std::size_t u = 0; u < layout_.units; ++u) {
    for (std::size_t f = 0; f < layout_.features; ++f) parameters_[u * layout_.features + f] = first.weight(f, u);
    parameters_[layout_.bias + u] = first.bias[u];
    parameters_[layout_.out0 + u] = last.weight(u, 0);
    parameters_[layout_.out1 + u] = last.weight(u, 1);
  }
  std::copy_n(last.bias.begin(), 2, parameters_.begin() + static_cast<std::ptrdiff_t>(layout_.out_bias));
  refresh({.first = 0, .count = layout_.units});
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

void CollapsedMember::refresh(const UnitRange& units) {
  for (std::size_t u = units.first; u < units.first + units.count; ++u) {
    v_[u] = (parameters_[layout_.out1 + u] - parameters_[layout_.out0 + u]) * inverse_keep_;
  }
  keep_directions(units);
  if (!is_quantized()) return;
  kernels::quantize({.count = units.count,
                     .features = layout_.features,
                     .x = parameters_.data() + units.first * layout_.features,
                     .stride = layout_.features,
                     .last = parameters_.data() + layout_.bias + units.first},
                    quantized_.data() + units.first * 2 * kernels::quantized_pairs(layout_.features));
}

void CollapsedMember::keep_directions(const UnitRange& units) {
  for (std::size_t f = 0; f < directions_.size(); ++f) {
    if (directions_[f] == Direction::none) continue;
    for (std::size_t u = units.first; u < units.first + units.count; ++u) {
      float& weight = parameters_[u * layout_.features + f];
      if (breaks(directions_[f], v_[u], weight)) weight = 0;
    }
  }
}

void CollapsedMember::refresh_constant() {
  constant_ = parameters_[layout_.out_bias + 1] - parameters_[layout_.out_bias];
}

void UnfinishedScores::finish() const {
  kernels::add_scores({.rows = gradient.rows(),
                       .features = gradient.cols(),
                       .x = inputs,
                       .gradient = gradient.data(),
                       .gradient_stride = gradient.stride()},
                      scores);
}

void InterleavedGradients::start(const std::uint32_t* by_row, const kernels::RowTables& tables,
                                 const UnfinishedScores& rows) {
  sum_->start({.rows = rows.gradient.rows(),
               .by_row = by_row,
               .u_tables = &tables,
               .gradient = rows.gradient.data(),
               .stride = rows.gradient.stride()});
  rows_ = rows;
}

void InterleavedGradients::finish() {
  if (!rows_) return;
  sum_->finish(scratch_lists());
  rows_->finish();
  rows_.reset();
}

// The bits from a row on. The row must be the first of a group.
std::uint64_t* CollapsedMember::bits_by_unit(std::size_t row) {
  return by_unit_.data() + row / kRowsPerGroup * layout_.units;
}
std::uint32_t* CollapsedMember::bits_by_row(std::size_t row) {
  if (by_row_.empty()) return nullptr;
  return by_row_.data() + row / kRowsPerBlock * count_chunks(layout_.units) * kWordsPerChunk +
         row % kRowsPerBlock * kernels::kWordsPerRow;
}

// Fills the columns that the sign kernels sum: b v, and the remainder columns of U.
void CollapsedMember::fill_columns(std::vector<float>& columns) const {
  const std::size_t units = layout_.units;
  columns.resize((1 + u_plan_.remainder) * units);
  for (std::size_t u = 0; u < units; ++u) columns[u] = parameters_[layout_.bias + u] * v_[u];
  for (std::size_t c = 0; c < u_plan_.remainder; ++c) {
    const float* w = parameters_.data() + u_plan_.first_remainder() + c;
    for (std::size_t u = 0; u < units; ++u) columns[(1 + c) * units + u] = w[u * layout_.features] * v_[u];
  }
}

std::size_t CollapsedMember::forward(const ForwardRows& rows, InterleavedGradients& interleaved) {
  const ForwardPlan plan = plan_forward(rows, interleaved);
  std::size_t fallbacks = 0;
  for (std::size_t at = 0; at < rows.count; at += kRowsPerGroup) {
    fallbacks += forward_group(plan, rows, at, interleaved);
  }
  if (rows.first + rows.count == rows.batch.rows) clear_groups_after(rows.batch.rows);
  if (plan.gradients == Gradients::after_signs) finish_gradients(plan, rows);
  return fallbacks;
}

CollapsedMember::ForwardPlan CollapsedMember::plan_forward(const ForwardRows& rows, InterleavedGradients& interleaved) {
  PERPEND_CHECK(rows.first % kRowsPerGroup == 0 && rows.first % kRowsPerBlock + rows.count <= kRowsPerBlock);
  ForwardPlan plan{.columns = v_.data(),
                   .by_unit = bits_by_unit(rows.first),
                   .by_row = bits_by_row(rows.first),
                   .keep = keep_planes(keep_)};
  if (rows.gradient.data() == nullptr) return plan;
  PERPEND_CHECK(plan.by_row != nullptr);
  thread_local std::vector<float> columns;
  fill_columns(columns);
  plan.columns = columns.data();
  plan.remainder = u_plan_.remainder;
  plan.gradients = interleaves_ ? Gradients::interleaved : Gradients::after_signs;
  if (interleaves_) {
    auto& tables = interleaved.next_tables();
    kernels::fill_u(
        {.features = layout_.features, .units = layout_.units, .weights = parameters_.data(), .v = v_.data()}, tables);
    plan.u_tables = &tables;
  }
  return plan;
}

// Computes one group of 64 rows, from row rows.first + at on: bits, the biases' part of the scores or all of them, and
// the remainder columns of G. Returns how many signs fell back to floats.
std::size_t CollapsedMember::forward_group(const ForwardPlan& plan, const ForwardRows& rows, std::size_t at,
                                           InterleavedGradients& interleaved) {
  const std::size_t row = rows.first + at;
  const std::size_t count = std::min(kRowsPerGroup, rows.count - at);
  const bool interleaves = plan.gradients == Gradients::interleaved;
  alignas(64) float sums[kernels::kMaxColumns * kRowsPerGroup] = {};
  std::fill_n(sums, kRowsPerGroup, constant_);
  const std::size_t fallbacks = find_signs(plan, rows, at, sums, interleaves ? interleaved.sum() : nullptr);
  std::uint32_t* by_row = plan.by_row == nullptr ? nullptr : plan.by_row + at * kernels::kWordsPerRow;
  if (by_row != nullptr) {
    kernels::transpose_group(layout_.units, plan.by_unit + at / kRowsPerGroup * layout_.units, by_row);
  }
  if (interleaves) interleaved.finish();
  std::copy_n(sums, count, rows.scores + row);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < plan.remainder; ++c) {
      rows.gradient(row + r, u_plan_.first_remainder() + c) = sums[(1 + c) * kRowsPerGroup + r];
    }
  }
  if (interleaves) {
    interleaved.start(by_row, *plan.u_tables,
                      {.inputs = rows.batch.inputs.from(row),
                       .scores = rows.scores + row,
                       .gradient = rows.gradient.middle_rows(row, count)});
  }
  return fallbacks;
}

std::size_t CollapsedMember::find_signs(const ForwardPlan& plan, const ForwardRows& rows, std::size_t at, float* sums,
                                        kernels::InterleavedSum* interleaved) const {
  const std::size_t row = rows.first + at;
  thread_local std::vector<std::uint64_t> kept;
  kept.resize(round_up(layout_.units, 32));
  kernels::dropout_masks({.stream = rows.dropout.stream(rows.member),
                          .keep = plan.keep,
                          .layer = 0,
                          .group = static_cast<std::uint32_t>(row / kRowsPerGroup),
                          .valid = first_bits(rows.batch.rows - row)},
                         layout_.units, kept.data());
  kernels::SignInputs in{.features = layout_.features,
                         .units = layout_.units,
                         .rows = rows.batch.inputs.from(row),
                         .weights = parameters_.data(),
                         .bias = parameters_.data() + layout_.bias,
                         .kept = kept.data(),
                         .column_count = 1 + plan.remainder,
                         .columns = plan.columns};
  const kernels::SignOutputs out{.by_unit = plan.by_unit + at / kRowsPerGroup * layout_.units, .sums = sums};
  if (is_quantized()) {
    PERPEND_CHECK(plan.gradients != Gradients::none);
    in.quantized_rows = rows.batch.quantized + row * 2 * kernels::quantized_pairs(layout_.features);
    in.quantized_weights = quantized_.data();
    return kernels::quantized_signs(in, out, interleaved);
  }
  in.packed = rows.batch.packed + row * layout_.features;
  if (plan.gradients == Gradients::none) {
    kernels::scores(in, out);
  } else {
    kernels::float_signs(in, out, interleaved);
  }
  return 0;
}

// Computes the input gradients of all rows, chunk by chunk of units, and then their scores.
void CollapsedMember::finish_gradients(const ForwardPlan& plan, const ForwardRows& rows) const {
  auto& tables = scratch_tables<TableOf::u>(u_plan_);
  for (std::size_t u = 0; u < layout_.units; u += kUnitsPerChunk) {
    kernels::fill_u({.features = layout_.features,
                     .units = std::min(kUnitsPerChunk, layout_.units - u),
                     .weights = parameters_.data() + u * layout_.features,
                     .v = v_.data() + u},
                    tables);
    kernels::input_gradient(
        rows.count, plan.by_row + u / kUnitsPerChunk * kWordsPerChunk, tables, scratch_lists(),
        {.data = rows.gradient.row(rows.first), .stride = rows.gradient.stride(), .accumulate = u > 0});
  }
  UnfinishedScores{.inputs = rows.batch.inputs.from(rows.first),
                   .scores = rows.scores + rows.first,
                   .gradient = rows.gradient.middle_rows(rows.first, rows.count)}
      .finish();
}

// Clears the bits of the groups of a block that the last rows do not reach. They may be left over from a longer batch,
// and unit_sums reads whole blocks.
void CollapsedMember::clear_groups_after(std::size_t row) {
  const auto from = round_up(row, kRowsPerGroup) / kRowsPerGroup * layout_.units;
  const auto to = round_up(row, kRowsPerBlock) / kRowsPerGroup * layout_.units;
  std::fill(by_unit_.data() + from, by_unit_.data() + to, std::uint64_t{0});
}

void CollapsedMember::sum_units(const BatchAdjoints& adjoints, const UnitRange& units) const {
  const bool with_gradient = adjoints.d_gradient.data() != nullptr;
  auto& tables = scratch_tables<TableOf::t>(kernels::ColumnPlan::of_t(layout_.features));
  auto& sums = scratch_sums(layout_.features + 1);
  for (std::size_t block = 0; block < count_blocks(adjoints.rows); ++block) {
    const std::size_t row = block * kRowsPerBlock;
    const std::size_t in_block = std::min(kRowsPerBlock, adjoints.rows - row);
    kernels::fill_t({.features = layout_.features,
                     .rows = in_block,
                     .e = adjoints.d_scores + row,
                     .x = adjoints.inputs.from(row),
                     .gradient = with_gradient ? adjoints.d_gradient.row(row) : nullptr,
                     .gradient_stride = adjoints.d_gradient.stride()},
                    tables);
    kernels::unit_sums({.rows = in_block,
                        .all_units = layout_.units,
                        .by_unit = by_unit_.data() + block * kGroupsPerBlock * layout_.units},
                       units, tables, scratch_lists(),
                       {.data = sums.data(), .stride = sums.stride(), .accumulate = block > 0});
  }
}

void CollapsedMember::unit_gradient(std::size_t first, const UnitRange& some, const UnitGradientPlaces& out) const {
  const auto& sums = scratch_sums(layout_.features + 1);
  kernels::unit_gradients({.features = layout_.features,
                           .units = some.count,
                           .sums = sums.row(some.first - first),
                           .sums_stride = sums.stride(),
                           .weights = parameters_.data() + some.first * layout_.features,
                           .bias = parameters_.data() + layout_.bias + some.first,
                           .v = v_.data() + some.first,
                           .inverse_keep = inverse_keep_,
                           .d_weights = out.d_weights,
                           .d_bias = out.d_bias,
                           .d_v = out.d_out1});
}

}  // namespace perpend
