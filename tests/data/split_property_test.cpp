#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/data/split.h"

namespace perpend {
namespace {

// A uniform number from low to high - 1. RapidCheck by itself prefers the low end.
rc::Gen<int> even(int low, int high) { return rc::gen::resize(100, rc::gen::inRange(low, high)); }

struct Case {
  std::vector<std::string> classes;
  std::vector<std::int32_t> labels;
  std::vector<double> values;  // some are equal
  std::uint64_t seed = 0;
};

// At least six rows of each class below every tested threshold and six above, so that each kind of split is possible.
Case any_case() {
  Case c;
  const auto extra =
      *rc::gen::resize(200, rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>()));
  const int classes = *even(2, 5);
  c.classes.assign(classes, "c");
  for (int k = 0; k < classes; ++k) {
    for (int i = 0; i < 12; ++i) {
      c.labels.push_back(k);
      c.values.push_back(i % 2 == 0 ? -1 : 100 + i);
    }
  }
  for (const auto e : extra) {
    c.labels.push_back(e % classes);
    c.values.push_back(e / 8);
  }
  c.seed = *rc::gen::arbitrary<std::uint64_t>();
  return c;
}

std::vector<std::size_t> counts_in(const Case& c, const std::vector<std::uint32_t>& rows) {
  std::vector<std::size_t> counts(c.classes.size(), 0);
  for (const auto row : rows) ++counts[c.labels[row]];
  return counts;
}

void demand_cover_without_overlap(const Split& split, std::size_t rows) {
  std::vector<std::uint32_t> all = split.train;
  all.insert(all.end(), split.validation.begin(), split.validation.end());
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::ranges::sort(all);
  RC_ASSERT(all.size() == rows);
  for (std::uint32_t i = 0; i < rows; ++i) RC_ASSERT(all[i] == i);
}

// Each class must be within one row of its exact share, and exactly ceil(n / 5) rows must be held out.
void demand_strata(const Case& c, const std::vector<std::uint32_t>& kept, const std::vector<std::uint32_t>& held_out) {
  const std::size_t n = kept.size() + held_out.size();
  RC_ASSERT(held_out.size() == (n + 4) / 5);
  const auto k = counts_in(c, kept);
  const auto h = counts_in(c, held_out);
  for (std::size_t i = 0; i < k.size(); ++i) {
    const double share =
        static_cast<double>(held_out.size()) * static_cast<double>(k[i] + h[i]) / static_cast<double>(n);
    RC_ASSERT(std::abs(static_cast<double>(h[i]) - share) < 1);
    RC_ASSERT(h[i] >= 1);
  }
}

RC_GTEST_PROP(RandomSplit, CoversAllRowsOnceInStrata, ()) {
  const Case c = any_case();
  const SplitInput input{.labels = c.labels, .classes = c.classes};
  const Split split = split_rows(input, {.seed = c.seed});
  demand_cover_without_overlap(split, c.labels.size());
  auto kept = split.train;
  kept.insert(kept.end(), split.validation.begin(), split.validation.end());
  demand_strata(c, kept, split.test);
  demand_strata(c, split.train, split.validation);
  RC_ASSERT(split_rows(input, {.seed = c.seed}) == split);
  RC_ASSERT(!(split_rows(input, {.seed = c.seed + 1}) == split));
}

RC_GTEST_PROP(RandomSplit, ShowsEveryClassOfThreeRowsInEveryPart, ()) {
  Case c;
  for (const int extra : *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(*even(2, 12)), even(0, 4))) {
    c.labels.insert(c.labels.end(), static_cast<std::size_t>(3 + extra * extra * extra),
                    static_cast<std::int32_t>(c.classes.size()));
    c.classes.emplace_back("c");
  }
  const Split split = split_rows({.labels = c.labels, .classes = c.classes}, {});
  demand_cover_without_overlap(split, c.labels.size());
  for (const auto* part : {&split.train, &split.validation, &split.test}) {
    for (const std::size_t count : counts_in(c, *part)) RC_ASSERT(count >= 1);
  }
}

RC_GTEST_PROP(ExtrapolationSplit, TrainsOnTheNearHalfRowByRow, ()) {
  const Case c = any_case();
  const Split split = split_rows({.labels = c.labels, .classes = c.classes, .norms = c.values},
                                 {.kind = SplitKind::extrapolation, .seed = c.seed});
  demand_cover_without_overlap(split, c.labels.size());
  demand_strata(c, split.test, split.validation);
  auto sorted = c.values;
  std::ranges::sort(sorted);
  const std::size_t n = sorted.size();
  const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  for (std::uint32_t row = 0; row < n; ++row) {
    const bool trains = std::ranges::find(split.train, row) != split.train.end();
    RC_ASSERT(trains == (c.values[row] <= median));
  }
}

RC_GTEST_PROP(ByColumnSplit, TrainsAtOrBelowTheQuantile, ()) {
  const Case c = any_case();
  const double quantile = *even(30, 60) / 100.0;
  const Split split = split_rows({.labels = c.labels, .classes = c.classes, .column = c.values},
                                 {.kind = SplitKind::by_column, .seed = c.seed, .quantile = quantile});
  demand_cover_without_overlap(split, c.labels.size());
  demand_strata(c, split.test, split.validation);
  double highest = -2;
  for (const auto row : split.train) highest = std::max(highest, c.values[row]);
  for (const auto row : split.test) RC_ASSERT(c.values[row] > highest);
  for (const auto row : split.validation) RC_ASSERT(c.values[row] > highest);
  RC_ASSERT(static_cast<double>(split.train.size()) >= quantile * static_cast<double>(c.labels.size() - 1));
}

