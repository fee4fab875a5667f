// What the verbs say about a model with views, trained on a table with a category and missing cells.
#include <algorithm>
#include <sstream>

#include "tests/cli/json_output.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

// The columns are dose (missing in every ninth row), town (oslo, rome; missing in every seventh row) and age. y follows
// dose and town.
std::string table_with_gaps(int rows = 140) {
  std::string text = "dose,town,age,y\n";
  for (int i = 0; i < rows; ++i) {
    const int dose = i * 7 % 11;
    const bool rome = i % 2 == 0;
    text += (i % 9 == 4 ? "" : std::to_string(dose)) + "," +
            (i % 7 == 3 ? ""
             : rome     ? "rome"
                        : "oslo") +
            "," + std::to_string(i * 5 % 13) + (dose + (rome ? 5 : 0) > 7 ? ",yes\n" : ",no\n");
  }
  return text;
}

class ModelWithViews : public SmallModel {
 protected:
  static void SetUpTestSuite() {
    kept_ = new TemporaryFolder;
    std::ofstream(kept("gaps.csv")) << table_with_gaps();
    const auto run = perpend({"train", kept("gaps.csv"), "--target", "y", "-o", kept("model"), "--members", "3",
                              "--hidden", "16", "--epochs", "60"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  static void TearDownTestSuite() { delete kept_; }
  static std::string kept(const std::string& name) { return (kept_->path() / name).string(); }

 private:
  static inline TemporaryFolder* kept_ = nullptr;
};

TEST_F(ModelWithViews, ExplainNamesViewsUnitsAndLevels) {
  const auto run = perpend({"explain", kept("model"), kept("gaps.csv")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out,
                       "Gradients are those of the log-odds of 'yes', per standard deviation of a number, and of a "
                       "category's level compared with the mean level."))
      << run.out;
  EXPECT_TRUE(contains(run.out, "member 1, linear, weight 0.")) << run.out;
  EXPECT_TRUE(contains(run.out, "member 2, piecewise, weight 0.")) << run.out;
  EXPECT_TRUE(contains(run.out, " rome +")) << run.out;
  EXPECT_TRUE(contains(run.out, " oslo -")) << run.out;
  EXPECT_FALSE(contains(run.out, "nan")) << run.out;
  EXPECT_FALSE(has_control_bytes(run.out));
}

TEST_F(ModelWithViews, ExplainListsEveryLevelInItsFiles) {
  const Json found = json_of({"explain", kept("model"), kept("gaps.csv"), "--json", "-o", path("gradients.csv")});
  const Json& features = found.at("members")[2].at("features");
  ASSERT_EQ(features.size(), 3U);
  const Json& town = features[1].at("levels");
  ASSERT_EQ(town.size(), 3U);
  EXPECT_EQ(town[1].at("level"), "rome");
  EXPECT_TRUE(town[2].at("level").is_null());
  EXPECT_EQ(town[2].at("rows"), 20);
  const std::string csv = file_content(path("gradients.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 3 * (3 + 3));
  EXPECT_TRUE(contains(csv, "\n1,town=missing,town,")) << csv;
  const Json row = json_of({"explain", kept("model"), kept("gaps.csv"), "--row", "5", "--json"});
  EXPECT_EQ(row.at("members")[0].at("gradient").at("dose"), 0);  // its cell is missing
}

TEST_F(ModelWithViews, InspectHasATableOfMembers) {
  const auto run = perpend({"inspect", kept("model")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "  members     3 networks of 3-16-2\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "\nmembers, on test rows\n")) << run.out;
  std::istringstream lines(run.out.substr(run.out.find("\nmembers, on test rows\n") + 1));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  const std::string views[] = {"linear", "piecewise", "linear"};
  const Json members =
      json_of({"inspect", kept("model"), "--json"}).at("summary").at("metrics").at("test").at("members");
  for (int m = 0; m < 3; ++m) {
    std::string view;
    int member = 0, inputs = 0, units = 0;
    double weight = 0, auc = 0;
    lines >> member >> view >> inputs >> units >> weight >> auc;
    EXPECT_EQ(member, m + 1);
    EXPECT_EQ(view, views[m]);
    EXPECT_EQ(units, 16);
    EXPECT_GT(inputs, 3);
    EXPECT_NEAR(auc, members[m].at("auc").get<double>(), 5e-4);
    std::getline(lines, line);
  }
  EXPECT_EQ(json_of({"inspect", kept("model"), "--json"}).at("views"), (Json{"linear", "piecewise", "linear"}));
}

TEST_F(ModelWithViews, InspectOfPlainFeaturesHasNone) {
  ASSERT_EQ(train(write("plain.csv", small_table()), {"--views", "plain", "--hidden", "4"}).exit_code, 0);
  EXPECT_FALSE(contains(perpend({"inspect", path("model")}).out, "\nmembers"));
  EXPECT_FALSE(json_of({"inspect", path("model"), "--json"}).contains("views"));
}

TEST_F(ModelWithViews, WhatMovesInputsIsOneLineThatNamesTheCure) {
  const std::vector<std::vector<std::string>> asked = {
      {"evaluate", kept("model"), kept("gaps.csv"), "--epsilon", "0.1"},
      {"evaluate", kept("model"), kept("gaps.csv"), "--manifold", "pca:2"},
      {"explain", kept("model"), kept("gaps.csv"), "--manifold", "auto"}};
  for (const auto& words : asked) {
    EXPECT_TRUE(contains(expect_error(perpend(words), 3), "--views plain")) << words[0] << ' ' << words[3];
  }
  EXPECT_EQ(perpend({"evaluate", kept("model"), kept("gaps.csv"), "--manifold", "none"}).exit_code, 0);
}

TEST_F(ModelWithViews, PredictAndAdaptTakeGapsAndNewLevels) {
  const std::string odd = write("odd.csv", "dose,town,age\n,,\n3,paris,1\n1e30,rome,2\n");
  const auto run = perpend({"predict", kept("model"), odd, "--members", "--abstain", "0.05"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 4);
  EXPECT_FALSE(contains(run.out, "nan")) << run.out;
  const Json adapted = json_of({"adapt", kept("model"), kept("gaps.csv"), "-o", path("there"), "--json"});
  EXPECT_EQ(adapted.at("rows"), 140);
  EXPECT_EQ(json_of({"inspect", path("there"), "--json"}).at("views"), (Json{"linear", "piecewise", "linear"}));
}

TEST_F(ModelWithViews, PermuteSaysWhatEachColumnIsWorth) {
  const auto run = perpend({"explain", kept("model"), kept("gaps.csv"), "--permute"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "when a column is shuffled")) << run.out;
  EXPECT_TRUE(contains(run.out, "log-loss")) << run.out;
  EXPECT_TRUE(contains(run.out, "mean of 5 shuffles")) << run.out;
  const Json found = json_of({"explain", kept("model"), kept("gaps.csv"), "--permute", "--json"}).at("permutation");
  ASSERT_EQ(found.at("columns").size(), 3U);
  const Json& dose = found.at("columns")[0];
  EXPECT_EQ(dose.at("column"), "dose");
  EXPECT_TRUE(dose.at("seen").get<bool>());
  EXPECT_GT(dose.at("increase").get<double>(), 0.1);
  EXPECT_EQ(dose.at("members").size(), 3U);
  EXPECT_EQ(found.at("rows"), 140);
  const std::string csv = perpend({"explain", kept("model"), kept("gaps.csv"), "--permute", "-o", "-"}).out;
  EXPECT_TRUE(contains(csv, "column,who,increase,standard_error\ndose,ensemble,")) << csv;
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 3 * 4);
}

TEST_F(ModelWithViews, PermuteSaysWhereNoEffectIsSeen) {
  // Every row has the same age, so a shuffle of it changes nothing.
  std::string text = "dose,town,age,y\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i % 11) + ",rome,5," + (i % 11 > 2 ? "yes" : "no") + "\n";
  const auto run = perpend({"explain", kept("model"), write("flat.csv", text), "--permute"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::size_t age = run.out.find("  age ");
  ASSERT_NE(age, std::string::npos) << run.out;
  EXPECT_TRUE(contains(run.out.substr(age, run.out.find('\n', age) - age), "no effect seen")) << run.out;
}

TEST_F(ModelWithViews, PermuteNeedsTheTarget) {
  const auto bare = write("bare.csv", "dose,town,age\n1,rome,3\n");
  EXPECT_TRUE(contains(expect_error(perpend({"explain", kept("model"), bare, "--permute"}), 4), "has no column 'y'"));
  expect_error(perpend({"explain", kept("model"), kept("gaps.csv"), "--permute", "--row", "1"}), 2);
}

TEST_F(ModelWithViews, CurveShowsTheMeanAnswerByMember) {
  const auto run = perpend({"explain", kept("model"), kept("gaps.csv"), "--curve", "town"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "The probability of 'yes', when 'town' is set")) << run.out;
  EXPECT_TRUE(contains(run.out, "missing")) << run.out;
  const Json found = json_of({"explain", kept("model"), kept("gaps.csv"), "--curve", "dose", "--json"});
  EXPECT_EQ(found.at("points").size(), 11U);
  EXPECT_EQ(found.at("points")[3], 3.0);
  const auto curve = found.at("curves")[0].at("ensemble").get<std::vector<double>>();
  EXPECT_LT(curve.front(), curve.back());
  const std::string csv = perpend({"explain", kept("model"), kept("gaps.csv"), "--curve", "town", "-o", "-"}).out;
  EXPECT_TRUE(contains(csv, "column,value,class,who,mean\ntown,")) << csv;
  EXPECT_TRUE(contains(csv, "\ntown,,yes,ensemble,")) << csv;
  EXPECT_TRUE(contains(expect_error(perpend({"explain", kept("model"), kept("gaps.csv"), "--curve", "dos"}), 4),
                       "did you mean 'dose'"));
  expect_error(perpend({"explain", kept("model"), kept("gaps.csv"), "--curve", "dose", "--permute"}), 2);
}

}  // namespace
}  // namespace perpend::test
