// Numbers are worked out by hand.
#include "perpend/study/view_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/study/folders.h"

namespace perpend {
namespace {

using test::add_diverged;
using test::add_result;
using test::empty_folder;

// One data set under two splits, with two restarts of six trials: restarts with M 2 and 3, then lit with (M, lambda) of
// (2, 0.1), (2, 1), (3, 0.1) and (3, 1).
StudyFolder folder_of_sizes() {
  return empty_folder({"loans.csv"}, {Method::restarts, Method::lit},
                      {.members = {2, 3}, .lambdas = {{Method::lit, {0.1, 1}}}}, 2,
                      {SplitKind::random, SplitKind::extrapolation});
}

StudyFolder results_of_sizes() {
  StudyFolder folder = folder_of_sizes();
  add_result(folder, 0, 0.90, 0.80, 0.9, 1.0);
  add_result(folder, 1, 0.90, 0.82, 0.9, 1.0);
  add_result(folder, 2, 0.70, 0.75, 0.5, 0.1);  // lit, M 2, lambda 0.1
  add_result(folder, 3, 0.95, 0.90, 0.3, 0.0);
  add_result(folder, 4, 0.60, 0.70, 0.2, 0.0);
  add_result(folder, 5, 0.50, 0.65, {}, 0.0);
  add_result(folder, 6, 0.90, 0.84, 0.8, 0.9);
  add_result(folder, 7, 0.90, 0.86, 0.7, 0.9);
  add_result(folder, 8, 0.99, 0.95, 0.1, 0.2);  // lit, M 2, lambda 0.1, the second restart
  add_diverged(folder, 9);
  add_result(folder, 10, 0.60, 0.90, 0.2, 0.0);
  return folder;  // trial 11 is missing, and all trials of extrapolation
}

const StudyCell* cell_of(const StudyView& view, const char* method, int members, std::optional<double> lambda) {
  const auto found = std::ranges::find_if(view.cells, [&](const StudyCell& cell) {
    return view.methods[cell.method] == method && cell.members == members && cell.lambda == lambda;
  });
  return found == view.cells.end() ? nullptr : &*found;
}

TEST(StudyView, AveragesTheRestartsThatAreIn) {
  const StudyView view = view_study(results_of_sizes(), "first");
  const StudyCell* both = cell_of(view, "LIT", 2, 0.1);
  ASSERT_NE(both, nullptr);
  EXPECT_EQ(both->in, 2U);
  EXPECT_EQ(both->auc.count, 2U);
  EXPECT_DOUBLE_EQ(*both->auc.mean, 0.85);
  EXPECT_NEAR(*both->auc.sd, 0.2 / std::sqrt(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(*both->rho_av.mean, 0.3);
  EXPECT_NEAR(*both->grad_cos2.mean, 0.15, 1e-12);
  EXPECT_EQ(view.places[both->place].split, "random");
}

TEST(StudyView, CountsDivergedTrialsAndAveragesThemNowhere) {
  const StudyView view = view_study(results_of_sizes(), "first");
  const StudyCell* cell = cell_of(view, "LIT", 2, 1);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->in, 2U);
  EXPECT_EQ(cell->diverged, 1U);
  EXPECT_EQ(cell->auc.count, 1U);
  EXPECT_EQ(cell->auc.mean, 0.9);
  EXPECT_FALSE(cell->auc.sd);  // there is only one value
  EXPECT_EQ(view.diverged, 1U);
}

TEST(StudyView, LeavesOutUndefinedValues) {
  const StudyCell* cell = nullptr;
  const StudyView view = view_study(results_of_sizes(), "first");
  cell = cell_of(view, "LIT", 3, 1);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->rho_av.count, 0U);
  EXPECT_FALSE(cell->rho_av.mean);
  EXPECT_TRUE(cell->auc.mean);
}

TEST(StudyView, TakesMeansOverMembersFirst) {
  StudyFolder folder = folder_of_sizes();
  StudyResult& result = add_result(folder, 0, 0.9, 0.8);
  const auto member = [](Metric auc, double accuracy) {
    return Scores{.auc = auc, .accuracy = accuracy, .log_loss = {}, .brier = {}, .ece = {}};
  };
  result.result.test.members = {member(0.6, 0.5), member(0.8, 0.7)};
  add_result(folder, 6, 0.9, 0.8).result.test.members = {member(0.9, 1.0), member({}, 0.6)};
  const StudyView view = view_study(folder, "first");
  const StudyCell* cell = cell_of(view, "Restarts", 2, {});
  ASSERT_NE(cell, nullptr);
  EXPECT_DOUBLE_EQ(*cell->member_auc.mean, 0.8);  // the mean of 0.7 and 0.9
  EXPECT_DOUBLE_EQ(*cell->member_accuracy.mean, 0.7);
}

TEST(StudyView, ChoosesLambdaForEachSizeAmongCompleteRestarts) {
  const StudyView view = view_study(results_of_sizes(), "first");
  const auto size_of = [&](const char* method, int members) {
    return std::ranges::find_if(view.sizes, [&](const StudySize& size) {
      return view.methods[size.method] == method && size.members == members;
    });
  };
  // Restart 0 has lambda 1 (validation 0.95). Restart 1 has lambda 0.1, because the other diverged.
  EXPECT_DOUBLE_EQ(*size_of("LIT", 2)->auc.mean, (0.90 + 0.95) / 2);
  // The second restart of M 3 is not complete.
  EXPECT_EQ(size_of("LIT", 3)->auc.count, 1U);
  EXPECT_EQ(size_of("LIT", 3)->auc.mean, 0.70);
  EXPECT_DOUBLE_EQ(*size_of("Restarts", 3)->auc.mean, 0.84);
}

TEST(StudyView, NamesALeaderOnlyWhereEveryMethodHasACompleteRestart) {
  const StudyView view = view_study(results_of_sizes(), "first");
  ASSERT_EQ(view.leaders.size(), 1U);
  // Only restart 0 is complete for LIT: M 2, lambda 1, 0.90. Restarts are at 0.80 there and at 0.84 in the other
  // restart.
  EXPECT_EQ(view.methods[view.leaders[0].method], "LIT");
  EXPECT_NEAR(view.leaders[0].margin, 0.10, 1e-12);
  EXPECT_FALSE(view.leaders[0].is_clear);
  EXPECT_FALSE(view.leaders[0].is_lead());  // one restart has no standard error
  StudyFolder half = folder_of_sizes();
  add_result(half, 0, 0.9, 0.8);
  add_result(half, 1, 0.9, 0.8);
  EXPECT_TRUE(view_study(half, "first").leaders.empty());
}

TEST(StudyView, SaysWhatIsMissingWhere) {
  const StudyView view = view_study(results_of_sizes(), "first");
  EXPECT_EQ(view.trials, 24U);
  EXPECT_EQ(view.in, 11U);
  ASSERT_EQ(view.places.size(), 2U);
  EXPECT_EQ(view.places[0].in, 11U);
  EXPECT_EQ(view.places[0].trials, 12U);
  EXPECT_EQ(view.places[1].split, "extrapolation");
  EXPECT_EQ(view.places[1].in, 0U);
}

TEST(StudyView, SumsTimeByMethodAndByWhoWroteIt) {
  StudyFolder folder = folder_of_sizes();
  for (std::size_t i = 0; i < 3; ++i) {
    StudyResult& result = add_result(folder, i, 0.9, 0.8);
    result.seconds = static_cast<double>(i + 1);
    result.file = i == 0 ? "one.jsonl" : "other.jsonl";
  }
  const StudyView view = view_study(folder, "first");
  ASSERT_EQ(view.methods_time.size(), 2U);
  EXPECT_EQ(view.methods_time[0].seconds, 3);  // restarts: of M 2 and 3
  EXPECT_EQ(view.methods_time[0].networks, 5U);
  EXPECT_EQ(view.methods_time[1].trials, 1U);
  ASSERT_EQ(view.processes_time.size(), 2U);
  EXPECT_EQ(view.processes_time[1].who, "other.jsonl");
  EXPECT_EQ(view.processes_time[1].seconds, 5);
}

}  // namespace
}  // namespace perpend
