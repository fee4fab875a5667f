#include "perpend/trees/split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace perpend {

namespace {

constexpr std::size_t kFewLevels = 4;
// Gains below this share of the leaf's own are rounding errors and do not count.
constexpr double kLeastRelativeGain = 1e-10;

class Scan {
 public:
  Scan(std::int64_t total, const LeafLimits& limits, double l2)
      : limits_(limits), total_(total), l2_(l2), gradient_(gradient_of(total)), hessian_(hessian_of(total)) {
    own_ = gradient_ * gradient_ / (static_cast<double>(hessian_) + l2_);
    best_ = own_ * (1 + kLeastRelativeGain);
    bounded_ = !limits.range.is_all() || limits.direction != Direction::none;
    if (!bounded_) return;
    own_ = gain_at(total, best_value(total, l2_, limits.range));
    best_ = own_ + std::abs(own_) * kLeastRelativeGain;
  }

  // Tries the cuts behind each of the words, which are added to `left`. Calls found(i) for each cut that is better than
  // all before.
  template <class WordAt, class Found>
  void run(std::size_t count, std::int64_t left, const WordAt& word_at, const Found& found) {
    const std::uint64_t least = limits_.least_hessian;
    if (hessian_ < 2 * least) return;
    const std::uint64_t most = hessian_ - least;
    for (std::size_t i = 0; i < count; ++i) {
      left += word_at(i);
      const std::uint64_t hessian = hessian_of(left);
      if (hessian < least) continue;
      if (hessian > most) break;
      if (try_left(left)) found(i);
    }
  }
  // Brings both terms over one denominator, because a division costs more than all the rest.
  bool try_left(std::int64_t left) {
    if (bounded_) return try_bounded(left);
    const double g = gradient_of(left);
    const double other = gradient_ - g;
    const double h = static_cast<double>(hessian_of(left)) + l2_;
    const double rest = static_cast<double>(hessian_ - hessian_of(left)) + l2_;
    const double sum = (g * g * rest + other * other * h) / (h * rest);
    if (!(sum > best_)) return false;
    best_ = sum;
    return true;
  }
  // Whether the sides' values must be in the order of the column's direction.
  void want_order(bool wanted) { ordered_ = wanted; }
  bool allows(std::int64_t left) const {
    const std::uint64_t hessian = hessian_of(left);
    return hessian >= limits_.least_hessian && hessian_ - hessian >= limits_.least_hessian;
  }
  double gain() const { return best_ - own_; }
  bool lefts_are_more(std::int64_t left) const { return 2 * std::uint64_t{hessian_of(left)} > hessian_; }

 private:
  double gain_at(std::int64_t sum, double value) const {
    const double h = static_cast<double>(hessian_of(sum)) + l2_;
    return -value * (2 * gradient_of(sum) + h * value);
  }
  bool try_bounded(std::int64_t left) {
    const std::int64_t right = total_ - left;
    const double left_value = best_value(left, l2_, limits_.range);
    const double right_value = best_value(right, l2_, limits_.range);
    if (ordered_ && limits_.direction == Direction::increasing && left_value > right_value) return false;
    if (ordered_ && limits_.direction == Direction::decreasing && left_value < right_value) return false;
    const double sum = gain_at(left, left_value) + gain_at(right, right_value);
    if (!(sum > best_)) return false;
    best_ = sum;
    return true;
  }

  const LeafLimits& limits_;
  std::int64_t total_;
  bool bounded_ = false;
  bool ordered_ = true;
  double l2_;
  double gradient_;
  std::uint64_t hessian_;
  double own_;
  double best_;
};

Split split_numbers(const ColumnBins& column, const std::int64_t* bins, std::int64_t total, const LeafLimits& limits) {
  const std::size_t known = column.count - 1;
  const std::int64_t missing = bins[known];
  Scan scan(total, limits, limits.l2);
  const auto word_at = [&](std::size_t i) { return bins[i]; };
  Split best;
  bool found = false;
  bool missing_left = false;
  scan.run(known - 1, 0, word_at, [&](std::size_t i) {
    found = true;
    best.last_left = i;
  });
  if (missing != 0) {
    // All known cells are on the left, so no two numbers are separated.
    scan.want_order(false);
    if (scan.allows(total - missing) && scan.try_left(total - missing)) {
      found = true;
      best.last_left = known - 1;
    }
    scan.want_order(true);
    scan.run(known - 1, missing, word_at, [&](std::size_t i) {
      found = missing_left = true;
      best.last_left = i;
    });
  }
  if (!found) return {};
  best.gain = scan.gain();
  std::int64_t left = 0;
  for (std::size_t i = 0; i <= best.last_left; ++i) {
    best.left.set(i);
    left += bins[i];
  }
  best.left.set(known, missing == 0 ? scan.lefts_are_more(left) : missing_left);
  return best;
}

Split split_levels(const ColumnBins& column, const std::int64_t* bins, std::int64_t total, const LeafLimits& limits) {
  std::array<std::uint8_t, kMostTreeBins> order = {};
  std::size_t count = 0;
  for (std::size_t b = 0; b < column.count; ++b) {
    if (bins[b] != 0) order[count++] = static_cast<std::uint8_t>(b);
  }
  if (count < 2) return {};
  const std::span<std::uint8_t> present(order.data(), count);
  Split best;
  std::int64_t left = 0;
  const auto take = [&](std::uint8_t bin) {
    best.left.set(bin);
    left += bins[bin];
  };
  const auto finish = [&](const Scan& scan) {
    best.gain = scan.gain();
    if (!scan.lefts_are_more(left)) return best;
    for (std::size_t b = 0; b < kMostTreeBins; ++b) {
      if (b >= column.count || bins[b] == 0) best.left.set(b);
    }
    return best;
  };
  if (count <= kFewLevels) {
    Scan scan(total, limits, limits.l2);
    const std::uint8_t* chosen = nullptr;
    for (const std::uint8_t& bin : present) {
      if (scan.allows(bins[bin]) && scan.try_left(bins[bin])) chosen = &bin;
    }
    if (chosen == nullptr) return {};
    take(*chosen);
    return finish(scan);
  }
  std::array<double, kMostTreeBins> mean = {};
  for (const std::uint8_t bin : present) {
    mean[bin] = gradient_of(bins[bin]) / (static_cast<double>(hessian_of(bins[bin])) + limits.smoothing);
  }
  std::ranges::stable_sort(present, [&](std::uint8_t a, std::uint8_t b) { return mean[a] < mean[b]; });
  Scan scan(total, limits, limits.l2 + limits.smoothing);
  std::size_t taken = 0;
  scan.run(
      count - 1, 0, [&](std::size_t i) { return bins[present[i]]; }, [&](std::size_t i) { taken = i + 1; });
  if (taken == 0) return {};
  for (std::size_t i = 0; i < taken; ++i) take(present[i]);
  return finish(scan);
}

}  // namespace

Split best_split(const ColumnBins& column, const std::int64_t* bins, std::int64_t total, const LeafLimits& limits) {
  return column.is_category ? split_levels(column, bins, total, limits) : split_numbers(column, bins, total, limits);
}

}  // namespace perpend
