// Charts hold what they were given; that specifications are valid and drawn is shown in tests/web.
#include "perpend/report/charts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/records/json.h"
#include "perpend/report/spec.h"

namespace perpend {
namespace {

using Json = nlohmann::json;

const std::string kHostile = "</script>\"'<x>\\";

Evaluation evaluation(double auc) {
  Evaluation e;
  e.auc = auc;
  e.members = {Scores{.auc = auc, .accuracy = {}, .log_loss = {}, .brier = {}, .ece = {}}};
  return e;
}

void expect_whole(const Chart& chart) {
  EXPECT_NO_THROW(Json::parse(chart.spec)) << chart.spec;
  EXPECT_FALSE(chart.title.empty() || chart.reading.empty() || chart.alt.empty()) << chart.id;
  EXPECT_FALSE(chart.data.rows.empty());
  for (const auto& row : chart.data.rows) EXPECT_EQ(row.size(), chart.data.columns.size());
}

RowsView rows_view() {
  RowsView rows;
  rows.judged = "test";
  rows.roc = {{"ensemble", {{0, 0}, {1, 1}}, 0.5}, {"member 1", {{0, 0}, {1, 1}}, 0.5}};
  rows.calibration = {{"ensemble", {{0.5, 0.25, 4}}}, {"member 1", {{0.5, 0.25, 4}}}};
  rows.risk_coverage = {{"doubt", {{0.5, 0}, {1, 0.25}}, 0.1}};
  rows.features = {{kHostile, 1, {{0.5, 1, {0, 0, 0.5, 1, 1}, {{0, 1}, {1, 0.5}}}}}};
  rows.parts = {{kHostile, 4, {}, {0, 0.5, {3, 1}}, {}}};
  return rows;
}

TEST(Charts, AreWholeWhateverNamesTheDataHas) {
  const RowsView rows = rows_view();
  expect_whole(roc_chart(rows, {"no", kHostile}));
  expect_whole(roc_chart(rows, {"no", kHostile, "third"}));
  expect_whole(calibration_chart(rows, {"no", kHostile}));
  expect_whole(risk_coverage_chart(rows));
  expect_whole(gradients_chart(rows, {"no", kHostile}));
  expect_whole(disagreement_chart(rows.parts));
  expect_whole(members_chart(std::vector<NamedEvaluation>{{kHostile, evaluation(0.5)}}));
  expect_whole(cosine_chart(std::vector<PairView>{{0, 1, 0.25, -0.5, 0.75}}, 2));
  expect_whole(familiar_chart(std::vector<double>{0, 0.1, 0.2}));
  TrainLog log;
  log.epochs = {{.round = 0,
                 .epoch = 1,
                 .steps = 4,
                 .fit = {0.5, 0.6},
                 .penalty = 1,
                 .weight_decay = {},
                 .validation_log_loss = 0.7}};
  expect_whole(loss_chart(log));
  expect_whole(penalty_chart(log, "lit"));
}

TEST(Charts, ShowExactNumbersAndLeaveUndefinedOnesEmpty) {
  const double third = 1.0 / 3;
  const Chart chart = members_chart(std::vector<NamedEvaluation>{{"test", evaluation(third)}});
  EXPECT_EQ(chart.data.rows[0][3], Cell(third));
  EXPECT_EQ(chart.data.rows[2][3], Cell());  // accuracy
}

TEST(Charts, CountRowsInTheirBins) {
  const Chart chart = disagreement_chart(rows_view().parts);
  EXPECT_EQ(chart.data.rows[0], (std::vector<Cell>{kHostile + ", 4 rows", 0.0, 0.25, 3.0, 0.75, 1.0}));
}

TEST(FillSpec, DoesNotLookForSlotsInWhatFillsThem) {
  EXPECT_EQ(fill_spec("[<a>,<b>]", {{"a", "\"<b>\""}, {"b", "1"}}), "[\"<b>\",1]");
  EXPECT_THROW(fill_spec("<none>", {}), std::out_of_range);
}

TEST(TrainLogJson, ComesBackAsItWas) {
  TrainLog log;
  log.epochs = {{.round = 2,
                 .epoch = 3,
                 .steps = 40,
                 .fit = {0.1},
                 .penalty = 0.3,
                 .weight_decay = {},
                 .validation_log_loss = 0.7}};
  const TrainLog back = train_log_from_json(to_json(log));
  ASSERT_EQ(back.epochs.size(), 1U);
  EXPECT_EQ(to_json(back), to_json(log));
  EXPECT_EQ(back.epochs[0].round, 2);
  EXPECT_THROW(train_log_from_json("[{}]"), DataError);
}

}  // namespace
}  // namespace perpend
