#include "perpend/model/table_member.h"

#include <algorithm>

#include "perpend/base/sum.h"
#include "perpend/kernels/bits.h"
#include "perpend/kernels/fast_path.h"

namespace perpend {

using kernels::count_blocks;
using kernels::count_chunks;
using kernels::kRowsPerBlock;
using kernels::kTableTile;
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

// What a thread needs to update some units: the coefficients of a column's rows, and the sums and gradients of a column
// in one plane.
struct Scratch {
  AlignedVector<float> q, e, q_sums, e_sums, d_weights;
  alignas(64) float d_v[kUnitsPerChunk];
  alignas(64) float d_bias[kUnitsPerChunk];
  alignas(64) float d_out0[kUnitsPerChunk];
};
Scratch& scratch(std::size_t rows, std::size_t table_rows) {
  thread_local Scratch s;
  const auto room = [](AlignedVector<float>& array, std::size_t size) {
    if (array.size() < size) array.resize(size);
  };
  room(s.q, rows);
  room(s.e, rows);
  for (auto* array : {&s.q_sums, &s.e_sums, &s.d_weights}) room(*array, table_rows * kTableTile);
  return s;
}

// The coefficients of the rows that pick a row of the column, in their order: of S in Q, e t + R slope, and in E, e or,
// of a category, e + R.
void find_coefficients(const TableMember::Adjoints& adjoints, std::size_t d, bool category, Scratch& s) {
  const auto runs = adjoints.batch->runs(d);
  const std::uint32_t* order = adjoints.batch->order(d);
  const kernels::TableCells cells = adjoints.batch->cells(0);
  const bool with_gradient = adjoints.d_gradient.data() != nullptr;
  const std::size_t used = runs.empty() ? 0 : runs.back().end;
  for (std::size_t j = 0; j < used; ++j) {
    const std::uint32_t r = order[j];
    const std::size_t at = r * cells.stride + d;
    const float e = adjoints.d_scores[r];
    const float moved = with_gradient ? adjoints.d_gradient(r, d) * cells.slope[at] : 0.0F;
    s.e[j] = category ? e + moved : e;
    s.q[j] = e * cells.t[at] + moved;
  }
}

}  // namespace

TableBatch::TableBatch(const ViewLayout& layout, std::size_t max_rows)
    : max_rows_(max_rows),
      columns_(layout.columns().size()),
      stride_(round_up(columns_, 16)),
      row_(max_rows * stride_, 0),
      t_(max_rows * stride_, 0.0F),
      slope_(max_rows * stride_, 0.0F),
      order_(columns_ * max_rows),
      runs_(columns_) {
  for (std::size_t r = 0; r < max_rows; ++r) in_order_.push_back(static_cast<std::uint32_t>(r));
}

void TableBatch::gather(const ViewLayout& layout, const kernels::IndexedRows& x, std::size_t rows,
                        const std::uint32_t* found, bool sorted) {
  PERPEND_CHECK(rows <= max_rows_);
  rows_ = rows;
  for (std::size_t r = 0; r < rows; ++r) {
    const float* from = x.row(r);
    const std::uint32_t* known =
        found == nullptr ? nullptr : found + (x.indices == nullptr ? r : x.indices[r]) * columns_;
    for (std::size_t d = 0; d < columns_; ++d) {
      const ViewCell cell = known == nullptr ? layout.cell(d, from[d]) : layout.cell(d, known[d], from[d]);
      row_[r * stride_ + d] = cell.row;
      t_[r * stride_ + d] = cell.t;
      slope_[r * stride_ + d] = cell.slope;
    }
  }
  for (std::size_t d = 0; sorted && d < columns_; ++d) sort_column(layout, d);
}

// A counting sort, which keeps the order of rows within a run. Rows that pick nothing are left out.
void TableBatch::sort_column(const ViewLayout& layout, std::size_t column) {
  const ViewColumn& c = layout.columns()[column];
  counts_.assign(c.rows + 1, 0);
  const auto key = [&](std::size_t r) {
    const std::uint32_t row = row_[r * stride_ + column];
    return row == layout.rows() ? c.rows : row - c.first;
  };
  for (std::size_t r = 0; r < rows_; ++r) ++counts_[key(r)];
  auto& runs = runs_[column];
  runs.clear();
  std::uint32_t begin = 0;
  for (std::size_t k = 0; k <= c.rows; ++k) {
    const std::uint32_t count = counts_[k];
    counts_[k] = begin;
    if (count > 0 && k < c.rows) runs.push_back({static_cast<std::uint32_t>(k), begin, begin + count});
    begin += count;
  }
  for (std::size_t r = 0; r < rows_; ++r) {
    order_[column * max_rows_ + counts_[key(r)]++] = static_cast<std::uint32_t>(r);
  }
}

