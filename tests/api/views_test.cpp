// Models with views of columns: the functions that explain, inspect and show them, on a table with categories and
// missing cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "perpend/api/evaluate.h"
#include "perpend/api/explain.h"
#include "perpend/api/predict.h"
#include "perpend/api/report.h"
#include "perpend/base/error.h"
#include "perpend/base/random.h"
#include "perpend/data/encode.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/read_table.h"
#include "perpend/model/predict.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using Json = nlohmann::json;

enum Column : std::size_t { kDose, kTown, kTen, kWeak, kAge, kColumns };

// The target depends on the number dose, on town (two levels), and half as much on ten (ten levels). The numbers weak
// and age have no effect. Some cells of age are missing, and some of town in place of its first level.
std::string mixed_csv(std::size_t rows) {
  const Stream stream({.seed = 5, .purpose = Purpose::generate, .member = 0, .step = 0});
  std::string text = "dose,town,ten,weak,age,y\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const auto normal = [&](std::size_t i) { return stream.normal(r * 8 + i); };
    const auto uniform = [&](std::size_t i) { return static_cast<double>(stream.uniform(r * 8 + i)); };
    const double dose = normal(0);
    const bool rome = uniform(4) < 0.5;
    const auto ten = static_cast<int>(uniform(5) * 10);
    const double score = 1.5 * dose + (rome ? 1.5 : -1.5) + (ten % 2 == 0 ? 0.75 : -0.75);
    text += std::to_string(dose) + "," +
            (rome               ? "rome"
             : uniform(6) < 0.1 ? ""
                                : "oslo") +
            ",t" + std::to_string(ten) + "," + std::to_string(normal(2)) + "," +
            (uniform(6) > 0.8 ? "" : std::to_string(normal(1))) +
            (uniform(7) < 1 / (1 + std::exp(-score)) ? ",yes\n" : ",no\n");
  }
  return text;
}

const Table& mixed_table() {
  static const Table table = read_csv(bytes_in_memory("mixed.csv", mixed_csv(1500)));
  return table;
}

// Two members by restarts, one linear and one piecewise. Both learn all there is to learn.
const TrainedModel& mixed_model() {
  static const TrainedModel model = [] {
    RunOptions options = test::small_options();
    options.train.method = Method::restarts;
    options.train.members = 2;
    options.train.hidden = {16};
    options.train.epochs = {};
    options.schema.categorical = {"ten"};
    return fit(mixed_table(), options).model;
  }();
  return model;
}

// Returns, as shares, how far each member's score moves when a column's cells are shuffled among the rows: the root of
// the mean square.
std::vector<std::vector<double>> permutation_shares(const TrainedModel& model, const Table& table) {
  const Inputs rows = encode_inputs(table, model.schema, all_rows(table));
  const auto before = member_scores(model.ensemble, rows.view(), Threads(1));
  std::vector<std::vector<double>> shares(before.members(), std::vector<double>(rows.cols(), 0.0));
  for (std::size_t c = 0; c < rows.cols(); ++c) {
    Inputs dealt = rows;
    const auto order =
        Stream({.seed = 9, .purpose = Purpose::generate, .member = 0, .step = static_cast<std::uint32_t>(c)})
            .permutation(static_cast<std::uint32_t>(rows.rows()));
    for (std::size_t r = 0; r < rows.rows(); ++r) dealt(r, c) = rows(order[r], c);
    const auto after = member_scores(model.ensemble, dealt.view(), Threads(1));
    for (std::size_t m = 0; m < shares.size(); ++m) {
      for (std::size_t r = 0; r < rows.rows(); ++r) shares[m][c] += std::pow(after[m](r, 0) - before[m](r, 0), 2);
    }
  }
  for (auto& of_member : shares) {
    for (double& share : of_member) share = std::sqrt(share);
    const double all = std::accumulate(of_member.begin(), of_member.end(), 0.0);
    for (double& share : of_member) share /= all;
  }
  return shares;
}

TEST(Views, SharesAreNearThoseOfDealingAColumnAnew) {
  const auto dealt = permutation_shares(mixed_model(), mixed_table());
  const Explained found = explain(mixed_model(), mixed_table());
  for (std::size_t m = 0; m < 2; ++m) {
    const auto& shares = found.all.members[m].shares;
    ASSERT_EQ(shares.size(), kColumns);
    for (std::size_t c = 0; c < kColumns; ++c) EXPECT_NEAR(shares[c], dealt[m][c], 0.08) << m << ' ' << c;
    EXPECT_LT(shares[kTen], 0.75 * shares[kTown]) << m;  // ten levels do not make it count more
    EXPECT_GT(shares[kTen], shares[kWeak]) << m;
  }
}

