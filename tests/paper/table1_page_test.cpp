#include "paper/table1_page.h"

#include <gtest/gtest.h>

#include "tests/study/table_folder.h"

namespace perpend::paper {
namespace {

using test::contains;

Summary mean_of(double mean) { return {.count = 3, .undefined = 0, .mean = mean, .sd = {}, .standard_error = {}}; }

TEST(Table1Page, ACellAgreesWithinThePapersSdAndItsRounding) {
  const PrintedFigure printed{".95", ".03"};
  EXPECT_TRUE(within_printed_sd(mean_of(0.985), printed));
  EXPECT_FALSE(within_printed_sd(mean_of(0.9851), printed));
  EXPECT_TRUE(within_printed_sd(mean_of(0.915), printed));
  EXPECT_FALSE(within_printed_sd(mean_of(0.914), printed));
  EXPECT_TRUE(within_printed_sd(mean_of(0.96), {"1.0", ""}));
  EXPECT_FALSE(within_printed_sd(mean_of(0.94), {"1.0", ""}));
  EXPECT_FALSE(within_printed_sd({}, printed));
  EXPECT_FALSE(within_printed_sd(mean_of(0.9), {"", ""}));
}

// In ionosphere's two restarts, LIT is ahead once and behind once.
TEST(Table1Page, RanksAMethodInEachRestartAmongAllMethods) {
  const StudyFolder folder = test::filled_folder();
  const Summary lit = mean_rank(folder, 0, SplitKind::random, Method::lit);
  EXPECT_EQ(lit.count, 2U);
  EXPECT_EQ(lit.mean, 1);
  EXPECT_EQ(mean_rank(folder, 0, SplitKind::random, Method::restarts).mean, 2);
  // Equal AUCs share their ranks.
  EXPECT_EQ(mean_rank(folder, 1, SplitKind::random, Method::lit).mean, 1.5);
  EXPECT_EQ(mean_rank(folder, 0, SplitKind::extrapolation, Method::lit).count, 0U);
}

TEST(Table1Page, LeavesARestartOutOfTheRanksUntilAllMethodsAreIn) {
  StudyFolder folder = test::filled_folder();
  std::erase_if(folder.results, [](const StudyResult& result) { return result.trial == 3; });  // restarts, restart 1
  EXPECT_EQ(mean_rank(folder, 0, SplitKind::random, Method::lit).count, 1U);
}

TEST(Table1Page, CountsWallTimeWithoutPausesAndOverlaps) {
  StudyFolder folder = test::small_folder();
  const auto add = [&](std::size_t trial, double seconds, double processor, double finished) {
    StudyResult& result = test::add_result(folder, trial, 0.9, 0.9);
    result.seconds = seconds;
    result.processor = processor;
    result.finished = finished;
  };
  add(0, 10, 4, 110);  // 100 to 110
  add(1, 10, 5, 115);  // 105 to 115
  add(2, 5, 5, 1000);  // 995 to 1000
  const StudyClock clock = clock_of(folder);
  EXPECT_EQ(clock.worked, 14);
  EXPECT_EQ(clock.wall, 20);
  EXPECT_EQ(clock.longest, 5);
  EXPECT_GT(clock.all, clock.worked);
  EXPECT_EQ(clock_of(test::small_folder()).wall, 0);
}

TEST(Table1Page, SaysHowMuchIsInAndWhatItIsBesideThePaper) {
  StudyFolder folder = test::filled_folder();
  const std::string whole = table1_page(folder);
  EXPECT_TRUE(contains(whole, "All 12 of 12 ensembles are in, 1 diverged."));
  EXPECT_TRUE(
      contains(whole, "| ionosphere | restarts | 0.940 ± 0.014 | .95 ± .03 | yes | 0.80 ± 0.14 | .9 ± .1 | yes |"))
      << whole;
  folder.results.pop_back();
  EXPECT_TRUE(contains(table1_page(folder), "11 of 12 ensembles are in, 1 diverged. The run is not complete"));
}

}  // namespace
}  // namespace perpend::paper