kernels::TableCells TableBatch::cells(std::size_t first) const {
  return {.columns = columns_,
          .stride = stride_,
          .row = row_.data() + first * stride_,
          .t = t_.data() + first * stride_,
          .slope = slope_.data() + first * stride_};
}

std::span<const kernels::TableRun> TableBatch::runs(std::size_t column) const { return runs_[column]; }

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
      keep_(options.keep),
      inverse_keep_(static_cast<float>(1 / rounded_keep(keep_))),
      units_(network.layers[0].weight.cols()),
      places_{.plane = (layout.rows() + 1) * kTableTile, .stride = kTableTile} {
  const std::size_t padded = round_up(units_, kTableTile);
  at_.bias = padded / kTableTile * places_.plane;
  at_.out0 = at_.bias + padded;
  at_.out1 = at_.out0 + padded;
  at_.out_bias = at_.out1 + padded;
  at_.size = at_.out_bias + 16;
  parameters_.assign(at_.size, 0.0F);
  m_.assign(at_.size, 0.0F);
  moment_.assign(at_.size, 0.0F);
  constants_.assign(at_.bias, 0.0F);
  v_.assign(padded, 0.0F);
  for (const ViewColumn& column : layout.columns()) {
    kinds_.push_back(kind_of(column));
    firsts_.push_back(static_cast<std::uint32_t>(column.first));
  }
  for (std::size_t i = 0; i < layout.rows(); ++i) {
    for (std::size_t u = 0; u < units_; ++u) parameters_[places_.at(i, u)] = network.layers[0].weight(i, u);
  }
  std::copy_n(network.layers[0].bias.data(), units_, parameters_.data() + at_.bias);
  for (std::size_t u = 0; u < units_; ++u) {
    parameters_[at_.out0 + u] = network.layers[1].weight(u, 0);
    parameters_[at_.out1 + u] = network.layers[1].weight(u, 1);
  }
  std::copy_n(network.layers[1].bias.data(), 2, parameters_.data() + at_.out_bias);
  // A whole word may be read behind the last one.
  bits_.assign(count_blocks(options.max_rows) * count_chunks(units_) * kWordsPerChunk + 2, 0);
  for (std::size_t unit = 0; unit < units_; unit += kTableTile) {
    for (std::size_t d = 0; d < kinds_.size(); ++d) refresh_column(d, unit);
  }
  refresh_outputs(0, units_);
  constant_ = parameters_[at_.out_bias + 1] - parameters_[at_.out_bias];
}

