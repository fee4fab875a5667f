#include "perpend/store/trained_model.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "tests/support/tree_models.h"

namespace perpend {
namespace {

Schema schema_by_column() {
  Schema schema;
  schema.target = "y";
  schema.classes = {"no", "yes"};
  schema.columns = {{"age", ColumnKind::numeric, {}}, {"odor", ColumnKind::categorical, {"a", "b", "c"}}};
  schema.features = {{.name = "age", .column = 0, .level = Feature::kNumber, .fill = 40, .mean = 40, .sd = 9},
                     {.name = "odor", .column = 1, .level = Feature::kLevels}};
  schema.missing = Missing::indicator;
  schema.by_column = true;
  return schema;
}

Architecture architecture_with_views() {
  return {.features = 2,
          .hidden = {3},
          .columns = {{.edges = {-1, 0, 1}, .means = {0.75F, 0.25F}},
                      {.means = {0.5F, 0.25F, 0.125F}, .is_category = true, .missing = 0.125F}},
          .views = {View::linear, View::piecewise}};
}

TrainedModel model_of(const Schema& schema, const Architecture& architecture) {
  return {initial_ensemble(architecture, 2, 1), equal_mean(2), schema, "{}"};
}

// The line that refuses the file of the model.
std::string refusal(const Schema& schema, const Architecture& architecture) {
  try {
    model_from_bytes(to_bytes(model_of(schema, architecture)), "m.safetensors");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TrainedModelWithViews, ComesBackAsTheSameBytes) {
  const TrainedModel model = model_of(schema_by_column(), architecture_with_views());
  const std::string bytes = to_bytes(model);
  const TrainedModel back = model_from_bytes(bytes, "m");
  EXPECT_EQ(back.schema, model.schema);
  EXPECT_EQ(back.ensemble.architecture, model.ensemble.architecture);
  EXPECT_EQ(to_bytes(back), bytes);
}

TEST(TrainedModelWithViews, ComesBackAsTheSameBytesWithTrees) {
  Architecture architecture = architecture_with_views();
  architecture.views = {View::linear, View::trees};
  TrainedModel model = model_of(schema_by_column(), architecture);
  model.ensemble.trees = test::made_up_trees(architecture, 3);
  const std::string bytes = to_bytes(model);
  const TrainedModel back = model_from_bytes(bytes, "m");
  EXPECT_EQ(back.ensemble.trees, model.ensemble.trees);
  EXPECT_EQ(to_bytes(back), bytes);
}

TEST(TrainedModelWithViews, HasTheLevelsOfItsSchema) {
  Architecture architecture = architecture_with_views();
  architecture.columns[1].means = {0.5F, 0.375F};
  EXPECT_EQ(refusal(schema_by_column(), architecture),
            "m.safetensors: column 'odor' is a category of 3 levels in its schema and a category of 2 levels in its "
            "networks");
  Schema schema = schema_by_column();
  schema.columns[1].levels.emplace_back("d");
  EXPECT_EQ(refusal(schema, architecture_with_views()),
            "m.safetensors: column 'odor' is a category of 4 levels in its schema and a category of 3 levels in its "
            "networks");
}

TEST(TrainedModelWithViews, HasTheKindsOfItsSchema) {
  Architecture architecture = architecture_with_views();
  std::swap(architecture.columns[0], architecture.columns[1]);
  EXPECT_EQ(refusal(schema_by_column(), architecture),
            "m.safetensors: column 'age' is a number in its schema and a category of 3 levels in its networks");
  architecture.columns[0] = architecture.columns[1];
  EXPECT_EQ(refusal(schema_by_column(), architecture),
            "m.safetensors: column 'odor' is a category of 3 levels in its schema and a number in its networks");
}

TEST(TrainedModelWithViews, HasASchemaByColumnAndNoOther) {
  EXPECT_EQ(refusal(schema_by_column(), {.features = 2, .hidden = {3}}),
            "m.safetensors: its schema encodes columns, and its networks take plain features");
  Schema plain = schema_by_column();
  plain.by_column = false;
  plain.columns[1].levels = {"a", "b"};
  plain.features[1] = {.name = "odor=b", .column = 1, .level = 1};
  EXPECT_EQ(refusal(plain, {.features = 2, .hidden = {3}}), "accepted");
  EXPECT_EQ(refusal(plain, architecture_with_views()),
            "m.safetensors: its schema encodes plain features, and its networks take columns");
}

}  // namespace
}  // namespace perpend
