#include "perpend/api/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::small_options;
using test::small_table;

CompareOptions quick() {
  CompareOptions options;
  options.run = small_options();
  options.run.train.epochs = 2;
  options.splits = {SplitKind::random};
  options.members = {2};
  options.lambdas = {0.5};
  options.restarts = 2;
  return options;
}

TEST(Compare, TrainsEveryMethodOnTheSameSplits) {
  const Compared found = compare(small_table(), quick());
  EXPECT_EQ(found.restarts, 2U);
  EXPECT_EQ(found.results.size() % 2, 0U);
  ASSERT_EQ(found.summaries.size(), 1U);
  EXPECT_GE(found.summaries[0].methods.size(), 6U);
  EXPECT_EQ(found.epochs_share, 1);
  EXPECT_FALSE(reading(found.summaries[0]).empty());
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_EQ(json["splits"].size(), 1U);
  EXPECT_FALSE(json["options"].contains("method"));
  EXPECT_TRUE(json["budget_seconds"].is_null());
}

TEST(Compare, CutsEpochsToABudgetAndFinishesOneRestart) {
  CompareOptions options = quick();
  options.run.train.epochs = 20000;
  options.restarts = 5;
  options.seconds = 0.5;
  const Compared found = compare(small_table(), options);
  EXPECT_GE(found.restarts, 1U);
  EXPECT_LT(found.epochs_share, 1);
  EXPECT_NE(work_done(found).find("% of the epochs"), std::string::npos) << work_done(found);
}

TEST(Compare, KeepsFinishedRestartsWhenItIsStopped) {
  class Stopper : public CompareCallback {
   public:
    void on_progress(int restart, std::size_t done, std::size_t trainings, double) override {
      stop_ = restart == 2 && done < trainings;
    }
    bool stop_requested() override { return stop_; }

   private:
    std::atomic<bool> stop_ = false;
  } stopper;
  const Compared found = compare(small_table(), quick(), {.callback = &stopper});
  EXPECT_EQ(found.restarts, 1U);
}

TEST(Compare, TakesADoubledSplitOnce) {
  CompareOptions options = quick();
  options.splits = {SplitKind::random, SplitKind::random};
  options.restarts = 1;
  const Compared found = compare(small_table(), options);
  EXPECT_EQ(found.summaries.size(), 1U);
  options.splits = {SplitKind::random};
  EXPECT_EQ(found.results.size(), compare(small_table(), options).results.size());
}

TEST(Compare, RemarksOnTheLargestNumberOfMembersThatIsTried) {
  struct Listener : CompareCallback {
    void on_prepared(std::span<const TrialData>, const std::vector<std::string>& found) override { remarks = found; }
    bool stop_requested() override { return true; }
    std::vector<std::string> remarks;
  } few, many;
  CompareOptions options = quick();
  options.run.train.members = 77;  // not looked at
  compare(small_table(), options, {.callback = &few});
  options.members = {40, 2};
  compare(small_table(), options, {.callback = &many});
  const auto mentions = [](const Listener& heard, const char* text) {
    return std::ranges::any_of(heard.remarks, [&](const std::string& remark) { return remark.starts_with(text); });
  };
  EXPECT_FALSE(mentions(few, "there are 77 members"));
  EXPECT_TRUE(mentions(many, "there are 40 members"));
}

CompareOptions quick_domains() {
  CompareOptions options = quick();
  options.splits = {SplitKind::domain};
  options.run.domain = "c";
  options.restarts = 4;
  return options;
}

TEST(Compare, RestartsLeaveOutOneDomainAfterTheOther) {
  const Compared found = compare(small_table(), quick_domains());
  ASSERT_EQ(found.restarts, 4U);
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_EQ(json["left_out"], nlohmann::json::parse(R"([["blue"],["green"],["red"],["blue"]])"));
  EXPECT_NE(to_text(found).find("\ndomain split\neach restart leaves one of 3 domains out of training and tests on it: "
                                "'blue', 'green' and 'red'\n"),
            std::string::npos)
      << to_text(found);
}

TEST(Compare, LeavesNamedDomainsOutOfAllRestarts) {
  CompareOptions options = quick_domains();
  options.run.split.test_domains = {"red"};
  options.splits = {SplitKind::random, SplitKind::domain};
  options.restarts = 2;
  const Compared found = compare(small_table(), options);
  EXPECT_EQ(found.left_out.size(), 2U);
  EXPECT_NE(
      to_text(found).find("\ndomain 'red' is left out of training, and its rows are the test rows (1 of 3 domains)\n"),
      std::string::npos)
      << to_text(found);
}

TEST(Compare, RefusesAComingDomainBeforeTheFirstTraining) {
  // Every `yes` is green, so the second restart, which leaves green out, cannot be trained.
  std::string text = "a,c,y\n";
  for (int i = 0; i < 90; ++i) {
    const char* const words[] = {"red,no", "green,yes", "blue,no"};
    text += std::to_string(i % 7) + "," + words[i % 3] + "\n";
  }
  struct Listener : CompareCallback {
    void on_progress(int, std::size_t, std::size_t, double) override { began = true; }
    bool began = false;
  } listener;
  EXPECT_THROW(compare(read_csv(bytes_in_memory("g.csv", text)), quick_domains(), {.callback = &listener}), DataError);
  EXPECT_FALSE(listener.began);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  CompareOptions options = quick();
  options.splits = {SplitKind::none};
  EXPECT_THROW(compare(small_table(), options), ConfigError);
  options = quick();
  options.members = {0};
  EXPECT_THROW(compare(small_table(), options), ConfigError);
  options = quick();
  options.run.split_column = "a";  // used by neither split
  EXPECT_THROW(compare(small_table(), options), ConfigError);
}

}  // namespace
}  // namespace perpend
