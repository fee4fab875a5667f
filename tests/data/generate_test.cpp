#include "perpend/data/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "perpend/base/error.h"

namespace perpend {
namespace {

struct Moments {
  double mean = 0;
  double sd = 0;
};

template <class Value>
Moments moments(const Dataset& set, std::int32_t label, Value value) {
  double n = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t r = 0; r < set.rows(); ++r) {
    if (set.labels[r] != label) continue;
    const double v = value(r);
    ++n;
    sum += v;
    squares += v * v;
  }
  return {sum / n, std::sqrt(squares / n - sum / n * (sum / n))};
}

Moments column(const Dataset& set, std::int32_t label, std::size_t c) {
  return moments(set, label, [&](std::size_t r) { return set.inputs(r, c); });
}

std::vector<float> sorted_column(const Dataset& set, std::size_t c) {
  std::vector<float> values;
  for (std::size_t r = 0; r < set.rows(); ++r) values.push_back(set.inputs(r, c));
  std::ranges::sort(values);
  return values;
}

// FNV-1a over labels and inputs, which gives one number for the bytes of a set.
std::uint64_t fingerprint(const Dataset& set) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint32_t word) { hash = (hash ^ word) * 0x100000001b3; };
  for (std::size_t r = 0; r < set.rows(); ++r) {
    add(static_cast<std::uint32_t>(set.labels[r]));
    for (std::size_t c = 0; c < set.inputs.cols(); ++c) add(std::bit_cast<std::uint32_t>(set.inputs(r, c)));
  }
  return hash;
}

TEST(GeneratedSets, EachHasItsListedRowsAndTwoClassesAndNames) {
  const auto sets = generated_sets();
  EXPECT_TRUE(std::ranges::is_sorted(sets, {}, &GeneratedSet::name));
  for (const auto& listed : sets) {
    const Dataset set = generate(listed.name);
    EXPECT_EQ(set.rows(), listed.rows) << listed.name;
    EXPECT_EQ(set.labels.size(), listed.rows) << listed.name;
    EXPECT_EQ(set.features.size(), set.inputs.cols()) << listed.name;
    EXPECT_EQ(set.classes.size(), 2U) << listed.name;
    const auto positive = std::ranges::count(set.labels, 1);
    EXPECT_NEAR(static_cast<double>(positive) / static_cast<double>(listed.rows), 0.5, 0.05) << listed.name;
  }
}

TEST(GeneratedSets, BytesArePinned) {
  const std::map<std::string_view, std::uint64_t> pinned = {{"blocks", 0xe569e4ae6d3a111a},
                                                            {"blocks-failed", 0xb8834a0a58ad5292},
                                                            {"manifold", 0xadb489c5c7042850},
                                                            {"planted-1", 0xe947b3bbe5a7b6ca},
                                                            {"planted-2", 0xcfa4ec37852edc4d},
                                                            {"planted-3", 0xa10d134da812876b},
                                                            {"planted-5", 0xe0c62c4a7b41b9d8},
                                                            {"quadrants", 0x4a8cc1c5ca04a166},
                                                            {"shortcut", 0xdebb947c8c5c66f0},
                                                            {"shortcut-failed", 0x230e0b2f4c810202},
                                                            {"shortcut-flipped", 0x1d5edcae36b83780},
                                                            {"toy-1", 0x2108177497ecbf5d},
                                                            {"toy-2", 0x13f3a0a761fd6dff},
                                                            {"toy-3", 0xcca4a603287c54c},
                                                            {"toy-4", 0x871104b3f4c4cf83}};
  for (const auto& listed : generated_sets()) {
    EXPECT_EQ(fingerprint(generate(listed.name, {.seed = 11})), pinned.at(listed.name)) << listed.name;
  }
}

TEST(GeneratedSets, SampledSetsOfAnySizeBeginAlike) {
  for (const std::string_view name : {"quadrants", "shortcut", "shortcut-flipped", "blocks", "planted-3"}) {
    const Dataset small = generate(name, {.seed = 4, .rows = 10});
    const Dataset large = generate(name, {.seed = 4, .rows = 50});
    for (std::size_t r = 0; r < 10; ++r) {
      EXPECT_EQ(small.labels[r], large.labels[r]);
      for (std::size_t c = 0; c < small.inputs.cols(); ++c) EXPECT_EQ(small.inputs(r, c), large.inputs(r, c));
    }
  }
}

TEST(GeneratedSets, AGridHasItsOwnNumberOfRows) {
  EXPECT_THROW(generate("toy-1", {.rows = 100}), ConfigError);
  EXPECT_EQ(generate("toy-1", {.rows = 5000}).rows(), 5000U);
}

TEST(GeneratedSets, AnUnknownNameListsTheKnownOnes) {
  try {
    generate("shortcuts");
    FAIL() << "must throw";
  } catch (const DataError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'shortcuts'"), std::string::npos);
    EXPECT_NE(message.find("shortcut-flipped"), std::string::npos);
  }
}

TEST(Quadrants, EitherCoordinateTellsTheClass) {
  const Dataset set = generate("quadrants");
  for (std::size_t r = 0; r < set.rows(); ++r) {
    EXPECT_EQ(set.inputs(r, 0) > 0, set.labels[r] == 1);
    EXPECT_EQ(set.inputs(r, 1) > 0, set.labels[r] == 1);
    EXPECT_LE(std::abs(set.inputs(r, 1)), std::sqrt(3.0));
  }
}

