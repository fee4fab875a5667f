// What the verbs say of a model with views, trained on a table with a category and missing cells.
#include <algorithm>
#include <sstream>

#include "tests/cli/json_output.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

// dose (missing in every ninth row), town (oslo, rome; missing in every seventh row), age; y follows dose and town.
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

}  // namespace
}  // namespace perpend::test
