#include "perpend/model/table_member.h"

#include <algorithm>

#include "perpend/base/sum.h"
#include "perpend/kernels/bits.h"
#include "perpend/kernels/fast_path.h"
#include "perpend/model/monotone.h"

namespace perpend {

using kernels::count_blocks;
using kernels::count_chunks;
using kernels::kRowsPerBlock;
using kernels::kUnitsPerChunk;
using kernels::kWordsPerChunk;
using kernels::TableKind;

namespace {

TableKind kind_of(const ViewColumn& column) {
  switch (column.kind) {
    case ViewColumn::Kind::linear:
      return TableKind::linear;
    case ViewColumn::Kind::ramps:
      return TableKind::ramps;
    case ViewColumn::Kind::category:
      break;
  }
  return TableKind::category;
}

// At least `size` floats that the thread may use.
float* scratch(std::size_t size) {
  thread_local AlignedVector<float> floats;
  if (floats.size() < size) floats.resize(size);
  return floats.data();
}

}  // namespace

TableBatch::TableBatch(const ViewLayout& layout, std::size_t max_rows)
    : max_rows_(max_rows),
      columns_(layout.columns().size()),
      stride_(round_up(max_rows, 16)),
      cells_(columns_ * stride_),
      slope_(columns_ * stride_, 0.0F),
      order_(columns_ * max_rows),
      runs_(columns_) {
  for (std::size_t r = 0; r < max_rows; ++r) in_order_.push_back(static_cast<std::uint32_t>(r));
}

void TableBatch::gather(const ViewLayout& layout, const kernels::IndexedRows& x, std::size_t rows,
                        const std::uint32_t* found, bool sorted) {
  PERPEND_CHECK(rows <= max_rows_);
  rows_ = rows;
  whole_ = {.table_row = 0, .begin = 0, .end = static_cast<std::uint32_t>(rows)};
  // A few rows are taken at a time, so that they stay in the first-level cache while their columns are taken apart.
  constexpr std::size_t kRowsTogether = 16;
  for (std::size_t first = 0; first < rows; first += kRowsTogether) {
    for (std::size_t d = 0; d < columns_; ++d) {
      const ViewColumn& c = layout.columns()[d];
      for (std::size_t r = first; r < std::min(first + kRowsTogether, rows); ++r) {
        const float value = x.row(r)[d];
        const std::size_t known = (x.indices == nullptr ? r : x.indices[r]) * columns_ + d;
        const ViewCell cell = found == nullptr ? layout.cell(d, value) : layout.cell(d, found[known], value);
        const std::size_t at = d * stride_ + r;
        const std::size_t row = cell.row == layout.rows() ? c.rows : cell.row - c.first;
        cells_[at] = {.row = static_cast<std::uint32_t>(row), .t = cell.t};
        slope_[at] = cell.slope;
      }
    }
  }
  for (std::size_t d = 0; sorted && d < columns_; ++d) sort_column(layout.columns()[d].rows, d);
}

// This is a counting sort, which keeps the order of rows within a run. Rows that pick nothing come last, without a run.
void TableBatch::sort_column(std::size_t table_rows, std::size_t column) {
  counts_.assign(table_rows + 1, 0);
  const kernels::TableCell* cells = cells_.data() + column * stride_;
  for (std::size_t r = 0; r < rows_; ++r) ++counts_[cells[r].row];
  auto& runs = runs_[column];
  runs.clear();
  std::uint32_t begin = 0;
  for (std::size_t k = 0; k <= table_rows; ++k) {
    const std::uint32_t count = counts_[k];
    counts_[k] = begin;
    if (count > 0 && k < table_rows) runs.push_back({static_cast<std::uint32_t>(k), begin, begin + count});
    begin += count;
  }
  std::uint32_t* order = order_.data() + column * max_rows_;
  for (std::size_t r = 0; r < rows_; ++r) order[counts_[cells[r].row]++] = static_cast<std::uint32_t>(r);
}

kernels::TableOrder TableBatch::order(std::size_t column) const {
  return {.runs = runs_[column], .rows = {order_.data() + column * max_rows_, rows_}};
}

kernels::TableOrder TableBatch::all_rows() const { return {.runs = {&whole_, 1}, .rows = {in_order_.data(), rows_}}; }

std::vector<std::uint32_t> find_rows(const ViewLayout& layout, InputsView x) {
  const std::size_t columns = layout.columns().size();
  std::vector<std::uint32_t> found(x.rows() * columns);
  for (std::size_t r = 0; r < x.rows(); ++r) {
    for (std::size_t d = 0; d < columns; ++d) found[r * columns + d] = layout.find_row(d, x(r, d));
  }
  return found;
}

bool TableMember::serves(const Architecture& architecture) {
  return architecture.has_views() && architecture.hidden.size() == 1 && architecture.activation == Activation::relu &&
         architecture.classes == 2 && kernels::is_on(kernels::FastPath::collapsed);
}

TableMember::TableMember(const ViewLayout& layout, const Network<float>& network, const Options& options)
    : layout_(&layout),
      directions_(options.directions),
      keep_(options.keep),
      inverse_keep_(static_cast<float>(1 / rounded_keep(keep_))),
      units_(network.layers[0].weight.cols()) {
  const std::size_t padded = kernels::pad_units(units_);
  at_.bias = layout.rows() * padded;
  at_.out0 = at_.bias + padded;
  at_.out1 = at_.out0 + padded;
  at_.out_bias = at_.out1 + padded;
  at_.size = at_.out_bias + 16;
  parameters_.assign(at_.size, 0.0F);
  m_.assign(at_.size, 0.0F);
  moment_.assign(at_.size, 0.0F);
  v_.assign(padded, 0.0F);
  for (std::size_t d = 0; d < layout.columns().size(); ++d) {
    const ViewColumn& c = layout.columns()[d];
    columns_.push_back({.kind = kind_of(c),
                        .column = static_cast<std::uint32_t>(d),
                        .first = static_cast<std::uint32_t>(c.first),
                        .rows = static_cast<std::uint32_t>(c.rows),
                        .has_gap = c.has_gap,
                        .means = layout.means().data() + c.first});
  }
  std::ranges::stable_sort(columns_, {}, &kernels::TableColumn::kind);
  for (const auto& c : columns_) {
    for (std::size_t k = 0; k < c.rows; ++k) {
      for (std::size_t u = 0; u < units_; ++u) {
        parameters_[c.at(k, u, padded)] = network.layers[0].weight(c.first + k, u);
      }
    }
  }
  std::copy_n(network.layers[0].bias.data(), units_, parameters_.data() + at_.bias);
  for (std::size_t u = 0; u < units_; ++u) {
    parameters_[at_.out0 + u] = network.layers[1].weight(u, 0);
    parameters_[at_.out1 + u] = network.layers[1].weight(u, 1);
  }
  std::copy_n(network.layers[1].bias.data(), 2, parameters_.data() + at_.out_bias);
  // One whole word may be read behind the last one.
  bits_.assign(count_blocks(options.max_rows) * count_chunks(units_) * kWordsPerChunk + 2, 0);
  refresh_outputs(0, units_);
  constant_ = parameters_[at_.out_bias + 1] - parameters_[at_.out_bias];
}

Network<float> TableMember::network() const {
  Network<float> network;
  network.layers.push_back({{layout_->rows(), units_}, {}});
  network.layers.push_back({{units_, 2}, {}});
  for (const auto& c : columns_) {
    for (std::size_t k = 0; k < c.rows; ++k) {
      for (std::size_t u = 0; u < units_; ++u) {
        network.layers[0].weight(c.first + k, u) = parameters_[c.at(k, u, kernels::pad_units(units_))];
      }
    }
  }
  network.layers[0].bias.assign(round_up(units_, 16), 0.0F);
  std::copy_n(parameters_.data() + at_.bias, units_, network.layers[0].bias.data());
  for (std::size_t u = 0; u < units_; ++u) {
    network.layers[1].weight(u, 0) = parameters_[at_.out0 + u];
    network.layers[1].weight(u, 1) = parameters_[at_.out1 + u];
  }
  network.layers[1].bias.assign(16, 0.0F);
  std::copy_n(parameters_.data() + at_.out_bias, 2, network.layers[1].bias.data());
  return network;
}

std::uint32_t* TableMember::bits_of_block(std::size_t row) {
  return bits_.data() + row / kRowsPerBlock * count_chunks(units_) * kWordsPerChunk;
}

// Makes the drop-out masks of the rows, by row.
void TableMember::drop_units(const ForwardRows& rows, std::uint32_t* bits) const {
  thread_local std::vector<std::uint64_t> kept;
  kept.resize(round_up(units_, 32));
  const KeepPlanes planes = keep_planes(keep_);
  for (std::size_t at = 0; at < rows.count; at += kRowsPerGroup) {
    const std::size_t row = rows.first + at;
    const std::size_t left = rows.batch->rows() - row;
    kernels::dropout_masks({.stream = rows.dropout.stream(rows.member),
                            .keep = planes,
                            .layer = 0,
                            .group = static_cast<std::uint32_t>(row / kRowsPerGroup),
                            .valid = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1},
                           units_, kept.data());
    kernels::transpose_group(units_, kept.data(), bits + at * kernels::kWordsPerRow);
  }
}

void TableMember::forward(const ForwardRows& rows) {
  PERPEND_CHECK(rows.first % kRowsPerGroup == 0 && rows.first % kRowsPerBlock + rows.count <= kRowsPerBlock);
  std::uint32_t* bits = bits_of_block(rows.first) + rows.first % kRowsPerBlock * kernels::kWordsPerRow;
  drop_units(rows, bits);
  kernels::table_forward({.rows = rows.count,
                          .cells = rows.batch->cells(rows.first),
                          .member = {.units = units_,
                                     .columns = columns_,
                                     .weights = parameters_.data(),
                                     .bias = parameters_.data() + at_.bias,
                                     .v = v_.data()},
                          .bits = bits,
                          .constant = constant_,
                          .scores = rows.scores + rows.first,
                          .scratch = scratch(kernels::forward_scratch(columns_))});
  if (rows.gradient.data() == nullptr) return;
  for (const auto& c : columns_) {
    kernels::table_input_gradient({.first = rows.first,
                                   .count = rows.count,
                                   .order = rows.batch->order(c.column),
                                   .slope = rows.batch->slope(c.column),
                                   .units = units_,
                                   .column = c,
                                   .weights = parameters_.data(),
                                   .v = v_.data(),
                                   .bits = bits,
                                   .gradient = rows.gradient.row(0) + c.column,
                                   .stride = rows.gradient.stride()});
  }
}

void TableMember::refresh_outputs(std::size_t first, std::size_t count) {
  for (std::size_t u = first; u < first + count; ++u) {
    v_[u] = (parameters_[at_.out1 + u] - parameters_[at_.out0 + u]) * inverse_keep_;
  }
}

void TableMember::keep_directions(std::size_t first, std::size_t count) {
  if (directions_.empty()) return;
  for (const auto& c : columns_) {
    const Direction direction = directions_[c.column];
    if (direction == Direction::none) continue;
    for (std::size_t k = 0; k < c.rows - (c.has_gap ? 1 : 0); ++k) {
      for (std::size_t u = first; u < first + count; ++u) {
        float& weight = parameters_[c.at(k, u, kernels::pad_units(units_))];
        if (breaks(direction, v_[u], weight)) weight = 0;
      }
    }
  }
}

bool TableMember::adam(const kernels::AdamStep& step, std::size_t n, float* gradient, std::size_t at) {
  std::fill(gradient + n, gradient + round_up(n, 16), 0.0F);
  return kernels::adam(step, {.n = n,
                              .gradient = gradient,
                              .weights = parameters_.data() + at,
                              .m = m_.data() + at,
                              .v = moment_.data() + at});
}

bool TableMember::update_units(const Adjoints& adjoints, const kernels::AdamStep& step, std::size_t first,
                               std::size_t count) {
  const TableBatch& batch = *adjoints.batch;
  alignas(64) float d_v[kUnitsPerChunk] = {};
  bool finite = true;
  kernels::TableUpdate update{.rows = batch.rows(),
                              .e = adjoints.d_scores,
                              .gradient_stride = adjoints.d_gradient.stride(),
                              .units = units_,
                              .first = first,
                              .count = kernels::pad_units(count),
                              .bits = bits_.data(),
                              .step = step,
                              .v = v_.data(),
                              .d_v = d_v,
                              .scratch = scratch(kernels::update_scratch(batch.rows(), columns_))};
  const auto update_column = [&](const kernels::TableColumn& column, const kernels::TableOrder& order, std::size_t at) {
    update.column = column;
    update.order = order;
    update.weights = parameters_.data() + at;
    update.m = m_.data() + at;
    update.moment = moment_.data() + at;
    if (!kernels::table_update(update)) finite = false;
  };
  // The biases are a linear column that is 1 in all rows.
  update_column({.rows = 1}, batch.all_rows(), at_.bias);
  for (const auto& c : columns_) {
    update.cells = batch.cells(0).of(c.column);
    update.slope = batch.slope(c.column);
    if (adjoints.d_gradient.data() != nullptr) update.d_gradient = adjoints.d_gradient.row(0) + c.column;
    update_column(c, batch.order(c.column), 0);
  }
  alignas(64) float d_out0[kUnitsPerChunk];
  for (std::size_t u = 0; u < count; ++u) {
    d_v[u] *= inverse_keep_;
    d_out0[u] = -d_v[u];
  }
  for (const auto& [gradient, at] : {std::pair(d_out0, at_.out0), {d_v, at_.out1}}) {
    if (!adam(step, count, gradient, at + first)) finite = false;
  }
  refresh_outputs(first, count);
  keep_directions(first, count);
  return finite;
}

bool TableMember::update_output(const Adjoints& adjoints, const kernels::AdamStep& step) {
  const float sum = ordered_sum(adjoints.batch->rows(), adjoints.d_scores);
  alignas(64) float d[16] = {-sum, sum};
  const bool finite = adam(step, 2, d, at_.out_bias);
  constant_ = parameters_[at_.out_bias + 1] - parameters_[at_.out_bias];
  return finite;
}

}  // namespace perpend