RC_GTEST_PROP(LimitedSplit, IsAPrefixOfRandom, ()) {
  const Case c = any_case();
  const SplitInput input{.labels = c.labels, .classes = c.classes};
  const Split random = split_rows(input, {.seed = c.seed});
  const auto limit = static_cast<std::size_t>(*even(25, 60));
  Split limited;
  try {
    limited = split_rows(input, {.kind = SplitKind::limited, .seed = c.seed, .limit = limit});
  } catch (const DataError&) {
    RC_DISCARD("a class is missing among the first rows");
  }
  RC_ASSERT(limited.train.size() == std::min(limit, random.train.size()));
  RC_ASSERT(std::equal(limited.train.begin(), limited.train.end(), random.train.begin()));
  RC_ASSERT(limited.test == random.test);
}

constexpr SplitKind kKinds[] = {SplitKind::random, SplitKind::extrapolation, SplitKind::limited, SplitKind::by_column,
                                SplitKind::domain, SplitKind::labels,        SplitKind::none};

// A case with groups of one to twelve rows. Every class has its own groups, far and near.
struct GroupedCase : Case {
  std::vector<std::uint32_t> groups;
  std::vector<std::string> names;
  std::vector<Part> parts;             // one per group
  std::vector<std::uint32_t> domains;  // one per group
  std::vector<std::string> domain_names = {"a", "b", "c"};

  SplitInput input() const {
    return {.labels = labels,
            .classes = classes,
            .norms = values,
            .column = values,
            .parts = parts,
            .domains = domains,
            .domain_names = domain_names,
            .groups = groups,
            .group_names = names};
  }
  void give_parts_and_domains() {
    for (const auto g : groups) {
      parts.push_back(static_cast<Part>(g % 3));
      domains.push_back(g % 3);
    }
  }
};

GroupedCase any_grouped_case() {
  GroupedCase c;
  static_cast<Case&>(c) = any_case();
  const std::size_t single = 12 * c.classes.size();
  const int others = *even(1, 40);
  for (std::uint32_t row = 0; row < c.labels.size(); ++row) {
    const bool alone = row < single;
    c.groups.push_back(alone ? row : static_cast<std::uint32_t>(single + row * 7919 % static_cast<unsigned>(others)));
  }
  // The group numbers have no gaps, as SplitInput requires.
  std::vector<std::uint32_t> used = c.groups;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (auto& g : c.groups) g = static_cast<std::uint32_t>(std::ranges::lower_bound(used, g) - used.begin());
  for (std::size_t g = 0; g < used.size(); ++g) c.names.push_back("g" + std::to_string(g));
  c.give_parts_and_domains();
  return c;
}

RC_GTEST_PROP(AnySplit, KeepsAGroupInOnePart, ()) {
  const GroupedCase c = any_grouped_case();
  for (const SplitKind kind : kKinds) {
    Split split;
    try {
      split = split_rows(c.input(), {.kind = kind, .seed = c.seed, .limit = 40});
    } catch (const DataError&) {
      RC_DISCARD("a part would miss a class");
    }
    std::vector<int> part_of(c.names.size(), -1);
    int part = 0;
    for (const auto* chosen : {&split.train, &split.validation, &split.test}) {
      for (const auto row : *chosen) {
        int& own = part_of[c.groups[row]];
        RC_ASSERT(own == -1 || own == part);
        own = part;
      }
      ++part;
    }
    if (kind != SplitKind::limited) demand_cover_without_overlap(split, c.labels.size());
  }
}

RC_GTEST_PROP(AnySplit, IsTheSameWithoutGroupsAndWithAGroupForEachRow, ()) {
  Case c = any_case();
  GroupedCase each;
  static_cast<Case&>(each) = c;
  for (std::uint32_t row = 0; row < c.labels.size(); ++row) {
    each.groups.push_back(row);
    each.names.push_back(std::to_string(row));
  }
  each.give_parts_and_domains();
  SplitInput none = each.input();
  none.groups = {};
  none.group_names = {};
  for (const SplitKind kind : kKinds) {
    const SplitOptions options{.kind = kind, .seed = c.seed, .limit = 400};
    RC_ASSERT(split_rows(each.input(), options) == split_rows(none, options));
  }
}

RC_GTEST_PROP(AnySplit, RowsOfAClassAreEquallyLikelyToBeTested, ()) {
  // Over 200 seeds each of the 20 rows is in test about 40 times (sd 5.7). The bounds are 4.5 sd away.
  const std::vector<std::int32_t> labels = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  const std::vector<std::string> classes = {"a", "b"};
  const auto base = static_cast<std::uint64_t>(*rc::gen::arbitrary<std::uint32_t>()) << 16;
  std::vector<int> tested(labels.size(), 0);
  for (std::uint64_t s = 0; s < 200; ++s) {
    for (const auto row : split_rows({.labels = labels, .classes = classes}, {.seed = base + s}).test) ++tested[row];
  }
  for (const int count : tested) RC_ASSERT(count > 13 && count < 67);
}

}  // namespace
}  // namespace perpend
