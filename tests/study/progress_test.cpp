#include <gtest/gtest.h>

#include "perpend/study/best_so_far.h"
#include "tests/study/folders.h"

namespace perpend {
namespace {

using test::add_diverged;
using test::add_result;
using test::empty_folder;

// 200 trials of restarts with one member, cost 1.
StudyFolder long_study() { return empty_folder({"a"}, {Method::restarts}, {.members = {1}}, 200); }

void add_timed(StudyFolder& folder, std::size_t trial, double seconds, double finished) {
  auto& result = add_result(folder, trial, 0.5, 0.5);
  result.seconds = seconds;
  result.finished = finished;
}

TEST(Progress, CountsDoneDivergedAndLeftSoThatTheyAddUp) {
  StudyFolder folder =
      empty_folder({"a"}, {Method::lit}, {.members = {5}, .lambdas = {{Method::lit, {0.1, 1, 10}}}}, 2);
  add_result(folder, 0, 0.9, 0.8);
  add_result(folder, 1, 0.9, 0.8);
  add_diverged(folder, 2);
  const Progress found = progress(folder, 1e9);
  EXPECT_EQ(found.trials, 6U);
  EXPECT_EQ(found.done, 2U);
  EXPECT_EQ(found.diverged, 1U);
  EXPECT_EQ(found.left, 3U);
}

TEST(Progress, OfAnEmptyStudyHasNoRate) {
  const Progress found = progress(long_study(), 1000);
  EXPECT_EQ(found.left, 200U);
  EXPECT_FALSE(found.trials_per_second);
  EXPECT_FALSE(found.eta_seconds);
}

TEST(Progress, RateCountsFromTheFirstBeginToNow) {
  StudyFolder folder = long_study();
  // Two trials run at once, ten seconds each, from 1000 on.
  for (std::size_t i = 0; i < 10; ++i) add_timed(folder, i, 10, 1010 + 10 * static_cast<double>(i / 2));
  const Progress found = progress(folder, 1050);
  ASSERT_TRUE(found.trials_per_second);
  EXPECT_DOUBLE_EQ(*found.trials_per_second, 10.0 / 50);
  EXPECT_DOUBLE_EQ(*found.eta_seconds, 190 * 10 / 2.0);
  // The rate includes waiting.
  EXPECT_DOUBLE_EQ(*progress(folder, 1060).trials_per_second, 10.0 / 60);
}

TEST(Progress, RateIsThatOfTheLastHundred) {
  StudyFolder folder = long_study();
  for (std::size_t i = 0; i < 40; ++i) add_timed(folder, i, 10, 10 * static_cast<double>(i + 1));         // slow
  for (std::size_t i = 40; i < 150; ++i) add_timed(folder, i, 1, 400 + static_cast<double>(i - 40 + 1));  // fast
  EXPECT_DOUBLE_EQ(*progress(folder, 510).trials_per_second, 1);
}

TEST(Progress, LeavesOutTheNightBetweenTwoSweeps) {
  StudyFolder folder = long_study();
  for (std::size_t i = 0; i < 50; ++i) add_timed(folder, i, 1, static_cast<double>(i + 1));
  for (std::size_t i = 50; i < 60; ++i) add_timed(folder, i, 1, 40000 + static_cast<double>(i - 50 + 1));
  const Progress found = progress(folder, 40010);
  EXPECT_DOUBLE_EQ(*found.trials_per_second, 1);
  EXPECT_DOUBLE_EQ(*found.eta_seconds, 140);
}

TEST(Progress, HasNoRateWhenNothingWasFinishedLately) {
  StudyFolder folder = long_study();
  add_timed(folder, 0, 1, 1000);
  EXPECT_TRUE(progress(folder, 1060).trials_per_second);
  EXPECT_FALSE(progress(folder, 2000).trials_per_second);
  EXPECT_FALSE(progress(folder, 2000).eta_seconds);
  // A trial of half an hour can be silent for ten minutes.
  folder.results[0].seconds = 1800;
  EXPECT_TRUE(progress(folder, 2000).trials_per_second);
}

TEST(Progress, TimeLeftWeighsTrialsByMembersAndByTheSpeedOfTheirData) {
  StudyFolder folder = empty_folder({"wide", "narrow"}, {Method::restarts}, {.members = {2, 10}}, 1);
  add_timed(folder, 0, 20, 120);  // wide, M 2: 10 s per member
  add_timed(folder, 2, 2, 122);   // narrow, M 2: 1 s per member
  // One thread has trials of 10 x 10 s and 10 x 1 s left.
  EXPECT_NEAR(*progress(folder, 122).eta_seconds, 110, 1e-9);
}

TEST(Progress, OfADoneStudyIsNoTimeLeft) {
  StudyFolder folder = empty_folder({"a"}, {Method::restarts}, {.members = {5}}, 1);
  add_timed(folder, 0, 1, 1000);
  EXPECT_EQ(progress(folder, 1e6).eta_seconds, 0);
  EXPECT_EQ(progress(folder, 1000).eta_seconds, 0);
  EXPECT_EQ(progress(folder, 1e6).left, 0U);
}

TEST(BestSoFar, IsByValidationForEachDataSetAndSplit) {
  StudyFolder folder = empty_folder({"a", "b"}, {Method::lit}, {.members = {5}, .lambdas = {{Method::lit, {0.1, 1}}}},
                                    1, {SplitKind::random, SplitKind::extrapolation});
  add_result(folder, 0, 0.8, 0.99);
  add_result(folder, 1, 0.9, 0.5);
  add_diverged(folder, 2);
  add_result(folder, 4, 0.7, 0.5);
  add_result(folder, 5, 0.7, 0.9);
  EXPECT_EQ(best_so_far(folder), (std::vector<std::size_t>{1, 3}));
}

}  // namespace
}  // namespace perpend
