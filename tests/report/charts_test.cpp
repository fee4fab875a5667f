// Charts hold the data they were given. tests/web shows that specifications are valid and drawn.
#include "perpend/report/charts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/records/json.h"
#include "perpend/report/spec.h"
#include "perpend/report/standalone.h"
#include "tests/report/hostile.h"

namespace perpend {
namespace {

using Json = nlohmann::json;
using test::kHostile;

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
  rows.named = rows.features;
  FiniteIndependence at;
  at.epsilon = 0.1;
  at.pairs = {{0, 1, 0.25, 0.5}, {1, 0, 0.5, 0.125}};
  at.own = {0.5, 4};
  at.indep_err = 0.375;
  at.relative = 0.3125;
  FiniteIndependence further = at;
  further.epsilon = 3;
  rows.distance = {.norm = "linf", .rows = 7, .of = 1234, .steps = 20, .cos2 = 0.25, .epsilons = {at, further}};
  rows.worth = {.loss_name = "log-loss",
                .rows = 7,
                .of = 1234,
                .repeats = 5,
                .loss = 0.25,
                .member_losses = {0.5, 0.75},
                .columns = {{kHostile, 0.123456, 0.01, {0.01, 0.5}}, {"noise", 0.001, 0.01, {-0.1, 0}}}};
  rows.worth_of = 40;
  const std::vector<DependenceCurve> curve = {{kHostile, {0.25, 0.5}, {{0.125, 0.75}, {0.5, 0.5}}}};
  rows.dependence = {
      {.column = kHostile, .is_number = true, .numbers = {1, 2}, .levels = {}, .curves = curve},
      {.column = kHostile, .is_number = false, .numbers = {}, .levels = {kHostile, {}}, .curves = curve}};
  rows.parts = {{kHostile, 4, {}, {0, 0.5, {3, 1}}, {}}};
  return rows;
}

TEST(Charts, WorthHasABarPerColumnAndTheMembersSpread) {
  const Chart chart = worth_chart(rows_view());
  ASSERT_EQ(chart.data.rows.size(), 2U);
  EXPECT_EQ(chart.data.rows[0], (std::vector<Cell>{kHostile, 0.1235, 0.01, 0.01, 0.5, "yes", 1.0}));
  EXPECT_EQ(chart.data.rows[1], (std::vector<Cell>{"noise", 0.001, 0.01, -0.1, 0.0, "no effect seen", 2.0}));
  EXPECT_NE(chart.reading.find("7 of the 1,234 test rows"), std::string::npos) << chart.reading;
  EXPECT_NE(chart.reading.find("2 columns of the largest gradients, of 40"), std::string::npos) << chart.reading;
}

TEST(Charts, DependenceHasACurvePerMemberAndTheEnsemble) {
  const RowsView rows = rows_view();
  const Chart numbers = dependence_chart(rows.dependence[0], rows, "y", 1);
  EXPECT_EQ(numbers.id, "dependence-1");
  ASSERT_EQ(numbers.data.rows.size(), 6U);
  EXPECT_EQ(numbers.data.rows[1], (std::vector<Cell>{"ensemble", 2.0, 0.5}));
  EXPECT_EQ(numbers.data.rows[3], (std::vector<Cell>{"member 1", 2.0, 0.75}));
  const Chart levels = dependence_chart(rows.dependence[1], rows, "y", 2);
  EXPECT_EQ(levels.data.rows[5], (std::vector<Cell>{"member 2", "missing", 0.5, 2.0}));
  // With three classes there is one curve of the ensemble per class.
  Dependence classes = rows.dependence[0];
  classes.curves = {{"r", {0.5, 0.25}, {{0.5, 0.25}}}, {"g", {0.25, 0.5}, {{0.25, 0.5}}}, {"b", {0.25, 0.25}, {}}};
  const Chart three = dependence_chart(classes, rows, "y", 3);
  EXPECT_EQ(three.data.rows.size(), 6U);
  EXPECT_EQ(three.data.rows[2], (std::vector<Cell>{"g", 1.0, 0.25}));
}

TEST(Charts, AreWholeWhateverNamesTheDataHas) {
  const RowsView rows = rows_view();
  expect_whole(roc_chart(rows, {"no", kHostile}));
  expect_whole(roc_chart(rows, {"no", kHostile, "third"}));
  expect_whole(calibration_chart(rows, {"no", kHostile}));
  expect_whole(risk_coverage_chart(rows));
  expect_whole(gradients_chart(rows, {"no", kHostile}));
  expect_whole(named_gradients_chart(rows, {"no", kHostile}));
  expect_whole(distance_chart(*rows.distance, kHostile));
  expect_whole(distance_change_chart(*rows.distance, kHostile));
  expect_whole(worth_chart(rows));
  for (const auto& found : rows.dependence) expect_whole(dependence_chart(found, rows, kHostile, 1));
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
  expect_whole(penalty_chart(log, "What it shows."));
}

std::string styles() {
  std::ifstream file(PERPEND_SOURCE_DIR "/web/report.css");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Charts, StandAloneWithTheirDataAndThePagesColours) {
  Page page;
  const RowsView rows = rows_view();
  page.sections = {{.id = "s", .name = "S", .heading = "H", .text = {}, .blocks = {}}};
  page.sections[0].blocks = {calibration_chart(rows, {"no", kHostile}), disagreement_chart(rows.parts),
                             cosine_chart(std::vector<PairView>{{0, 1, 0.25, -0.5, 0.75}}, 2),
                             members_chart(std::vector<NamedEvaluation>{{"test", evaluation(0.5)}})};
  const auto specs = standalone_charts(page);
  ASSERT_EQ(specs.size(), 4U);
  for (const auto& [id, text] : specs) {
    EXPECT_EQ(text.find("var(--"), std::string::npos) << id;
    EXPECT_FALSE(Json::parse(text)["data"]["values"].empty()) << id;
    EXPECT_NE(text.find("\"width\":"), std::string::npos) << id;
  }
  EXPECT_EQ(Json::parse(specs.at("calibration"))["data"]["values"][0]["frequency"], 0.25);
  for (const char* name : {"ink", "soft", "rule", "grid", "accent", "on-accent", "m1", "m8"}) {
    const std::string colour = plain_colour("var(--" + std::string(name) + ")");
    EXPECT_NE(styles().find("--" + std::string(name) + ": " + colour), std::string::npos) << name;
  }
}

TEST(Charts, ShowExactNumbersAndLeaveUndefinedOnesEmpty) {
  const double third = 1.0 / 3;
  const Chart chart = members_chart(std::vector<NamedEvaluation>{{"test", evaluation(third)}});
  EXPECT_EQ(chart.data.rows[0][3], Cell(third));
  EXPECT_EQ(chart.data.rows[2][3], Cell());  // accuracy
}

TEST(Charts, RiskAgainstCoverageEndsInAConclusion) {
  RowsView rows = rows_view();
  rows.parts = {{"test", 400, {}, {}, {}}};
  rows.risk_coverage = {{"members' disagreement", {{0.25, 0.02}, {0.5, 0.11}, {1, 0.12}}, 0.1},
                        {"ensemble's own doubt", {{0.25, 0.02}, {0.5, 0.06}, {1, 0.12}}, 0.05}};
  EXPECT_EQ(risk_coverage_chart(rows).title,
            "Answering the surer half of the rows would halve the errors, from 12 % to 6 %; refusing by the members' "
            "disagreement is worse here");
  rows.risk_coverage[0].points[1].y = 0.07;  // on 200 rows this may be chance
  EXPECT_EQ(risk_coverage_chart(rows).title,
            "Answering the surer half of the rows would halve the errors, from 12 % to 6 %; both signals do about as "
            "well");
  rows.risk_coverage.erase(rows.risk_coverage.begin());
  rows.risk_coverage[0].points[1].y = 0.12;
  EXPECT_EQ(risk_coverage_chart(rows).title,
            "Answering the surer half of the rows would not lower the errors: 12 % of all, 12 % of these");
  rows.risk_coverage[0].points[1].y = 0.09;
  EXPECT_EQ(risk_coverage_chart(rows).title,
            "Answering the surer half of the rows would lower the errors, from 12 % to 9 %");
  rows.risk_coverage[0].points[1].y = 0;
  EXPECT_EQ(risk_coverage_chart(rows).title,
            "Answering the surer half of the rows would leave no errors, where there are 12 % now");
}

TEST(Charts, CountRowsInTheirBins) {
  const Chart chart = disagreement_chart(rows_view().parts);
  EXPECT_EQ(chart.data.rows[0], (std::vector<Cell>{kHostile + ", 4 rows", 0.0, 0.25, 3.0, 0.75, 1.0}));
}

// Ten members of two views, which look at a category with a hostile level.
RowsView rows_with_views() {
  RowsView rows = rows_view();
  rows.features[0].members.assign(10, rows.features[0].members[0]);
  rows.features[0].levels = {{kHostile, 3, std::vector<double>(10, 0.5)},
                             {"missing", 1, std::vector<double>(10, -0.25)}};
  for (int m = 0; m < 10; ++m) rows.views.emplace_back(m % 2 == 0 ? "linear" : "piecewise");
  return rows;
}

TEST(LevelCharts, HoldEachMembersContrastByTheNameOfTheLevel) {
  const Chart chart = levels_chart(rows_with_views(), {"no", kHostile});
  expect_whole(chart);
  ASSERT_EQ(chart.data.rows.size(), 20U);
  EXPECT_EQ(chart.data.columns.back(), "view");
  EXPECT_EQ(chart.data.rows[1], (std::vector<Cell>{kHostile + " = " + kHostile, kHostile, kHostile, 3.0, "member 2",
                                                   2.0, 0.5, 1.0, "piecewise"}));
  EXPECT_EQ(chart.data.rows[10][2], Cell("missing"));
  EXPECT_EQ(chart.data.rows[10][6], Cell(-0.25));
  EXPECT_NE(chart.reading.find("compared with the mean level"), std::string::npos);
  EXPECT_EQ(chart.spec.find("</"), std::string::npos);
}

TEST(LevelCharts, ShowNoMoreLevelsThanOneCanRead) {
  RowsView rows = rows_with_views();
  rows.features[0].levels.resize(8, rows.features[0].levels[0]);
  rows.features.resize(6, rows.features[0]);
  EXPECT_EQ(levels_chart(rows, {"no", "yes"}).data.rows.size(), 4U * 8 * 10);
}

TEST(GradientCharts, OfManyMembersHaveAHueForEachView) {
  const Chart chart = gradients_chart(rows_with_views(), {"no", "yes"});
  expect_whole(chart);
  EXPECT_EQ(chart.data.columns.back(), "view");
  const std::string domain = R"("field":"view","type":"nominal","scale":{"domain":["linear","piecewise"]})";
  EXPECT_NE(chart.spec.find(domain), std::string::npos) << chart.spec;
  // Members of one hue keep violins of their own.
  EXPECT_NE(chart.spec.find(R"("detail":{"field":"member","type":"nominal"})"), std::string::npos);
  EXPECT_NE(chart.reading.find("per standard deviation of a number"), std::string::npos);
  EXPECT_NE(chart.reading.find("compared with the mean level"), std::string::npos);
  EXPECT_EQ(gradients_chart(rows_view(), {"no", "yes"}).data.columns.back(), "order");
}

TEST(DistanceCharts, HoldEachMembersChangeBesideItsOwnAndSayOnHowManyRows) {
  const RowsView rows = rows_view();
  const Chart share = distance_chart(*rows.distance, "test");
  EXPECT_EQ(share.data.rows[0], (std::vector<Cell>{"member 1", 0.1, 0.5, 0.25, 0.5}));
  EXPECT_EQ(share.data.rows[1], (std::vector<Cell>{"member 2", 0.1, 0.125, 0.5, 4.0}));
  EXPECT_EQ(share.data.rows[2], (std::vector<Cell>{"all members", 0.1, 0.3125, 0.375, 2.25}));
  EXPECT_NE(share.title.find("Within epsilon 0.1 a member moves 31.2 % as much"), std::string::npos) << share.title;
  EXPECT_NE(share.reading.find("7 of 1,234 test rows, l∞ ball"), std::string::npos) << share.reading;
  const Chart change = distance_change_chart(*rows.distance, "test");
  EXPECT_EQ(change.data.rows[0], (std::vector<Cell>{"on its own way up", 0.1, 2.25}));
  EXPECT_EQ(change.data.rows[1], (std::vector<Cell>{"on another's way up", 0.1, 0.375}));
}

TEST(DistanceCharts, HaveNoPointWhereNothingMoves) {
  DistanceView still = *rows_view().distance;
  still.epsilons.resize(1);
  still.epsilons[0].own = {0, 0};
  still.epsilons[0].relative = std::nullopt;
  for (auto& pair : still.epsilons[0].pairs) pair.relative = std::nullopt;
  const Chart share = distance_chart(still, "test");
  EXPECT_EQ(share.data.rows[0][2], Cell());
  EXPECT_NO_THROW(Json::parse(share.spec));
  const Chart change = distance_change_chart(still, "test");
  EXPECT_EQ(change.data.rows.size(), 1U);  // on another's way
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
