#include "perpend/api/adapt.h"

#include <gtest/gtest.h>

#include <numeric>

#include "perpend/data/encode.h"
#include "perpend/evaluate/adapt.h"
#include "perpend/records/json.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::small_options;
using test::small_table;

TEST(Adapt, ChangesTheWeightsAndNothingElse) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Table few = small_table(16);
  const AdaptedModel adapted = adapt(model, few);
  const Dataset rows = encode(few, model.schema, all_rows(few));
  EXPECT_EQ(adapted.model.decision.weights, adapted_weights(model.ensemble, rows, Threads(1)));
  EXPECT_EQ(adapted.weights_before, model.decision.weights);
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
  EXPECT_EQ(back.summary.adapted->log_loss_after, adapted.after.log_loss);
  EXPECT_EQ(to_bytes(back), to_bytes(adapted.model));
  // A second adaptation takes the place of the first.
  const TrainedModel twice = model_from_bytes(to_bytes(adapt(back, small_table(20)).model), "twice");
  EXPECT_EQ(twice.summary.adapted->rows, 20U);
  EXPECT_EQ(twice.summary.steps, back.summary.steps);
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
