#include "perpend/trees/grow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace perpend {

namespace {

// A part of a histogram has at least this many rows. With fewer, adding up parts costs more than it saves.
constexpr std::size_t kLeastPartRows = 2048;

// Adds the words of n rows to the histograms of kColumns neighbouring columns.
template <std::size_t kColumns>
void add_words(const std::uint64_t* cells, const std::int64_t* words, const std::uint32_t* rows, std::size_t n,
               std::int64_t* bins) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t row_cells = cells[rows[i]];
    const std::int64_t word = words[rows[i]];
    for (std::size_t c = 0; c < kColumns; ++c) bins[c * kMostTreeBins + (row_cells >> 8 * c & 255U)] += word;
  }
}
using AddWords = void (*)(const std::uint64_t*, const std::int64_t*, const std::uint32_t*, std::size_t, std::int64_t*);
constexpr AddWords kAddWords[] = {add_words<1>, add_words<2>, add_words<3>, add_words<4>,
                                  add_words<5>, add_words<6>, add_words<7>, add_words<8>};

}  // namespace

Grower::Grower(const BinnedRows& rows, std::span<const float> weights, const GrowOptions& options,
               const Threads& threads)
    : binned_(rows),
      weights_(weights),
      options_(options),
      threads_(threads),
      rights_(rows.rows),
      histograms_(checked_product(options.leaves, rows.columns.size() * kMostTreeBins)),
      found_(2 * rows.columns.size()) {
  PERPEND_CHECK(options.leaves >= 2);
  PERPEND_CHECK(options.directions.empty() || options.directions.size() == rows.columns.size());
}

Direction Grower::direction_of(std::size_t column) const {
  return options_.directions.empty() ? Direction::none : options_.directions[column];
}

double Grower::weight_of(std::size_t first, std::size_t end) const {
  if (weights_.empty()) return static_cast<double>(end - first);
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) sum += weights_[rows_[i]];
  return sum;
}

LeafLimits Grower::limits_of(const Leaf& leaf, Direction direction) const {
  const double unit = gradients_->hessian_unit;
  const double by_rows = (options_.min_rows - 0.5) * hessian_of(leaf.sum) / leaf.weight;
  const double least = std::ceil(std::max({1.0, options_.min_hessian / unit, by_rows}));
  // A leaf must not overflow when no hessian is large enough for it.
  return {.l2 = options_.l2 / unit,
          .smoothing = options_.level_smoothing / unit,
          .least_hessian = static_cast<std::uint64_t>(std::min(least, 0x1p40)),
          .range = leaf.range,
          .direction = direction};
}

bool Grower::may_split(const Leaf& leaf) const {
  return leaf.depth < kMostTreeDepth && leaf.weight >= 2 * options_.min_rows &&
         hessian_of(leaf.sum) >= 2 * limits_of(leaf).least_hessian;
}

std::int64_t* Grower::bins_of(std::size_t histogram, std::size_t column) {
  return histograms_.data() + (histogram * binned_.columns.size() + column) * kMostTreeBins;
}

// Builds part 0 in the leaf's own histogram, and the others in parts_.
void Grower::build(const Leaf& leaf, std::size_t block, std::size_t part, std::size_t parts) {
  const std::size_t columns = binned_.columns.size();
  const std::size_t first_column = block * kBlockColumns;
  const std::size_t count = std::min(kBlockColumns, columns - first_column);
  std::int64_t* const bins = part == 0 ? bins_of(leaf.histogram, first_column)
                                       : parts_.data() + ((part - 1) * columns + first_column) * kMostTreeBins;
  for (std::size_t c = 0; c < count; ++c) {
    std::fill_n(bins + c * kMostTreeBins, binned_.columns[first_column + c].count, 0);
  }
  const std::size_t first = leaf.first + leaf.rows() * part / parts;
  const std::size_t end = leaf.first + leaf.rows() * (part + 1) / parts;
  kAddWords[count - 1](binned_.block(block), gradients_->words.data(), rows_.data() + first, end - first, bins);
}