TEST(Views, ACategoryHasAContrastPerLevelOverTheRowsThatHaveIt) {
  const Explained found = explain(mixed_model(), mixed_table());
  const Gradients gradients = input_gradients(mixed_model(), mixed_table());
  for (std::size_t m = 0; m < 2; ++m) {
    const auto& levels = found.all.members[m].levels;
    ASSERT_EQ(levels.size(), kColumns);
    EXPECT_TRUE(levels[kDose].empty() && levels[kAge].empty());
    ASSERT_EQ(levels[kTown].size(), 3U);  // oslo, rome, missing
    const auto& names = mixed_model().schema.columns[kTown];
    EXPECT_EQ(level_name(names, levels[kTown][1].level), "rome");
    EXPECT_EQ(level_name(names, levels[kTown][2].level), "missing");
    EXPECT_LT(levels[kTown][0].contrast.mean, -0.3);
    EXPECT_GT(levels[kTown][1].contrast.mean, 0.3);
    EXPECT_LT(levels[kTown][2].contrast.mean, 0);
    ASSERT_EQ(levels[kTen].size(), 10U);
    double sum = 0;
    std::size_t rows = 0;
    for (const auto& level : levels[kTen]) {
      EXPECT_EQ(level.contrast.mean > 0, level.level % 2 == 0) << level.level;
      sum += level.contrast.mean * static_cast<double>(level.rows);
      rows += level.rows;
    }
    EXPECT_EQ(rows, mixed_table().rows);
    double of_rows = 0;
    for (std::size_t r = 0; r < rows; ++r) of_rows += gradients.values[(m * rows + r) * kColumns + kTen];
    EXPECT_NEAR(sum, of_rows, 1e-3 * static_cast<double>(rows));
  }
}

TEST(Views, AMissingNumberHasNoGradient) {
  const Gradients gradients = input_gradients(mixed_model(), mixed_table());
  ASSERT_EQ(gradients.features, kColumns);
  const Table& table = mixed_table();
  std::size_t missing = 0;
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (!table.find("age")->is_missing(r)) continue;
    ++missing;
    EXPECT_EQ(gradients.values[r * kColumns + kAge], 0) << r;
  }
  EXPECT_GT(missing, 100U);
}

TEST(Views, JsonAndCsvNameTheLevels) {
  const Explained found = explain(mixed_model(), mixed_table());
  const Json json = Json::parse(to_json(found, mixed_model()));
  const Json& features = json["members"][0]["features"];
  ASSERT_EQ(features.size(), kColumns);
  EXPECT_FALSE(features[kDose].contains("levels"));
  const Json& town = features[kTown]["levels"];
  ASSERT_EQ(town.size(), 3U);
  EXPECT_EQ(town[0]["level"], "oslo");
  EXPECT_TRUE(town[2]["level"].is_null());
  EXPECT_GT(town[2]["rows"], 0);
  const std::string csv = explanation_csv(found.all, mixed_model().schema);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * (5 + 3 + 10));
  EXPECT_NE(csv.find("\n2,town=missing,town,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\n2,ten=t7,ten,"), std::string::npos) << csv;
}

TEST(Views, ALevelThatTrainingNeverSawMovesNothing) {
  const Table table =
      read_csv(bytes_in_memory("new.csv", "dose,town,ten,weak,age\n0.5,paris,t1,0,0\n0.5,paris,t1,0,0\n"));
  const Explained found = explain(mixed_model(), table, {.row = 0});
  EXPECT_EQ(found.all.members[0].shares[kTown], 0);
  EXPECT_TRUE(found.all.members[0].levels[kTown].empty());
  EXPECT_EQ(found.row->members[0].features[kTown].mean, 0);
}

TEST(Views, InspectionTellsTheViewOfEachMember) {
  const auto facts = member_facts(mixed_model());
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].view, "linear");
  EXPECT_EQ(facts[0].inputs, 1U + 3 + 10 + 1 + 2);  // dose, town with its gap, ten, weak, age with its gap
  EXPECT_EQ(facts[1].view, "piecewise");
  EXPECT_EQ(facts[1].inputs, 8U + 3 + 10 + 8 + 9);
  EXPECT_EQ(facts[1].units, (std::vector<std::size_t>{16}));
  EXPECT_EQ(Json::parse(inspect_json(mixed_model()))["views"], (std::vector<std::string>{"linear", "piecewise"}));
  const TrainedModel model = fit(test::small_table(), test::plain_options()).model;
  EXPECT_EQ(member_views(model), (std::vector<std::string>(3, "plain")));
  EXPECT_FALSE(Json::parse(inspect_json(model)).contains("views"));
}

