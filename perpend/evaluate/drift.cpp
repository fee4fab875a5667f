#include "perpend/evaluate/drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "perpend/base/portable_math.h"
#include "perpend/base/random.h"
#include "perpend/base/tail_probability.h"
#include "perpend/evaluate/home_columns.h"
#include "perpend/evaluate/table_columns.h"

namespace perpend {

namespace {

using Counts = std::vector<double>;

double total(std::span<const double> counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

// Both sets' counts in some groups of places. Each group expects at least five rows of either set. It also expects at
// least a tenth of the rows, so that a smooth change is not spread thinly over many groups.
struct Groups {
  Counts home, here;
};

constexpr double kFewest = 5;
constexpr double kMostGroups = 10;

Groups grouped(const Counts& home, const Counts& here, bool is_category) {
  std::vector<std::size_t> order(home.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (is_category) {
    std::ranges::stable_sort(order, {}, [&](std::size_t p) { return home[p] + here[p]; });
  }
  const double n = total(home), m = total(here);
  const double smaller = std::min(n, m) / (n + m);
  const double least = is_category ? kFewest : std::max(kFewest, std::min(n, m) / kMostGroups);
  Groups groups;
  double a = 0, b = 0;
  for (const std::size_t p : order) {
    a += home[p];
    b += here[p];
    if ((a + b) * smaller < least) continue;
    groups.home.push_back(a);
    groups.here.push_back(b);
    a = b = 0;
  }
  if (a + b > 0 && !groups.home.empty()) {
    groups.home.back() += a;
    groups.here.back() += b;
  }
  return groups;
}

double chi_square_p(const Groups& groups) {
  if (groups.home.size() < 2) return 1;
  const double n = total(groups.home), m = total(groups.here);
  double statistic = 0;
  for (std::size_t g = 0; g < groups.home.size(); ++g) {
    const double expected = (groups.home[g] + groups.here[g]) * m / (n + m);
    const double off = groups.here[g] - expected;
    statistic += off * off / expected * (n + m) / n;
  }
  return chi_square_tail(statistic, static_cast<int>(groups.home.size()) - 1);
}

// Wilcoxon's test of counts by ascending place, as the normal deviate of the AUROC. The distance of the AUROC from 1/2
// is first reduced by the tolerance.
double rank_sum_p(std::span<const double> home, std::span<const double> here, Sides sides = Sides::both,
                  double tolerance = 0) {
  const double n = total(home), m = total(here), all = n + m;
  if (n == 0 || m == 0 || all < 3) return 1;
  double below = 0, ranks = 0, ties = 0;
  for (std::size_t p = 0; p < home.size(); ++p) {
    const double same = home[p] + here[p];
    ranks += here[p] * (below + (same + 1) / 2);
    ties += same * same * same - same;
    below += same;
  }
  const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
  if (!(variance > 0)) return 1;
  const double above = ranks - m * (all + 1) / 2;
  const double off = (sides == Sides::both ? std::abs(above) : above) - tolerance * n * m;
  const double tails = off > 0 ? normal_tails(off / std::sqrt(variance)) : 1;
  return sides == Sides::both || off <= 0 ? tails : tails / 2;
}

// Tests whether a place holds another share here than at home. Of its a + b cells in both sets, b are here. If the rows
// are alike, b is about binomial. (Exactly it is hypergeometric, which is narrower, so the p-value errs on the safe
// side.)
double one_place_p(double at_home, double b, double n, double m) {
  const double cells = at_home + b, here = m / (n + m);
  const double variance = cells * here * (1 - here);
  constexpr double kNearlyNormal = 25;
  if (variance >= kNearlyNormal) return normal_tails((b - cells * here) / std::sqrt(variance));
  // It counts from the side of the smaller probability, so that the first term does not vanish.
  const double q = std::min(here, 1 - here), count = here <= 0.5 ? b : at_home;
  double term = portable_exp(cells * portable_log(1 - q)), up_to = 0, below = 0;
  for (double k = 0; k <= count; ++k) {
    below = up_to;
    up_to += term;
    term *= (cells - k) / (k + 1) * q / (1 - q);
  }
  return std::min(1.0, 2 * std::min(up_to, 1 - below));
}

double largest_gap(const Counts& home, const Counts& here) {
  const double n = total(home), m = total(here);
  double largest = 0, up_to_home = 0, up_to_here = 0;
  for (std::size_t p = 0; p < home.size(); ++p) {
    up_to_home += home[p] / n;
    up_to_here += here[p] / m;
    largest = std::max(largest, std::abs(up_to_home - up_to_here));
  }
  return largest;
}

double share_moved(const Counts& home, const Counts& here) {
  constexpr double kMeanSize = 0.79788456080286536;  // of a standard normal variable: sqrt(2 / pi)
  const double n = total(home), m = total(here);
  double moved = 0;
  for (std::size_t p = 0; p < home.size(); ++p) {
    const double share = (home[p] + here[p]) / (n + m);
    const double by_chance = kMeanSize * std::sqrt(share * (1 - share) * (1 / n + 1 / m));
    moved += (std::abs(home[p] / n - here[p] / m) - by_chance) / 2;
  }
  return std::clamp(moved, 0.0, 1.0);
}

}  // namespace

ColumnDrift compare_counts(std::span<const std::uint32_t> home_counts, std::span<const std::uint32_t> here_counts,
                           bool is_category) {
  const Counts home(home_counts.begin(), home_counts.end()), here(here_counts.begin(), here_counts.end());
  ColumnDrift found;
  const double n = total(home), m = total(here);
  if (n == 0 || m == 0) return found;
  const auto place_p = [&](std::size_t place) { return one_place_p(home[place], here[place], n, m); };
  const std::size_t last = home.size() - 1;
  std::array<double, 3> p = {};
  if (is_category) {
    found.drift = share_moved(home, here);
    p = {chi_square_p(grouped(home, here, true)), place_p(last - 1), place_p(last)};
  } else {
    found.drift = largest_gap(home, here);
    const Counts known_home(home.begin(), home.end() - 1), known_here(here.begin(), here.end() - 1);
    p = {chi_square_p(grouped(known_home, known_here, false)), rank_sum_p(known_home, known_here), place_p(last)};
  }
  found.p_value = std::min(1.0, static_cast<double>(p.size()) * *std::ranges::min_element(p));
  found.adjusted = found.p_value;
  return found;
}

double shift_p_value(std::span<const double> home, std::span<const double> here, Sides sides, double tolerance) {
  // Every different number is a place of its own.
  std::map<double, std::array<double, 2>> places;
  for (const double x : home) places[x][0] += 1;
  for (const double x : here) places[x][1] += 1;
  Counts at_home, at_here;
  for (const auto& [number, counts] : places) {
    at_home.push_back(counts[0]);
    at_here.push_back(counts[1]);
  }
  return rank_sum_p(at_home, at_here, sides, tolerance);
}

void adjust_for_many(std::span<ColumnDrift> columns) {
  std::vector<ColumnDrift*> order;
  for (ColumnDrift& column : columns) order.push_back(&column);
  std::ranges::stable_sort(order, {}, [](const ColumnDrift* column) { return column->p_value; });
  double least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, std::min(1.0, static_cast<double>(order.size() - i) * order[i]->p_value));
    order[i]->adjusted = least;
  }
}

std::vector<ColumnDrift> column_drift(std::span<const HomeColumn> home, std::span<const std::size_t> levels,
                                      InputsView rows) {
  std::vector<ColumnDrift> found;
  for (std::size_t c = 0; c < home.size(); ++c) {
    found.push_back(compare_counts(home[c].counts, count_places(home[c], levels[c], rows, c), levels[c] > 0));
    found.back().column = c;
  }
  adjust_for_many(found);
  return found;
}

namespace {

// Rows of marks as numbers, scaled so that T is a sum of squares of differences of means.
class ScaledMarks {
 public:
  ScaledMarks(std::span<const std::uint32_t> home, std::span<const std::uint32_t> here) {
    unpack(home);
    unpack(here);
    const double rows = static_cast<double>(count());
    for (std::size_t k = 0; k < kMarks; ++k) {
      double yes = 0;
      for (std::size_t r = 0; r < count(); ++r) yes += marks_[r * kMarks + k];
      const double spread = yes / rows * (1 - yes / rows);
      const auto scale = static_cast<float>(spread > 0 ? 1 / std::sqrt(spread) : 0);
      for (std::size_t r = 0; r < count(); ++r) marks_[r * kMarks + k] *= scale;
      sums_.push_back(yes * static_cast<double>(scale));
    }
  }

