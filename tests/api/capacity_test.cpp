#include "perpend/api/capacity.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/data/source.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

// One restart without the ridge takes a second.
MeasuredCapacity of(const std::string& name, std::uint64_t seed = 0, int most = 8,
                    const std::string& manifold = "auto") {
  CapacityOptions options;
  options.run.schema.target = "target";
  options.run.train.seed = seed;
  options.manifold = manifold;
  options.settings.restarts = 1;
  options.settings.ridge = false;
  options.settings.most = most;
  return capacity(read_source("builtin:" + name, ""), options);
}

// benchmarks/capacity.py --known counts ten seeds of each.
TEST(Capacity, CountsThePlantedModels) {
  for (const std::size_t models : {1U, 2U, 3U, 5U}) {
    const auto name = "planted-" + std::to_string(models);
    EXPECT_EQ(of(name, 100 + models).number, models) << name;
  }
}

TEST(Capacity, OfAShortcutIsTwoAndOfThreeBlocksThree) {
  EXPECT_EQ(of("shortcut").number, 2U);
  EXPECT_EQ(of("blocks").number, 3U);
}

TEST(Capacity, CountsCopiesOfAColumnOnlyInTheWholeInputSpace) {
  const Capacity found = of("blocks", 0, 5, "none");
  EXPECT_EQ(found.number, 5U);
  EXPECT_TRUE(found.at_least);
  EXPECT_NE(reading(found).find("at least 5 independent explanations"), std::string::npos) << reading(found);
}

TEST(Capacity, SaysThatTheBoundaryIsDetermined) {
  const std::string said = reading(of("planted-1", 7, 3));
  EXPECT_TRUE(
      said.starts_with("The data hold 1 explanation (95 % interval 1 to 1): with a second one, the weakest loses "))
      << said;
  EXPECT_NE(said.find("The data determine the boundary."), std::string::npos) << said;
}

TEST(Capacity, IsNothingWhereNothingCanBeLearned) {
  CapacityOptions options;
  options.run.schema.target = "target";
  options.run.schema.drop = {"group_1a", "group_1b"};  // only noise is left
  options.settings = {.most = 2, .restarts = 3, .ridge = false};
  const Capacity found = capacity(read_source("builtin:planted-1", ""), options);
  EXPECT_EQ(found.number, 0U) << found.alone;
  EXPECT_NE(reading(found).find("not better than a guess"), std::string::npos) << reading(found);
}

TEST(Capacity, GivesTheBestLambdaOfEachNumberOfNetworks) {
  CapacityOptions options;
  options.run.schema.target = "target";
  options.settings = {.most = 2, .restarts = 2};
  const Capacity found = capacity(read_source("builtin:quadrants", ""), options);
  ASSERT_EQ(found.rows.size(), 2U);
  EXPECT_EQ(found.ridge.size(), 12U);
  for (const auto& cell : found.ridge) {
    if (cell.members == 2 && best_lambda(found, 2) == cell.lambda) continue;
    EXPECT_EQ(cell.cos2.has_value(), cell.members == 2);
  }
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_EQ(json["capacity"], 2);
  EXPECT_EQ(json["members"][1]["counts"].size(), 2U);
  EXPECT_EQ(json["members"][1]["best_lambda"], *best_lambda(found, 2));
  EXPECT_TRUE(json["members"][0]["best_lambda"].is_null());
}

TEST(Capacity, IsTheSameOnAnyNumberOfThreads) {
  CapacityOptions options;
  options.run.schema.target = "y";
  options.settings = {.most = 2, .restarts = 2, .ridge = false};
  options.run.train.threads = 1;
  const std::string one = to_json(capacity(test::small_table(), options));
  options.run.train.threads = 4;
  EXPECT_EQ(to_json(capacity(test::small_table(), options)), one);
}

TEST(Capacity, CountsOnANumberAndOnThreeClasses) {
  CapacityOptions options;
  options.run.schema.target = "y";
  options.settings = {.most = 2, .restarts = 1, .ridge = false};
  const Capacity classes = capacity(test::small_table(120, 3), options);
  EXPECT_EQ(classes.measure, "accuracy");
  EXPECT_GE(classes.number, 1U);
  std::string text = "a,b,y\n";
  for (int i = 0; i < 150; ++i) {
    const int a = i * 37 % 101;
    text += std::to_string(a) + "," + std::to_string(i * 53 % 97) + "," + std::to_string(3 * a + i % 5) + ".5\n";
  }
  const Capacity numbers = capacity(read_csv(bytes_in_memory("numbers.csv", text)), options);
  EXPECT_EQ(numbers.measure, "R²");
  EXPECT_EQ(numbers.number, 1U);
}

TEST(Capacity, RefusesABasisPerRow) {
  CapacityOptions options;
  options.run.schema.target = "y";
  options.manifold = "local-pca:1";
  EXPECT_THROW(capacity(test::small_table(), options), ConfigError);
}

class StopsAtOnce final : public CapacityCallback {
 public:
  bool stop_requested() override { return true; }
};

TEST(Capacity, CanBeStopped) {
  CapacityOptions options;
  options.run.schema.target = "y";
  StopsAtOnce callback;
  const MeasuredCapacity found = capacity(test::small_table(), options, &callback);
  EXPECT_TRUE(found.stopped);
  EXPECT_TRUE(found.rows.empty());
}

}  // namespace
}  // namespace perpend