// The training log is of the networks, and the metrics are of all members.
TEST(Views, ALogisticMemberAndTreesAreSavedAndLoaded) {
  RunOptions options = test::small_options();
  options.train.members = 6;
  const TrainedModel model = fit(test::small_table(), options).model;
  const auto views = member_views(model);
  EXPECT_EQ((std::vector<std::string>{views.end() - 2, views.end()}), (std::vector<std::string>{"logistic", "trees"}));
  const std::string bytes = to_bytes(model);
  const TrainedModel loaded = model_from_bytes(bytes, "m");
  EXPECT_EQ(to_bytes(loaded), bytes);
  EXPECT_EQ(loaded.ensemble.trees, model.ensemble.trees);
  EXPECT_EQ(loaded.summary.log.epochs[0].fit.size(), 4U);
  EXPECT_EQ(loaded.summary.judged().evaluation->members.size(), 6U);
}

template <class Do>
std::string refusal(const Do& what) {
  try {
    what();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Views, WhatMovesInputsIsRefusedWithTheCure) {
  const std::string cure = "views=plain";  // as an error says it without a front end
  const auto& model = mixed_model();
  const auto& table = mixed_table();
  for (const std::string& said :
       {refusal([&] { evaluate(model, table, {.distance = {.epsilons = {0.1}}}); }),
        refusal([&] { evaluate(model, table, {.manifold = "pca:2"}); }),
        refusal([&] { explain(model, table, {.manifold = "auto"}); }),
        refusal([&] { charts(model, {.data = &table, .newer = nullptr, .newer_name = ""}, {.epsilons = {{0.1}}}); })}) {
    EXPECT_NE(said.find(cure), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
  EXPECT_EQ(refusal([&] { evaluate(model, table, {.manifold = "none"}); }), "");
}

TEST(Views, ThePageKnowsItsTableAgainAndShowsLevelsByName) {
  const ModelView view =
      view_model(mixed_model(), "m", {.data = &mixed_table(), .newer = nullptr, .newer_name = ""}, 1);
  ASSERT_TRUE(view.rows.has_value());
  EXPECT_TRUE(view.rows->as_trained);
  EXPECT_FALSE(view.rows->distance.has_value());
  EXPECT_EQ(view.rows->views, (std::vector<std::string>{"linear", "piecewise"}));
  ASSERT_EQ(view.networks.size(), 2U);
  ASSERT_EQ(view.rows->features.size(), kColumns);
  const auto named = [&](const std::string& name) {
    return *std::ranges::find(view.rows->features, name, &FeatureView::name);
  };
  EXPECT_TRUE(named("dose").levels.empty());
  const auto town = named("town").levels;
  ASSERT_EQ(town.size(), 3U);
  EXPECT_EQ(town[0].name, "rome");  // the largest contrast comes first
  EXPECT_EQ(town[0].contrasts.size(), 2U);
  const auto ten = named("ten").levels;
  ASSERT_EQ(ten.size(), 8U);  // those that move most
  for (std::size_t i = 1; i < ten.size(); ++i) {
    EXPECT_GE(ten[i - 1].contrasts[0] + ten[i - 1].contrasts[1], ten[i].contrasts[0] + ten[i].contrasts[1]);
  }
}

// An earlier perpend wrote no views into the options.
TEST(Views, ThePageOfAModelThatNamesNoneIsThatOfPlainFeatures) {
  TrainedModel model = fit(test::small_table(), test::plain_options()).model;
  Json options = Json::parse(model.options);
  for (const char* key : {"views", "bins", "rate_drops"}) options.erase(key);
  model.options = options.dump();
  const Table table = test::small_table();
  const ModelView view = view_model(model, "m", {.data = &table, .newer = nullptr, .newer_name = ""}, 1);
  EXPECT_TRUE(view.rows->as_trained);
  EXPECT_TRUE(view.rows->distance.has_value());
  EXPECT_TRUE(view.networks.empty() && view.rows->views.empty());
}

}  // namespace
}  // namespace perpend