Network<float> TableMember::network() const {
  Network<float> network;
  network.layers.push_back({{layout_->rows(), units_}, {}});
  network.layers.push_back({{units_, 2}, {}});
  for (std::size_t i = 0; i < layout_->rows(); ++i) {
    for (std::size_t u = 0; u < units_; ++u) network.layers[0].weight(i, u) = parameters_[places_.at(i, u)];
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

kernels::TableWeights TableMember::weights() const {
  return {.units = units_,
          .places = places_,
          .kind = kinds_.data(),
          .first = firsts_.data(),
          .weights = parameters_.data(),
          .constants = constants_.data(),
          .bias = parameters_.data() + at_.bias,
          .v = v_.data()};
}

kernels::TableColumn TableMember::column(std::size_t d) const {
  const ViewColumn& c = layout_->columns()[d];
  return {.kind = kinds_[d], .rows = c.rows, .has_gap = c.has_gap, .means = layout_->means().data() + c.first};
}

std::uint32_t* TableMember::bits_of_block(std::size_t row) {
  return bits_.data() + row / kRowsPerBlock * count_chunks(units_) * kWordsPerChunk;
}

// The drop-out masks of the rows, by row.
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
  const bool with_gradient = rows.gradient.data() != nullptr;
  kernels::table_forward({.rows = rows.count,
                          .cells = rows.batch->cells(rows.first),
                          .member = weights(),
                          .bits = bits,
                          .constant = constant_,
                          .scores = rows.scores + rows.first,
                          .gradient = with_gradient ? rows.gradient.row(rows.first) : nullptr,
                          .gradient_stride = rows.gradient.stride()});
}

// Brings A of a column up to date, in the plane that begins with `unit`.
void TableMember::refresh_column(std::size_t d, std::size_t unit) {
  const std::size_t at = places_.at(firsts_[d], unit);
  kernels::table_constants(column(d), kTableTile, kTableTile, parameters_.data() + at, constants_.data() + at);
}

void TableMember::refresh_outputs(std::size_t first, std::size_t count) {
  for (std::size_t u = first; u < first + count; ++u) {
    v_[u] = (parameters_[at_.out1 + u] - parameters_[at_.out0 + u]) * inverse_keep_;
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

// One column in the plane of units sums.first ..: sums, gradients, a step of Adam, and A anew. All of it stays in the
// first-level cache. d_v is at the plane's first unit.
bool TableMember::update_tile(const kernels::AdamStep& step, const kernels::TableSums& sums, std::size_t d,
                              float* d_v) {
  const kernels::TableColumn c = column(d);
  const std::size_t size = c.rows * kTableTile;
  std::fill_n(sums.q_sums, size, 0.0F);
  std::fill_n(sums.e_sums, size, 0.0F);
  kernels::table_sums(sums);
  float* d_weights = scratch(0, c.rows).d_weights.data();
  const std::size_t at = places_.at(firsts_[d], sums.first);
  kernels::table_gradients({.column = c,
                            .units = kTableTile,
                            .stride = kTableTile,
                            .weights = parameters_.data() + at,
                            .constants = constants_.data() + at,
                            .v = v_.data() + sums.first,
                            .sums_stride = kTableTile,
                            .q_sums = sums.q_sums,
                            .e_sums = sums.e_sums,
                            .d_weights = d_weights,
                            .d_v = d_v});
  const bool finite = adam(step, size, d_weights, at);
  refresh_column(d, sums.first);
  return finite;
}

bool TableMember::update_units(const Adjoints& adjoints, const kernels::AdamStep& step, std::size_t first,
                               std::size_t count) {
  const TableBatch& batch = *adjoints.batch;
  std::size_t most_rows = 1;
  for (const ViewColumn& c : layout_->columns()) most_rows = std::max(most_rows, c.rows);
  Scratch& s = scratch(batch.rows(), most_rows);
  std::fill_n(s.d_v, kUnitsPerChunk, 0.0F);
  bool finite = true;
  kernels::TableSums sums{.all_units = units_,
                          .bits = bits_.data(),
                          .q_sums = s.q_sums.data(),
                          .e_sums = s.e_sums.data(),
                          .stride = kTableTile};
  const auto for_each_tile = [&](const auto& use) {
    for (std::size_t unit = first; unit < first + count; unit += kTableTile) {
      sums.first = unit;
      sums.count = std::min(kTableTile, first + count - unit);
      use(unit - first);
    }
  };
  // The biases: a column that all rows pick, with nothing but e.
  const kernels::TableRun whole{0, 0, static_cast<std::uint32_t>(batch.rows())};
  sums.runs = &whole;
  sums.run_count = 1;
  sums.order = batch.rows_in_order();
  sums.e = adjoints.d_scores;
  for_each_tile([&](std::size_t u) {
    kernels::table_sums(sums);
    for (std::size_t i = 0; i < sums.count; ++i) {
      s.d_bias[u + i] = s.e_sums[i] * v_[first + u + i];
      s.d_v[u + i] = s.e_sums[i] * parameters_[at_.bias + first + u + i];
    }
  });
  for (std::size_t d = 0; d < kinds_.size(); ++d) {
    find_coefficients(adjoints, d, kinds_[d] == TableKind::category, s);
    const auto runs = batch.runs(d);
    sums.runs = runs.data();
    sums.run_count = runs.size();
    sums.order = batch.order(d);
    sums.q = kinds_[d] == TableKind::category ? nullptr : s.q.data();
    sums.e = kinds_[d] == TableKind::linear ? nullptr : s.e.data();
    for_each_tile([&](std::size_t u) {
      if (!update_tile(step, sums, d, s.d_v + u)) finite = false;
    });
  }
  for (std::size_t u = 0; u < count; ++u) {
    s.d_v[u] *= inverse_keep_;
    s.d_out0[u] = -s.d_v[u];
  }
  for (const auto& [gradient, at] : {std::pair(s.d_bias, at_.bias), {s.d_out0, at_.out0}, {s.d_v, at_.out1}}) {
    const bool good = adam(step, count, gradient, at + first);
    finite = finite && good;
  }
  refresh_outputs(first, count);
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