  std::size_t count() const { return marks_.size() / kMarks; }

  // Returns T when these rows are one set and all others the other.
  double statistic(std::span<const std::uint32_t> rows) const {
    std::vector<float> sums(kMarks, 0);
    for (const std::uint32_t r : rows) {
      const float* row = marks_.data() + std::size_t{r} * kMarks;
      for (std::size_t k = 0; k < kMarks; ++k) sums[k] += row[k];
    }
    const double n = static_cast<double>(rows.size()), others = static_cast<double>(count()) - n;
    double statistic = 0;
    for (std::size_t k = 0; k < kMarks; ++k) {
      const double difference = sums[k] / n - (sums_[k] - sums[k]) / others;
      statistic += difference * difference;
    }
    return statistic;
  }

 private:
  void unpack(std::span<const std::uint32_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t bit = 0; bit < 32; ++bit) marks_.push_back(static_cast<float>((words[i] >> bit) & 1U));
    }
  }

  std::vector<float> marks_;  // (rows, kMarks)
  std::vector<double> sums_;  // over all rows
};

std::vector<std::uint32_t> some_marks(std::span<const std::uint32_t> marks) {
  std::vector<std::uint32_t> some;
  for (const std::size_t r : evenly_spread(marks.size() / kMarkWords, kMostExchanged)) {
    const auto row = marks.subspan(r * kMarkWords, kMarkWords);
    some.insert(some.end(), row.begin(), row.end());
  }
  return some;
}

}  // namespace

double joint_p_value(std::span<const std::uint32_t> home, std::span<const std::uint32_t> here) {
  if (home.empty() || here.empty()) return 1;
  const auto some = some_marks(here);
  const ScaledMarks marks(home, some);
  std::vector<std::uint32_t> rows(some.size() / kMarkWords);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(home.size() / kMarkWords));
  const double observed = marks.statistic(rows);
  int as_large = 1;
  for (int e = 0; e < kExchanges; ++e) {
    const Stream random({.seed = 0, .purpose = Purpose::compare, .step = static_cast<std::uint32_t>(e)});
    const auto order = random.permutation(marks.count());
    // A tie up to rounding counts as a tie.
    if (marks.statistic(std::span(order).first(rows.size())) >= observed * (1 - 1e-5)) ++as_large;
  }
  return static_cast<double>(as_large) / (kExchanges + 1);
}

}  // namespace perpend