// Adds up the parts and subtracts them from the parent's histogram, which becomes that of the larger child. Then looks
// for splits.
void Grower::search_column(std::size_t column, std::size_t parts, Leaf& smaller, Leaf* larger) {
  const std::size_t columns = binned_.columns.size();
  const ColumnBins& own = binned_.columns[column];
  std::int64_t* const bins = bins_of(smaller.histogram, column);
  for (std::size_t part = 1; part < parts; ++part) {
    const std::int64_t* const more = parts_.data() + ((part - 1) * columns + column) * kMostTreeBins;
    for (std::size_t b = 0; b < own.count; ++b) bins[b] += more[b];
  }
  const auto search_in = [&](const Leaf& leaf, const std::int64_t* leaf_bins, Split& found) {
    const bool searched = asked_[column] != 0 && may_split(leaf);
    found = searched ? best_split(own, leaf_bins, leaf.sum, limits_of(leaf, direction_of(column))) : Split{};
    found.column = column;
  };
  search_in(smaller, bins, found_[column]);
  if (larger == nullptr) return;
  std::int64_t* const rest = bins_of(larger->histogram, column);
  for (std::size_t b = 0; b < own.count; ++b) rest[b] -= bins[b];
  search_in(*larger, rest, found_[columns + column]);
}

void Grower::search(Leaf& smaller, Leaf* larger) {
  if (!may_split(smaller) && (larger == nullptr || !may_split(*larger))) return;
  const std::size_t columns = binned_.columns.size();
  const std::size_t blocks = binned_.blocks();
  // With fewer blocks of columns than threads, the rows are divided as well.
  const auto threads = static_cast<std::size_t>(threads_.count());
  const std::size_t wanted = blocks >= threads ? 1 : (threads + blocks - 1) / blocks;
  const std::size_t parts = std::clamp<std::size_t>(smaller.rows() / kLeastPartRows, 1, wanted);
  if (parts == 1 && blocks > 1) {
    threads_.for_each(blocks, [&](std::size_t b) {
      build(smaller, b, 0, 1);
      const std::size_t end = std::min(columns, (b + 1) * kBlockColumns);
      for (std::size_t c = b * kBlockColumns; c < end; ++c) search_column(c, 1, smaller, larger);
    });
  } else {
    parts_.resize(std::max(parts_.size(), (parts - 1) * columns * kMostTreeBins));
    threads_.for_each(blocks * parts, [&](std::size_t i) { build(smaller, i / parts, i % parts, parts); });
    threads_.for_each(columns, [&](std::size_t c) { search_column(c, parts, smaller, larger); });
  }
  const auto best_of = [&](const Split* found) {
    return *std::max_element(found, found + columns, [](const Split& a, const Split& b) { return a.gain < b.gain; });
  };
  smaller.split = best_of(found_.data());
  if (larger != nullptr) larger->split = best_of(found_.data() + columns);
}

// Puts the rows that go left before those that go right, each in their order. Returns where the right ones begin.
std::size_t Grower::divide(const Leaf& leaf) {
  std::uint8_t goes_left[kMostTreeBins];
  for (std::size_t b = 0; b < kMostTreeBins; ++b) goes_left[b] = leaf.split.left[b] ? 1 : 0;
  const std::uint64_t* const cells = binned_.block(leaf.split.column / kBlockColumns);
  const std::size_t shift = 8 * (leaf.split.column % kBlockColumns);
  std::uint32_t* const rows = rows_.data();
  std::uint32_t* const rights = rights_.data();
  std::size_t left = leaf.first;
  std::size_t right = 0;
  for (std::size_t i = leaf.first; i < leaf.end; ++i) {
    const std::uint32_t row = rows[i];
    const std::size_t is_left = goes_left[cells[row] >> shift & 255U];
    rows[left] = row;
    rights[right] = row;
    left += is_left;
    right += 1 - is_left;
  }
  std::copy_n(rights, right, rows + left);
  return left;
}

void Grower::append_node(Tree& tree, const Leaf& leaf) const {
  const Split& split = leaf.split;
  const ColumnBins& column = binned_.columns[split.column];
  tree.column.push_back(static_cast<std::int32_t>(split.column));
  if (column.is_category) {
    const std::size_t first = tree.words.size();
    tree.words.resize(first + (column.bin_of_code.size() + 31) / 32, 0);
    for (std::size_t code = 0; code < column.bin_of_code.size(); ++code) {
      if (split.left[column.bin_of_code[code]]) tree.words[first + code / 32] |= std::uint32_t{1} << code % 32;
    }
    tree.threshold.push_back(0);
    tree.missing_left.push_back(0);
  } else {
    const bool all = split.last_left == column.thresholds.size();  // all known numbers
    tree.threshold.push_back(all ? std::numeric_limits<float>::max() : column.thresholds[split.last_left]);
    tree.missing_left.push_back(split.left[column.count - 1] ? 1 : 0);
  }
  tree.first_word.push_back(static_cast<std::uint32_t>(tree.words.size()));
}

