#include "perpend/data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "perpend/base/error.h"

namespace perpend {
namespace {

using Labels = std::vector<std::int32_t>;
const std::vector<std::string> kTwo = {"no", "yes"};

Labels labels_of(const std::vector<std::size_t>& counts) {
  Labels labels;
  for (std::size_t k = 0; k < counts.size(); ++k) labels.insert(labels.end(), counts[k], static_cast<std::int32_t>(k));
  return labels;
}

std::vector<std::size_t> counts_in(const Labels& labels, const std::vector<std::uint32_t>& rows, std::size_t classes) {
  std::vector<std::size_t> counts(classes, 0);
  for (const auto row : rows) ++counts[labels[row]];
  return counts;
}

std::string data_error(const SplitInput& input, const SplitOptions& options) {
  try {
    split_rows(input, options);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

using Counts = std::vector<std::size_t>;

TEST(RandomSplit, HasTheSizesOfTheTableOneSets) {
  // sonar: ceil(208 / 5) = 42 test, ceil(166 / 5) = 34 validation.
  const Labels labels = labels_of({97, 111});
  const Split split = split_rows({.labels = labels, .classes = kTwo}, {});
  EXPECT_EQ(counts_in(labels, split.test, 2), (Counts{20, 22}));
  EXPECT_EQ(counts_in(labels, split.validation, 2), (Counts{16, 18}));
  EXPECT_EQ(counts_in(labels, split.train, 2), (Counts{61, 71}));
}

TEST(RandomSplit, GivesRemaindersToTheLargest) {
  // First 24 of 31 rows stay: the quotas 7.74, 7.74, 8.52 give 8, 8, 8. Then 19 of 24 stay: three quotas of 6.33 give
  // 7, 6, 6.
  const Labels labels = labels_of({10, 10, 11});
  const std::vector<std::string> three = {"a", "b", "c"};
  const Split split = split_rows({.labels = labels, .classes = three}, {});
  EXPECT_EQ(counts_in(labels, split.test, 3), (Counts{2, 2, 3}));
  EXPECT_EQ(counts_in(labels, split.validation, 3), (Counts{1, 2, 2}));
}

TEST(RandomSplit, GivesATieToTheEarlierClass) {
  const Labels labels = labels_of({6, 6});  // 9 of 12 rows stay: quotas 4.5 and 4.5
  const Split split = split_rows({.labels = labels, .classes = kTwo}, {});
  EXPECT_EQ(counts_in(labels, split.test, 2), (Counts{1, 2}));
}

TEST(RandomSplit, PassesOverAClassThatWouldHaveNoRowToHoldOut) {
  // 800 of 1000 rows stay, with the quotas 2.4, 2.4 and 795.2. The row left over must not be the last one of a small
  // class.
  const Labels labels = labels_of({3, 3, 994});
  const std::vector<std::string> three = {"a", "b", "c"};
  const Split split = split_rows({.labels = labels, .classes = three}, {});
  EXPECT_EQ(counts_in(labels, split.test, 3), (Counts{1, 1, 198}));
  EXPECT_EQ(counts_in(labels, split.validation, 3), (Counts{1, 1, 158}));
  EXPECT_EQ(counts_in(labels, split.train, 3), (Counts{1, 1, 638}));
}

TEST(RandomSplit, ServesEveryClassOfTenWithThreeRowsEach) {
  const Labels labels = labels_of(Counts(10, 3));
  const std::vector<std::string> ten(10, "class");
  const Split split = split_rows({.labels = labels, .classes = ten}, {});
  EXPECT_EQ(counts_in(labels, split.train, 10), Counts(10, 1));
  EXPECT_EQ(counts_in(labels, split.validation, 10), Counts(10, 1));
  EXPECT_EQ(counts_in(labels, split.test, 10), Counts(10, 1));
}

TEST(RandomSplit, TrainsInAShuffledOrder) {
  const Labels labels = labels_of({300, 300});
  const Split split = split_rows({.labels = labels, .classes = kTwo}, {});
  EXPECT_FALSE(std::ranges::is_sorted(split.train));
  EXPECT_TRUE(std::ranges::is_sorted(split.test));
  const auto first = std::vector<std::uint32_t>(split.train.begin(), split.train.begin() + 100);
  EXPECT_NEAR(static_cast<double>(counts_in(labels, first, 2)[0]), 50, 20);
}

TEST(RandomSplit, IsPinned) {
  Labels labels;
  for (int i = 0; i < 20; ++i) labels.push_back(i % 3 == 0 ? 1 : 0);
  const Split split = split_rows({.labels = labels, .classes = kTwo}, {.seed = 7});
  EXPECT_EQ(split.train, (std::vector<std::uint32_t>{18, 19, 2, 0, 7, 15, 8, 17, 9, 16, 13, 14}));
  EXPECT_EQ(split.validation, (std::vector<std::uint32_t>{5, 6, 10, 12}));
  EXPECT_EQ(split.test, (std::vector<std::uint32_t>{1, 3, 4, 11}));
}

TEST(LimitedSplit, TakesTheFirstRowsOfRandomsTraining) {
  const Labels labels = labels_of({2000, 1000});
  const SplitInput input{.labels = labels, .classes = kTwo};
  const Split random = split_rows(input, {.seed = 3});
  const Split limited = split_rows(input, {.kind = SplitKind::limited, .seed = 3});
  EXPECT_EQ(limited.validation, random.validation);
  EXPECT_EQ(limited.test, random.test);
  EXPECT_EQ(limited.train, std::vector<std::uint32_t>(random.train.begin(), random.train.begin() + 1000));
  EXPECT_EQ(split_rows(input, {.kind = SplitKind::limited, .seed = 3, .limit = 5000}), random);
}

TEST(ExtrapolationSplit, MedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  const Labels labels = {0, 1, 0, 1, 0, 0, 1, 1};
  const std::vector<double> norms = {1, 2, 5, 6, 7, 8, 3, 9};  // median 5.5
  const Split split =
      split_rows({.labels = labels, .classes = kTwo, .norms = norms}, {.kind = SplitKind::extrapolation});
  EXPECT_EQ(split.train, (std::vector<std::uint32_t>{0, 1, 2, 6}));
}

TEST(ExtrapolationSplit, MedianRowOfAnOddNumberTrains) {
  const Labels labels = {0, 1, 0, 1, 0, 0, 1, 1, 0};
  const std::vector<double> norms = {1, 2, 5, 6, 6.5, 8, 9, 7, 7};
  const Split split =
      split_rows({.labels = labels, .classes = kTwo, .norms = norms}, {.kind = SplitKind::extrapolation});
  EXPECT_EQ(split.train, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(ExtrapolationSplit, TestsOnFourFifthsOfTheFarHalf) {
  Labels labels;
  std::vector<double> norms;
  for (int i = 0; i < 200; ++i) {
    labels.push_back(i % 4 == 0 ? 1 : 0);
    norms.push_back(i);
  }
  const Split split =
      split_rows({.labels = labels, .classes = kTwo, .norms = norms}, {.kind = SplitKind::extrapolation});
  EXPECT_EQ(counts_in(labels, split.test, 2), (Counts{60, 20}));
  EXPECT_EQ(counts_in(labels, split.validation, 2), (Counts{15, 5}));
}

TEST(ExtrapolationSplit, NamesTheClassMissingInTheNearHalf) {
  const Labels labels = {0, 0, 0, 1, 1, 1};
  const std::vector<double> norms = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(
      data_error({.labels = labels, .classes = kTwo, .norms = norms}, {.kind = SplitKind::extrapolation}),
      "class 'yes' has 0 rows with a norm at or below the threshold; the split needs 1 (rows per class there: 'no' "
      "3, 'yes' 0); merge or drop the class, or choose another split");
}

TEST(RandomSplit, OffersARegressionWhereTheClassesAreNumbers) {
  const Labels labels = {0, 0, 0, 0, 1, 1, 1, 1, 2};
  const std::vector<std::string> counts = {"0", "1", "2"};
  const std::string message = data_error({.labels = labels, .classes = counts}, {.kind = SplitKind::random});
  EXPECT_TRUE(message.ends_with("or choose another split; task=regress predicts the number")) << message;
}

TEST(ByColumnSplit, TrainsUpToTheLinearQuantile) {
  const Labels labels = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  const std::vector<double> year = {2010, 2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019, 2020};
  const SplitInput input{.labels = labels, .classes = kTwo, .column = year};
  EXPECT_EQ(split_rows(input, {.kind = SplitKind::by_column, .quantile = 0.3}).train,
            (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(split_rows(input, {.kind = SplitKind::by_column, .quantile = 0.35}).train,
            (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_THROW(split_rows(input, {.kind = SplitKind::by_column, .quantile = 1.5}), ConfigError);
}

TEST(ByColumnSplit, RefusesGaps) {
  const Labels labels = {0, 1, 0, 1};
  const std::vector<double> column = {1, std::numeric_limits<double>::quiet_NaN(), 2, 3};
  EXPECT_EQ(data_error({.labels = labels, .classes = kTwo, .column = column}, {.kind = SplitKind::by_column}),
            "the split column has no finite value in 1 of 4 rows; choose a column without gaps");
}

// The domains a, b and c have 40 rows each, in turn. A quarter of the rows of each domain are 'yes'.
struct Sites {
  Labels labels;
  std::vector<std::uint32_t> domains;
  std::vector<std::string> names = {"a", "b", "c"};

  Sites() {
    for (std::uint32_t row = 0; row < 120; ++row) {
      domains.push_back(row % 3);
      labels.push_back(row / 3 % 4 == 0 ? 1 : 0);
    }
  }
  SplitInput input() const { return {.labels = labels, .classes = kTwo, .domains = domains, .domain_names = names}; }
  std::vector<std::uint32_t> rows_of(const std::vector<std::uint32_t>& wanted) const {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < domains.size(); ++row) {
      if (std::ranges::find(wanted, domains[row]) != wanted.end()) rows.push_back(row);
    }
    return rows;
  }
};

TEST(DomainSplit, TestsOnTheNamedDomainsAndCutsTheOthersAsRandomDoes) {
  const Sites sites;
  const Split split = split_rows(sites.input(), {.kind = SplitKind::domain, .test_domains = {"b"}});
  EXPECT_EQ(split.test, sites.rows_of({1}));
  EXPECT_EQ(counts_in(sites.labels, split.validation, 2), (Counts{12, 4}));  // ceil(80 / 5)
  EXPECT_EQ(counts_in(sites.labels, split.train, 2), (Counts{48, 16}));
  auto others = split.train;
  others.insert(others.end(), split.validation.begin(), split.validation.end());
  std::ranges::sort(others);
  EXPECT_EQ(others, sites.rows_of({0, 2}));
  EXPECT_FALSE(std::ranges::is_sorted(split.train)) << "fixed batches must mix domains and classes";
  const Split two = split_rows(sites.input(), {.kind = SplitKind::domain, .test_domains = {"c", "a", "c"}});
  EXPECT_EQ(two.test, sites.rows_of({0, 2}));
}

TEST(DomainSplit, AnotherSeedCutsTheSameRowsOtherwise) {
  const Sites sites;
  const auto split = [&](std::uint64_t seed) {
    return split_rows(sites.input(), {.kind = SplitKind::domain, .seed = seed, .test_domains = {"b"}});
  };
  EXPECT_EQ(split(5), split(5));
  EXPECT_EQ(split(5).test, split(6).test);
  EXPECT_NE(split(5).validation, split(6).validation);
}

TEST(DomainSplit, SeedsLeaveOutOneDomainAfterTheOther) {
  const Sites sites;
  for (const std::uint64_t seed : {0ULL, 1ULL, 2ULL, 3ULL, 7ULL, ~0ULL}) {
    const Split split = split_rows(sites.input(), {.kind = SplitKind::domain, .seed = seed});
    EXPECT_EQ(split.test, sites.rows_of({static_cast<std::uint32_t>(seed % 3)})) << seed;
  }
}

TEST(DomainSplit, KnowsNumbersByTheirValue) {
  const std::vector<std::string> years = {"2003", "2004", "1e3"};
  EXPECT_EQ(left_out_domains(years, {.test_domains = {"2004.0"}}), std::vector<std::uint32_t>{1});
  EXPECT_EQ(left_out_domains(years, {.test_domains = {"1e3"}}), std::vector<std::uint32_t>{2}) << "a word as it stands";
}

TEST(DomainSplit, RefusesDomainsThatCannotBeLeftOut) {
  Sites sites;
  const auto error = [&](const std::vector<std::string>& wanted) {
    return data_error(sites.input(), {.kind = SplitKind::domain, .test_domains = wanted});
  };
  EXPECT_EQ(error({"a", "d"}), "there is no domain 'd' to test on; the domains are 'a', 'b' and 'c'");
  EXPECT_EQ(error({"a", "b", "c"}), "all 3 domains are test domains; leave one or more to train on");
  for (int i = 0; i < 9; ++i) sites.names.push_back("more" + std::to_string(i));
  EXPECT_TRUE(
      error({""}).ends_with("the domains are 'a', 'b', 'c', 'more0', 'more1', 'more2', 'more3', 'more4', "
                            "'more5', 'more6' and 2 more"))
      << error({""});
  sites.domains.assign(120, 0);
  sites.names = {"a"};
  EXPECT_EQ(error({}), "all rows are of one domain, 'a'; the split needs two or more domains");
}

TEST(DomainSplit, NeedsEachClassOutsideTheTestDomainsAndNotInside) {
  Sites sites;
  for (std::size_t row = 0; row < 120; ++row) sites.labels[row] = sites.domains[row] == 1 ? 1 : 0;
  EXPECT_EQ(data_error(sites.input(), {.kind = SplitKind::domain, .test_domains = {"b"}}),
            "class 'yes' has 0 rows outside the test domains; the split needs 2 (rows per class there: 'no' 80, 'yes' "
            "0); merge or drop the class, or choose another split");
  const Split split = split_rows(sites.input(), {.kind = SplitKind::domain, .test_domains = {"a"}});
  EXPECT_EQ(counts_in(sites.labels, split.test, 2), (Counts{40, 0})) << "a new place may miss a class";
}

TEST(LabelledSplit, FollowsTheRows) {
  const Labels labels = {0, 1, 0, 1, 0};
  const std::vector<std::string> words = {"train", "train", "test", "validation", "test"};
  const auto parts = parse_parts(words);
  const Split split = split_rows({.labels = labels, .classes = kTwo, .parts = parts}, {.kind = SplitKind::labels});
  EXPECT_EQ(split, (Split{.train = {0, 1}, .validation = {3}, .test = {2, 4}}));
}

TEST(LabelledSplit, NamesTheRowWithAnotherWord) {
  const std::vector<std::string> words = {"train", "tset"};
  try {
    parse_parts(words);
    FAIL() << "must throw";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "row 2 of the split column says 'tset'; use train, validation or test");
  }
}

TEST(NoSplit, TrainsOnEveryRowInOrder) {
  const Labels labels = {0, 1, 0};
  const Split split = split_rows({.labels = labels, .classes = kTwo}, {.kind = SplitKind::none});
  EXPECT_EQ(split, (Split{.train = {0, 1, 2}, .validation = {}, .test = {}}));
}

TEST(AnySplit, RefusesOneClass) {
  const Labels labels = {1, 1, 1};
  for (const auto kind : {SplitKind::random, SplitKind::none}) {
    EXPECT_EQ(data_error({.labels = labels, .classes = kTwo}, {.kind = kind}),
              "the target needs two classes, but the rows per class are 'no' 0, 'yes' 3; check the target column");
  }
}

TEST(RandomSplit, RefusesAClassOfTwoRows) {
  const Labels labels = labels_of({50, 2});
  EXPECT_EQ(data_error({.labels = labels, .classes = kTwo}, {}),
            "class 'yes' has 2 rows in all; the split needs 3 (rows per class there: 'no' 50, 'yes' 2); merge or drop "
            "the class, or choose another split");
}

TEST(RandomSplit, RefusesManyRareClassesInALineThatPeopleCanRead) {
  const Labels labels = labels_of(std::vector<std::size_t>(999, 1));
  std::vector<std::string> names;
  for (int k = 0; k < 999; ++k) names.push_back("class " + std::to_string(k));
  const std::string line = data_error({.labels = labels, .classes = names}, {});
  EXPECT_LT(line.size(), 400U);
  EXPECT_NE(line.find("'class 4' 1 and 994 more)"), std::string::npos) << line;
}

TEST(LimitedSplit, RefusesTrainingRowsWithoutAClass) {
  const Labels labels = labels_of({5000, 3});
  const std::string message =
      data_error({.labels = labels, .classes = kTwo}, {.kind = SplitKind::limited, .limit = 10});
  EXPECT_NE(message.find("class 'yes' has 0 rows among the first 10 training rows"), std::string::npos) << message;
}

// Groups of two rows. Group g has the rows 2 g and 2 g + 1.
struct Pairs {
  Labels labels;
  std::vector<std::uint32_t> groups;
  std::vector<std::string> names;
  std::vector<double> values;

  explicit Pairs(std::size_t count) {
    for (std::uint32_t g = 0; g < count; ++g) {
      names.push_back("p" + std::to_string(g));
      for (int i = 0; i < 2; ++i) {
        labels.push_back(g % 2 == 0 ? 0 : 1);
        groups.push_back(g);
        values.push_back(g);
      }
    }
  }
  SplitInput input() const {
    return {.labels = labels,
            .classes = kTwo,
            .norms = values,
            .column = values,
            .parts = {},
            .groups = groups,
            .group_names = names};
  }
};

TEST(GroupedRandomSplit, HoldsOutAFifthOfTheGroups) {
  const Pairs pairs(20);
  const Split split = split_rows(pairs.input(), {});
  EXPECT_EQ(counts_in(pairs.labels, split.test, 2), (Counts{4, 4}));        // 4 of 20 groups
  EXPECT_EQ(counts_in(pairs.labels, split.validation, 2), (Counts{4, 4}));  // 4 of 16
  EXPECT_EQ(split.train.size(), 24U);
}

TEST(GroupedRandomSplit, AGroupIsOfTheRarestClassOfItsRows) {
  // Six groups have nine 'no' and one 'yes', and 24 groups have only 'no'. A fifth of each kind is in test.
  Labels labels;
  std::vector<std::uint32_t> groups;
  std::vector<std::string> names;
  for (std::uint32_t g = 0; g < 30; ++g) {
    names.emplace_back("p");
    for (int i = 0; i < 10; ++i) {
      labels.push_back(g % 5 == 0 && i == 9 ? 1 : 0);
      groups.push_back(g);
    }
  }
  const SplitInput input{.labels = labels, .classes = kTwo, .groups = groups, .group_names = names};
  const Split split = split_rows(input, {});
  EXPECT_EQ(counts_in(labels, split.test, 2), (Counts{59, 1}));
  EXPECT_EQ(counts_in(labels, split.validation, 2), (Counts{49, 1}));
  EXPECT_EQ(counts_in(labels, split.train, 2), (Counts{186, 4}));
}

TEST(GroupedRandomSplit, TrainsInAnOrderThatMixesGroups) {
  const Pairs pairs(200);
  const Split split = split_rows(pairs.input(), {});
  std::size_t neighbours = 0;
  for (std::size_t i = 1; i < split.train.size(); ++i) {
    neighbours += pairs.groups[split.train[i]] == pairs.groups[split.train[i - 1]] ? 1 : 0;
  }
  EXPECT_LT(neighbours, 10U);
}

TEST(GroupedLimitedSplit, TakesTheFirstRowsAndLeavesTheRestOfTheirGroupsOut) {
  const Pairs pairs(200);
  const Split random = split_rows(pairs.input(), {});
  const Split limited = split_rows(pairs.input(), {.kind = SplitKind::limited, .limit = 25});
  EXPECT_EQ(limited.train, std::vector<std::uint32_t>(random.train.begin(), random.train.begin() + 25));
  EXPECT_EQ(limited.validation, random.validation);
  EXPECT_EQ(limited.test, random.test);
}

TEST(GroupedExtrapolationSplit, AGroupIsAsFarAsTheMedianOfItsRows) {
  // The medians are 1, 2, 3, 4, 50, 60, 70, 80. One far row does not make group 0 far.
  const std::vector<double> medians = {1, 2, 3, 4, 50, 60, 70, 80};
  Labels labels;
  std::vector<std::uint32_t> groups;
  std::vector<std::string> names;
  std::vector<double> norms;
  for (std::uint32_t g = 0; g < medians.size(); ++g) {
    names.emplace_back("p");
    for (const double norm : {medians[g] - 0.5, medians[g], g == 0 ? 1000 : medians[g] + 0.5}) {
      labels.push_back(g % 2 == 0 ? 0 : 1);
      groups.push_back(g);
      norms.push_back(norm);
    }
  }
  const SplitInput input{.labels = labels,
                         .classes = kTwo,
                         .norms = norms,
                         .column = norms,
                         .parts = {},
                         .groups = groups,
                         .group_names = names};
  const std::vector<std::uint32_t> near = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  EXPECT_EQ(split_rows(input, {.kind = SplitKind::extrapolation}).train, near);
  EXPECT_EQ(split_rows(input, {.kind = SplitKind::by_column, .quantile = 0.5}).train, near);
}

TEST(GroupedSplit, RefusesTooFewGroupsOfAClass) {
  const Pairs pairs(4);
  EXPECT_EQ(data_error(pairs.input(), {}),
            "class 'no' has 2 groups in all; the split needs 3 (groups per class there: 'no' 2, 'yes' 2); merge or "
            "drop the class, or choose another split");
}

TEST(GroupedSplit, RefusesAPartWithoutAClass) {
  // All rows with 'no' are in one group with a 'yes'. So every group counts as 'yes', and the cut sees no 'no'.
  Labels labels = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  std::vector<std::uint32_t> groups(11, 0);
  for (std::uint32_t g = 1; g < 9; ++g) {
    labels.push_back(1);
    groups.push_back(g);
  }
  const std::vector<std::string> names(9, "p");
  const std::string message =
      data_error({.labels = labels, .classes = kTwo, .groups = groups, .group_names = names}, {});
  EXPECT_NE(message.find("class 'no' has 0 rows among the"), std::string::npos) << message;
}

TEST(GroupedDomainSplit, KeepsGroupsWholeBesideTheTestDomains) {
  const Pairs pairs(60);
  std::vector<std::uint32_t> domains;
  for (const auto group : pairs.groups) domains.push_back(group % 3);
  const std::vector<std::string> names = {"a", "b", "c"};
  SplitInput input = pairs.input();
  input.domains = domains;
  input.domain_names = names;
  const Split split = split_rows(input, {.kind = SplitKind::domain, .test_domains = {"b"}});
  EXPECT_EQ(split.test.size(), 40U);
  EXPECT_EQ(counts_in(pairs.labels, split.validation, 2), (Counts{8, 8}));  // 8 of 40 groups
  EXPECT_EQ(split.train.size(), 64U);
  for (const auto row : split.train) EXPECT_FALSE(std::ranges::binary_search(split.validation, row ^ 1U)) << row;
  domains[7] = 1;  // a row of group 3
  EXPECT_EQ(
      data_error(input, {.kind = SplitKind::domain, .test_domains = {"b"}}),
      "group 'p3' has rows outside the test domains and rows inside the test domains; a group belongs to one part");
}

TEST(GroupedLabelledSplit, NamesTheGroupThatStraddles) {
  Pairs pairs(2);
  const std::vector<Part> parts = {Part::train, Part::train, Part::train, Part::test};
  SplitInput input = pairs.input();
  input.parts = parts;
  EXPECT_EQ(data_error(input, {.kind = SplitKind::labels}),
            "group 'p1' has rows labelled train and rows labelled test; a group belongs to one part");
}

TEST(RowNorms, SumInDouble) {
  Inputs inputs(2, 3);
  inputs(0, 0) = 3;
  inputs(0, 2) = -4;
  inputs(1, 1) = 1e30F;  // its square is not a float
  const auto norms = row_norms(inputs);
  EXPECT_EQ(norms[0], 5.0);
  EXPECT_EQ(norms[1], static_cast<double>(1e30F));
}

}  // namespace
}  // namespace perpend
