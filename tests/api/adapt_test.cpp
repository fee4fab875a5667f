#include "perpend/api/adapt.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "perpend/api/predict.h"
#include "perpend/data/encode.h"
#include "perpend/evaluate/adapt.h"
#include "perpend/records/json.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::small_options;
using test::small_table;

TEST(Adapt, ChangesTheDecisionAndNothingElse) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Table few = small_table(16);
  const AdaptedModel adapted = adapt(model, few);
  const Dataset rows = encode(few, model.schema, all_rows(few));
  EXPECT_EQ(adapted.model.decision, adapted_to(model.ensemble, model.decision, rows, Threads(1)).decision);
  EXPECT_EQ(adapted.says_before, model.decision.weights);
  TrainedModel back = adapted.model;
  back.decision = model.decision;
  back.summary = model.summary;
  EXPECT_EQ(to_bytes(back), to_bytes(model));
  EXPECT_TRUE(adapted.warnings.empty());
}

TEST(Adapt, IsRememberedByTheModelFile) {
  const AdaptedModel adapted = adapt(fit(small_table(), small_options()).model, small_table(16));
  const TrainedModel back = model_from_bytes(to_bytes(adapted.model), "adapted");
  ASSERT_TRUE(back.summary.adapted.has_value());
  EXPECT_EQ(back.summary.adapted->rows, 16U);
  EXPECT_EQ(back.summary.adapted->log_loss_before, adapted.loss_before);
  EXPECT_EQ(back.summary.adapted->log_loss_after, adapted.loss_after);
  EXPECT_EQ(to_bytes(back), to_bytes(adapted.model));
  // A second adaptation takes the place of the first.
  const TrainedModel twice = model_from_bytes(to_bytes(adapt(back, small_table(20)).model), "twice");
  EXPECT_EQ(twice.summary.adapted->rows, 20U);
  EXPECT_EQ(twice.summary.steps, back.summary.steps);
}

// Every label is the opposite of its class, so the evidence for a change is overwhelming.
TEST(Adapt, SaysHowFarTheLabelsSupportAChange) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Table rows = small_table(60);
  const AdaptedModel same = adapt(model, rows);
  Table turned = rows;
  for (Column& column : turned.columns) {
    if (column.name == model.schema.target) std::ranges::reverse(column.words);
  }
  const AdaptedModel changed = adapt(model, turned);
  EXPECT_TRUE(changed.is_changed);
  EXPECT_LT(changed.loss_after, changed.loss_before);
  EXPECT_NE(changed.reading.find("times likelier if the answer changes"), std::string::npos) << changed.reading;
  if (!same.is_changed) {
    EXPECT_EQ(same.loss_after, same.loss_before);
    EXPECT_NE(same.reading.find("do not support a change"), std::string::npos) << same.reading;
    EXPECT_EQ(predict(same.model, rows).probabilities, predict(model, rows).probabilities);
  }
}

TEST(Adapt, WarnsOfRowsThatCannotSayMuch) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Table alike = read_csv(bytes_in_memory("few.csv", "a,b,c,y\n9.5,1,red,yes\n8.5,2,red,yes\n"));
  const AdaptedModel adapted = adapt(model, alike);
  ASSERT_EQ(adapted.warnings.size(), 2U);
  EXPECT_NE(adapted.warnings[0].find("2 rows cannot say much"), std::string::npos) << adapted.warnings[0];
  EXPECT_NE(adapted.warnings[1].find("every row is 'yes'"), std::string::npos) << adapted.warnings[1];
}

}  // namespace
}  // namespace perpend