// If the split parts numbers of a column with a direction, the mid value of the sides bounds both.
void Grower::bound_sides(const Leaf& parent, Leaf& left, Leaf& right) const {
  left.range = right.range = parent.range;
  const Direction direction = direction_of(parent.split.column);
  const bool parts_numbers = parent.split.last_left < binned_.columns[parent.split.column].thresholds.size();
  if (direction == Direction::none || !parts_numbers) return;
  const double l2 = options_.l2 / gradients_->hessian_unit;
  const double middle = (best_value(left.sum, l2, parent.range) + best_value(right.sum, l2, parent.range)) / 2;
  (direction == Direction::increasing ? left : right).range.most = middle;
  (direction == Direction::increasing ? right : left).range.least = middle;
}

float Grower::value_of(const Leaf& leaf) const {
  const double hessian = hessian_of(leaf.sum) * gradients_->hessian_unit + options_.l2;
  const double gradient = gradient_of(leaf.sum) * gradients_->gradient_unit;
  const double value = hessian > 0 ? -options_.rate * gradient / hessian : 0;
  const double unit = options_.rate * gradients_->gradient_unit / gradients_->hessian_unit;
  return static_cast<float>(ValueRange{unit * leaf.range.least, unit * leaf.range.most}.nearest(value));
}

// The left side keeps the leaf's index; the right side gets the next one.
void Grower::split(std::size_t index, Tree& tree) {
  const Leaf parent = leaves_[index];
  const auto node = static_cast<std::int32_t>(tree.nodes());
  if (node > 0) (parent.is_left ? tree.left : tree.right)[parent.parent] = node;
  append_node(tree, parent);
  const std::size_t next = leaves_.size();
  tree.left.push_back(~static_cast<std::int32_t>(index));
  tree.right.push_back(~static_cast<std::int32_t>(next));

  const std::size_t middle = divide(parent);
  std::int64_t left_sum = 0;
  const std::int64_t* const bins = bins_of(parent.histogram, parent.split.column);
  for (std::size_t b = 0; b < binned_.columns[parent.split.column].count; ++b) {
    if (parent.split.left[b]) left_sum += bins[b];
  }
  const double left_weight = weight_of(parent.first, middle);
  Leaf left{.first = parent.first, .end = middle, .sum = left_sum, .weight = left_weight};
  Leaf right{.first = middle, .end = parent.end, .sum = parent.sum - left_sum, .weight = parent.weight - left_weight};
  left.parent = right.parent = static_cast<std::size_t>(node);
  left.is_left = true;
  left.depth = right.depth = parent.depth + 1;
  bound_sides(parent, left, right);
  const bool left_is_smaller = left.rows() <= right.rows();
  left.histogram = left_is_smaller ? next : parent.histogram;
  right.histogram = left_is_smaller ? parent.histogram : next;
  if (next + 1 < options_.leaves) search(left_is_smaller ? left : right, left_is_smaller ? &right : &left);
  leaves_[index] = left;
  leaves_.push_back(right);
}

Tree Grower::grow(const PackedGradients& gradients, std::span<const std::uint32_t> rows,
                  std::span<const std::size_t> columns) {
  gradients_ = &gradients;
  asked_.assign(binned_.columns.size(), 0);
  for (const std::size_t column : columns) asked_[column] = 1;
  rows_.assign(rows.begin(), rows.end());
  Leaf root{.end = rows.size()};
  root.weight = weight_of(0, rows.size());
  for (const std::uint32_t row : rows) root.sum += gradients.words[row];
  search(root, nullptr);
  leaves_.assign(1, root);

  Tree tree;
  const auto less_gain = [](const Leaf& a, const Leaf& b) { return a.split.gain < b.split.gain; };
  while (leaves_.size() < options_.leaves) {
    const auto best = std::max_element(leaves_.begin(), leaves_.end(), less_gain);
    if (!(best->split.gain > 0)) break;
    split(static_cast<std::size_t>(best - leaves_.begin()), tree);
  }
  for (const Leaf& leaf : leaves_) {
    tree.value.push_back(value_of(leaf));
    tree.weight.push_back(static_cast<float>(leaf.weight));
  }
  return tree;
}

}  // namespace perpend
