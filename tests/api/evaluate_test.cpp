#include "perpend/api/evaluate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perpend/api/explain.h"
#include "perpend/api/metrics.h"
#include "perpend/base/error.h"
#include "perpend/data/encode.h"
#include "perpend/evaluate/finite.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::plain_options;
using test::small_options;
using test::small_table;
using Json = nlohmann::json;

TEST(Evaluate, OfTheTestRowsIsWhatTheModelRemembers) {
  const Table table = small_table();
  RunOptions options = small_options();
  options.split.kind = SplitKind::none;
  options.train.early_stopping = 0;  // all rows train, so all rows judge the model
  const TrainedModel model = fit(table, options).model;
  const Evaluated found = evaluate(model, table);
  EXPECT_EQ(found.rows, 90U);
  EXPECT_NEAR(*found.metrics.auc, *model.summary.judged().evaluation->auc, 1e-12);
  EXPECT_FALSE(found.distance.has_value());
}

TEST(Evaluate, MeasuresIndependenceAtADistance) {
  const Table table = small_table();
  const TrainedModel model = fit(table, plain_options()).model;
  const Evaluated found = evaluate(model, table, {.distance = {.epsilons = {0.1, 1}, .draws = 16}});
  ASSERT_TRUE(found.distance.has_value());
  ASSERT_EQ(found.distance->steps.size(), 2U);
  const Inputs inputs = encode_inputs(table, model.schema, all_rows(table));
  const FiniteIndependence expected =
      finite_independence(model.ensemble, inputs.view(), {.epsilon = 0.1, .steps = 40, .starts = 1}, Threads(1));
  EXPECT_EQ(found.distance->steps[0].indep_err, expected.indep_err);
  const Json json = Json::parse(to_json(found));
  EXPECT_EQ(json["finite"]["epsilons"].size(), 2U);
  EXPECT_EQ(json["finite"]["draws"], 16);
}

TEST(Evaluate, RefusesADistanceThatCannotBeMeasured) {
  const TrainedModel two = fit(small_table(), plain_options()).model;
  const TrainedModel three = fit(small_table(90, 3), plain_options()).model;
  EXPECT_THROW(evaluate(three, small_table(90, 3), {.distance = {.epsilons = {1}}}), ConfigError);
  EXPECT_THROW(evaluate(two, small_table(), {.distance = {.epsilons = {-1}}}), ConfigError);
  EXPECT_THROW(evaluate(two, small_table(), {.distance = {.epsilons = {1}, .norm = "l3"}}), ConfigError);
  EXPECT_THROW(evaluate(two, small_table(), {.distance = {.epsilons = {1}, .draws = 2}}), ConfigError);
}

TEST(Evaluate, AlongAManifoldMeasuresBothCosines) {
  const TrainedModel model = fit(small_table(), plain_options()).model;
  const Evaluated found = evaluate(model, small_table(), {.manifold = "pca:2"});
  EXPECT_TRUE(found.metrics.tangent_cos2.has_value());
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_EQ(found.notes[0].find("manifold"), 0U);
}

TEST(GradientDiversityOfATable, IsTheCosineOfItsEvaluation) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const GradientDiversity found = gradient_diversity(model, small_table());
  EXPECT_EQ(found.cos2, evaluate(model, small_table()).metrics.grad_cos2);
  EXPECT_EQ(Json::parse(to_json(found))["pairs"].size(), 3U);
}

TEST(Explain, OfARowHasItsAnswerAndItsColumns) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Explained found = explain(model, small_table(), {.row = 4});
  ASSERT_TRUE(found.row.has_value());
  EXPECT_EQ(found.row->members.size(), 3U);
  EXPECT_EQ(found.row->answer.of_members.size(), 6U);
  double sum = 0;
  for (const double share : found.row->members[0].shares) sum += share;
  EXPECT_NEAR(sum, 1, 1e-9);
  const Json json = Json::parse(to_json(found, model));
  EXPECT_EQ(json["row"], 5);  // rows are counted from 1
  EXPECT_THROW(explain(model, small_table(), {.row = 90}), DataError);
}

}  // namespace
}  // namespace perpend