TEST(Shortcut, ColumnsAreDistributedAsPromised) {
  const Dataset set = generate("shortcut", {.seed = 1, .rows = 40000});
  for (const std::int32_t label : {0, 1}) {
    const double y = label == 1 ? 1 : -1;
    const Moments ward = column(set, label, 0);
    EXPECT_NEAR(ward.mean, 2.5 * y, 0.02);
    EXPECT_NEAR(ward.sd, 0.6, 0.01);
    const Moments radius =
        moments(set, label, [&](std::size_t r) { return std::hypot(set.inputs(r, 1), set.inputs(r, 2)); });
    EXPECT_NEAR(radius.mean, label == 1 ? 2.2 : 1.0, 0.01);
    EXPECT_NEAR(radius.sd, 0.25, 0.01);
    const Moments angle =
        moments(set, label, [&](std::size_t r) { return std::atan2(set.inputs(r, 1), set.inputs(r, 2)); });
    EXPECT_NEAR(angle.mean, 0, 0.05);
    EXPECT_NEAR(angle.sd, 3.14159 / std::sqrt(3.0), 0.03);
    for (std::size_t c = 3; c < 8; ++c) {
      EXPECT_NEAR(column(set, label, c).mean, 0, 0.03);
      EXPECT_NEAR(column(set, label, c).sd, 1, 0.03);
    }
  }
}

TEST(Shortcut, FailedTwinHasTheSameWardsInOtherRows) {
  const Dataset failed = generate("shortcut-failed", {.seed = 2});
  Dataset flipped = generate("shortcut-flipped", {.seed = 2});
  for (std::size_t r = 0; r < flipped.rows(); ++r) flipped.inputs(r, 0) = -flipped.inputs(r, 0);
  EXPECT_EQ(sorted_column(failed, 0), sorted_column(flipped, 0));
  EXPECT_NEAR(column(failed, 1, 0).mean, column(failed, 0, 0).mean, 0.4);
  EXPECT_EQ(failed.labels, flipped.labels);
  for (std::size_t r = 0; r < failed.rows(); ++r) {
    for (std::size_t c = 1; c < 8; ++c) EXPECT_EQ(failed.inputs(r, c), flipped.inputs(r, c));
  }
}

TEST(Shortcut, FlippedTwinSaysTheOpposite) {
  const Dataset set = generate("shortcut-flipped", {.rows = 20000});
  EXPECT_NEAR(column(set, 1, 0).mean, -2.5, 0.03);
  EXPECT_NEAR(column(set, 0, 0).mean, 2.5, 0.03);
}

TEST(Shortcut, TwinsShareNoRowWithTheOriginal) {
  const Dataset home = generate("shortcut");
  const Dataset away = generate("shortcut-flipped");
  const auto sodium = sorted_column(home, 1);
  std::size_t shared = 0;
  for (const float v : sorted_column(away, 1)) shared += std::ranges::binary_search(sodium, v) ? 1 : 0;
  EXPECT_LE(shared, 2U);
}

TEST(Planted, TheSumOfAGroupTellsTheClassAndNoiseSaysNothing) {
  const Dataset set = generate("planted-3", {.seed = 5, .rows = 20000});
  EXPECT_EQ(set.features.front(), "group_1a");
  EXPECT_EQ(set.features.back(), "noise_5b");
  for (std::size_t pair = 0; pair < 5; ++pair) {
    std::size_t told = 0;
    for (std::size_t r = 0; r < set.rows(); ++r) {
      told += (set.inputs(r, 2 * pair) + set.inputs(r, 2 * pair + 1) > 0) == (set.labels[r] == 1) ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(told) / 20000, pair < 3 ? 1 : 0.5, pair < 3 ? 1e-3 : 0.02) << pair;
  }
  for (std::size_t c = 0; c < 10; ++c)
    EXPECT_NEAR(moments(set, 1, [&](std::size_t r) { return set.inputs(r, c); }).sd, c < 6 ? 0.79 : 1, 0.03);
}

TEST(Blocks, SensorsRepeatTheirGroupWithNoise) {
  const Dataset set = generate("blocks", {.seed = 3, .rows = 40000});
  for (std::size_t c = 0; c < 12; ++c) {
    EXPECT_NEAR(column(set, 1, c).mean, c < 4 ? 2.6 : 1.8, 0.04);
    EXPECT_NEAR(column(set, 0, c).mean, c < 4 ? -2.6 : -1.8, 0.04);
    EXPECT_NEAR(column(set, 1, c).sd, std::sqrt(1.25), 0.03);
  }
  const auto difference = [&](std::size_t a, std::size_t b) {
    return moments(set, 1, [&](std::size_t r) { return set.inputs(r, a) - set.inputs(r, b); }).sd;
  };
  EXPECT_NEAR(difference(0, 1), 0.5 * std::sqrt(2.0), 0.02);
  EXPECT_NEAR(difference(3, 4), std::sqrt(2.5), 0.04);
}

TEST(Blocks, FailedTwinLosesTheFirstGroupOnlyAndKeepsItTogether) {
  const Dataset set = generate("blocks-failed", {.rows = 20000});
  for (std::size_t c = 0; c < 12; ++c) {
    const double gap = column(set, 1, c).mean - column(set, 0, c).mean;
    EXPECT_NEAR(gap, c < 4 ? 0 : 3.6, 0.15);
  }
  EXPECT_NEAR(moments(set, 1, [&](std::size_t r) { return set.inputs(r, 0) - set.inputs(r, 3); }).sd,
              0.5 * std::sqrt(2.0), 0.02);
}

}  // namespace
}  // namespace perpend
