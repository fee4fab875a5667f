#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "perpend/base/error.h"
#include "perpend/data/find_classes.h"
#include "perpend/data/generate.h"
#include "perpend/data/source.h"
#include "perpend/records/json.h"
#include "perpend/run/run.h"
#include "perpend/run/saved_model.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

RunOptions quick_options() {
  RunOptions options;
  options.schema.target = "target";
  options.split.kind = SplitKind::none;
  options.train.members = 2;
  options.train.hidden = {8};
  options.train.epochs = 3;
  options.train.early_stopping = 0;
  return options;
}

// Returns the table's rows in another order, or some of them more than once.
Table rows_of(const Table& table, const std::vector<std::uint32_t>& rows) {
  Table out = table;
  out.rows = rows.size();
  for (Column& column : out.columns) {
    const Column from = column;
    column.numbers.clear();
    column.marks.clear();
    for (const auto row : rows) {
      column.numbers.push_back(from.numbers[row]);
      if (!from.marks.empty()) column.marks.push_back(from.marks[row]);
    }
  }
  return out;
}

std::string model_bytes(const Table& table, const RunOptions& options) {
  const Prepared data = prepare(table, options);
  return to_bytes(model_of(data, options, run(data, options)));
}

TEST(Prepare, WithoutASplitTheModelDoesNotDependOnTheOrderOfRows) {
  const Table table = table_of(generate("shortcut", {.seed = 0, .rows = 300}), "t");
  std::vector<std::uint32_t> turned = all_rows(table);
  std::ranges::reverse(turned);
  std::swap(turned[3], turned[70]);
  for (const Method method : {Method::lit, Method::bagging, Method::adaboost}) {
    RunOptions options = quick_options();
    options.train.method = method;
    EXPECT_EQ(model_bytes(table, options), model_bytes(rows_of(table, turned), options));
  }
}

TEST(Prepare, WarnsOfAClassThatNoTrainingRowHasWeightFor) {
  Table table = table_of(generate("shortcut", {.seed = 0, .rows = 300}), "t");
  Column weights;
  weights.name = "w";
  for (std::size_t r = 0; r < table.rows; ++r)
    weights.numbers.push_back(table.find("target")->text(r) == "well" ? 0 : 1);
  table.columns.push_back(std::move(weights));
  const auto warnings = [&](SplitKind kind) {
    RunOptions options = quick_options();
    options.split.kind = kind;
    options.schema.sample_weight = "w";
    const Prepared data = prepare(table, options);
    return std::ranges::count(
        data.fit.warnings, "class 'well' has weight 0 in every training row (column 'w'); the model cannot learn it");
  };
  EXPECT_EQ(warnings(SplitKind::none), 1);
  EXPECT_EQ(warnings(SplitKind::random), 1);
  for (double& weight : table.columns.back().numbers) weight += 1;
  EXPECT_EQ(warnings(SplitKind::none), 0);
}

TEST(Prepare, WarnsOfClassesThatASpreadsheetWouldRun) {
  EXPECT_TRUE(formula_warning(std::vector<std::string>{"no", "=HYPERLINK(\"x\")"}));
  EXPECT_TRUE(formula_warning(std::vector<std::string>{"@SUM(A1)", "no"}));
  EXPECT_FALSE(formula_warning(std::vector<std::string>{"-1", "+1", "a=b", "1"}));
}

TEST(Prepare, WithoutASplitAWeightOfThreeIsThreeRows) {
  Table table = table_of(generate("shortcut", {.seed = 0, .rows = 60}), "t");
  Column weights;
  weights.name = "w";
  std::vector<std::uint32_t> copied;
  for (std::uint32_t r = 0; r < 60; ++r) {
    weights.numbers.push_back(r % 4);
    copied.insert(copied.end(), r % 4, r);
  }
  const Table copies = rows_of(table, copied);
  table.columns.push_back(weights);
  RunOptions options = quick_options();
  const Prepared by_copies = prepare(copies, options);
  options.schema.sample_weight = "w";
  const Prepared by_weight = prepare(table, options);
  EXPECT_TRUE(by_weight.train.weights.empty());
  EXPECT_EQ(by_weight.schema.features, by_copies.schema.features);
  EXPECT_EQ(by_weight.train.labels, by_copies.train.labels);
  ASSERT_EQ(by_weight.train.rows(), 90U);
  for (std::size_t r = 0; r < 90; ++r) {
    for (std::size_t f = 0; f < by_weight.train.inputs.cols(); ++f) {
      ASSERT_EQ(by_weight.train.inputs(r, f), by_copies.train.inputs(r, f));
    }
  }
}

TEST(Prepare, TakesRowsToValidateOnFromATableOfTheirOwn) {
  const Table table = table_of(generate("shortcut", {.seed = 0, .rows = 60}), "t");
  const Table other = table_of(generate("shortcut", {.seed = 1, .rows = 25}), "other");
  const Prepared data = prepare(table, quick_options(), {.validation = &other});
  EXPECT_EQ(data.train.rows(), 60U);
  EXPECT_EQ(data.validation.rows(), 25U);
  EXPECT_EQ(data.validation.labels, encode_labels(other, data.schema, all_rows(other)));
}

TEST(Prepare, RowsWithoutLabelsAreEncodedAndHaveNoSayInTheSchema) {
  const Table table = table_of(generate("shortcut", {.seed = 0, .rows = 60}), "t");
  Table other = table_of(generate("shortcut", {.seed = 1, .rows = 25}), "other");
  std::erase_if(other.columns, [](const Column& column) { return column.name == "target"; });
  std::reverse(other.columns.begin(), other.columns.end());
  for (Column& column : other.columns) {
    for (double& x : column.numbers) x += 100;
  }
  const Prepared without = prepare(table, quick_options());
  const Prepared data = prepare(table, quick_options(), {.unlabeled = &other});
  EXPECT_EQ(data.schema, without.schema);
  EXPECT_EQ(data.train.inputs(7, 0), without.train.inputs(7, 0));
  ASSERT_EQ(data.unlabeled.rows(), 25U);
  EXPECT_GT(data.unlabeled(0, 0), 10);
  const RunResult result = run(data, quick_options());
  EXPECT_TRUE(result.unlabeled_cos2.has_value());
  EXPECT_FALSE(run(without, quick_options()).unlabeled_cos2.has_value());
  const std::string summary = to_json(model_of(data, quick_options(), result).summary);
  EXPECT_NE(summary.find("\"unlabeled\":25"), std::string::npos) << summary;
}

TEST(Prepare, FindsTheManifoldAtRowsOfAnotherTable) {
  const Table table = table_of(generate("shortcut", {.seed = 0, .rows = 60}), "t");
  const Table other = table_of(generate("shortcut", {.seed = 1, .rows = 25}), "other");
  RunOptions options = quick_options();
  options.manifold = "local-pca:1";
  const Prepared data = prepare(table, options, {.validation = &other});
  EXPECT_EQ(data.tangents.train.bases(), 60U);
  EXPECT_EQ(data.tangents.validation.bases(), 25U);
  EXPECT_TRUE(run(data, options).validation->tangent_cos2.has_value());
  const Prepared with = prepare(table, options, {.unlabeled = &other});
  EXPECT_EQ(with.tangents.unlabeled.bases(), 25U);
  EXPECT_EQ(run(with, options).trained.status, TrainStatus::ok);
}

TEST(Prepare, RefusesABasisForEachRowOfTheTableWhereOtherRowsValidate) {
  const Table table = table_of(generate("shortcut", {.seed = 0, .rows = 60}), "t");
  RunOptions options = quick_options();
  const std::size_t features = prepare(table, options).train.inputs.cols();
  const auto path = std::filesystem::path(::testing::TempDir()) / "prepare_tangents.npy";
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (60, " + std::to_string(features) + ", 1), }";
  header.resize(117, ' ');
  std::ofstream(path, std::ios::binary) << std::string("\x93NUMPY\x01\0\x76\0", 10) << header << '\n'
                                        << std::string(60 * features * sizeof(float), '\x3f');
  options.manifold = path.string();
  EXPECT_EQ(prepare(table, options).tangents.train.bases(), 60U);
  EXPECT_THROW(prepare(table, options, {.validation = &table}), ConfigError);
  EXPECT_THROW(prepare(table, options, {.unlabeled = &table}), ConfigError);
}

TEST(Prepare, HoldsOutAFifthForEarlyStoppingAndTheMembersAreRefittedOnAllRows) {
  const Table table = table_of(generate("shortcut", {.seed = 0, .rows = 300}), "t");
  RunOptions options = quick_options();
  options.train.members = kFewestForSingleViews;
  options.train.epochs.reset();
  options.train.early_stopping = 2;
  const Prepared data = prepare(table, options);
  EXPECT_TRUE(data.divided);
  EXPECT_EQ(data.train.rows(), 240U);
  EXPECT_EQ(data.validation.rows(), 60U);
  EXPECT_EQ(prepare(rows_of(table, data.split.validation), options).train.rows(), 48U);
  const RunResult refitted = run(data, options);
  ASSERT_TRUE(refitted.before_refit);
  options.refit = false;
  const RunResult kept = run(data, options);
  EXPECT_FALSE(kept.before_refit);
  EXPECT_EQ(test::flat(*refitted.before_refit), test::flat(kept.trained.ensemble));
  EXPECT_NE(test::flat(refitted.trained.ensemble), test::flat(kept.trained.ensemble));
  EXPECT_EQ(refitted.validation->log_loss, kept.validation->log_loss) << "rows that have trained cannot judge";
  // The refitted trees have as many rounds as before, on more rows.
  EXPECT_EQ(refitted.trained.ensemble.trees.rounds(), kept.trained.ensemble.trees.rounds());
  EXPECT_NE(refitted.trained.ensemble.trees, kept.trained.ensemble.trees);
}

TEST(Prepare, TooFewRowsOfAClassAreNotDivided) {
  Table table = table_of(generate("shortcut", {.seed = 0, .rows = 60}), "t");
  std::vector<std::uint32_t> rows;
  int rare = 0;
  for (std::uint32_t r = 0; r < 60; ++r) {
    const bool of_rare_class = table.find("target")->text(r) == table.find("target")->text(0);
    if (!of_rare_class || rare++ < 4) rows.push_back(r);
  }
  RunOptions options = quick_options();
  options.train.epochs.reset();
  options.train.early_stopping = 2;
  const Prepared data = prepare(rows_of(table, rows), options);
  EXPECT_FALSE(data.divided);
  EXPECT_EQ(data.validation.rows(), 0U);
  EXPECT_EQ(run(data, options).trained.log.epochs.size(), static_cast<std::size_t>(kEpochsWithoutValidation));
}

TEST(Prepare, FractionsAreWeightsOfTheLoss) {
  Table table = table_of(generate("shortcut", {.seed = 0, .rows = 60}), "t");
  Column weights;
  weights.name = "w";
  for (int r = 0; r < 60; ++r) weights.numbers.push_back(r == 0 ? 0 : 0.5);
  table.columns.push_back(weights);
  RunOptions options = quick_options();
  options.schema.sample_weight = "w";
  const Prepared data = prepare(table, options);
  EXPECT_EQ(data.train.weights, std::vector<float>(59, 0.5F));
}

}  // namespace
}  // namespace perpend
