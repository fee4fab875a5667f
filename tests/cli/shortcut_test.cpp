// What local independence is for, by the program's own figures. On builtin:shortcut the column ward gives the answer at
// home. In -failed it has no information, and in -flipped it says the opposite.
#include <fstream>
#include <sstream>

#include "tests/cli/json_output.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

// Both ensembles are trained once, with train's defaults except for three members.
class Shortcut : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    for (const std::string method : {"lit", "restarts"}) {
      std::vector<std::string> words = {"train",
                                        "builtin:shortcut",
                                        "--target",
                                        "target",
                                        "-o",
                                        path(method),
                                        "--members",
                                        "3",
                                        "--method",
                                        method,
                                        "--views",
                                        "plain",
                                        "--dropout",
                                        "0.5",
                                        "--hidden",
                                        "256",
                                        "--batch-size",
                                        "256",
                                        "--learning-rate",
                                        "1e-3",
                                        "--early-stopping",
                                        "0"};
      const auto run = perpend(words);
      ASSERT_EQ(run.exit_code, 0) << run.err;
    }
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string path(const std::string& name) { return (folder_->path() / name).string(); }

  // Sixteen labelled rows of the place where ward says the opposite.
  static std::string few_rows(int seed) {
    const std::string file = path("few" + std::to_string(seed) + ".csv");
    if (!std::filesystem::exists(file)) {
      const auto made =
          perpend({"data", "make", "shortcut-flipped", "--rows", "16", "--seed", std::to_string(seed), "-o", file});
      EXPECT_EQ(made.exit_code, 0) << made.err;
    }
    return file;
  }
  static double ensemble_auc(const std::string& model, const std::string& data) {
    return json_of({"evaluate", path(model), data, "--json"}).at("metrics").at("auc");
  }
  static double best_member_auc(const std::string& model, const std::string& data) {
    const auto metrics = json_of({"evaluate", path(model), data, "--json"}).at("metrics");
    double best = 0;
    for (const auto& member : metrics.at("members")) best = std::max<double>(best, member.at("auc"));
    return best;
  }
  // Column `disagreement` of predict.
  static std::vector<double> disagreement(const std::string& model, const std::string& data) {
    std::istringstream rows(perpend({"predict", path(model), data}).out);
    std::string line;
    std::getline(rows, line);
    std::vector<double> values;
    while (std::getline(rows, line)) values.push_back(std::stod(line.substr(line.rfind(',') + 1)));
    return values;
  }

 private:
  static inline TemporaryFolder* folder_ = nullptr;
};

double auroc(const std::vector<double>& low, const std::vector<double>& high) {
  double won = 0;
  for (const double h : high) {
    for (const double l : low) won += h > l ? 1 : h == l ? 0.5 : 0;
  }
  return won / static_cast<double>(low.size() * high.size());
}

TEST_F(Shortcut, OneLitMemberNeverUsesItAndEveryRestartDoes) {
  EXPECT_GE(best_member_auc("lit", "builtin:shortcut-failed"), 0.95);
  EXPECT_LE(best_member_auc("restarts", "builtin:shortcut-failed"), 0.75);
}

// This is what a user gets without any option: one of twelve members does not use the shortcut.
TEST_F(Shortcut, OneMemberOfTheDefaultsNeverUsesIt) {
  for (const char* seed : {"0", "1"}) {
    const auto run =
        perpend({"train", "builtin:shortcut", "--target", "target", "-o", path("defaults"), "--seed", seed, "--force"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_GE(best_member_auc("defaults", "builtin:shortcut-failed"), 0.95) << seed;
  }
}

TEST_F(Shortcut, DisagreementTellsFlippedRowsFromFamiliarOnes) {
  ASSERT_EQ(perpend({"data", "make", "shortcut", "--seed", "1", "-o", path("new.csv")}).exit_code, 0);
  const auto familiar = disagreement("lit", path("new.csv"));
  const auto flipped = disagreement("lit", "builtin:shortcut-flipped");
  ASSERT_EQ(flipped.size(), 1500U);
  EXPECT_GE(auroc(familiar, flipped), 0.95);
}

TEST_F(Shortcut, AdaptFindsTheRightMemberFromSixteenRows) {
  EXPECT_LE(ensemble_auc("lit", "builtin:shortcut-flipped"), 0.05);
  std::vector<double> aucs;
  for (int draw = 1; draw <= 20; ++draw) {
    const auto run = perpend({"adapt", path("lit"), few_rows(draw), "-o", path("there"), "--force"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    aucs.push_back(ensemble_auc("there", "builtin:shortcut-flipped"));
  }
  std::ranges::sort(aucs);
  EXPECT_GE((aucs[9] + aucs[10]) / 2, 0.95);
}

TEST_F(Shortcut, AdaptChangesTheDecisionAndANoteAndNothingElse) {
  const auto answer = json_of({"adapt", path("lit"), few_rows(1), "-o", path("noted"), "--json"});
  EXPECT_EQ(answer.at("rows"), 16);
  EXPECT_EQ(answer.at("changed"), true);
  EXPECT_LT(answer.at("loss").at("after"), answer.at("loss").at("before"));
  Json before = json_of({"inspect", path("lit"), "--json"});
  Json after = json_of({"inspect", path("noted"), "--json"});
  EXPECT_EQ(after.at("member_weights"), answer.at("member_weights").at("after"));
  EXPECT_EQ(after.at("summary").at("adapted").at("rows"), 16);
  after.at("summary").erase("adapted");
  for (const char* key : {"options", "schema", "summary"}) EXPECT_EQ(after.at(key), before.at(key)) << key;
  // The tensors are the last bytes of the file: three members of 8 x 256 + 256 + 256 x 2 + 2 floats.
  const std::size_t tensors = std::size_t{3} * (8 * 256 + 256 + 256 * 2 + 2) * 4;
  const std::string old_file = file_content(path("lit"));
  const std::string new_file = file_content(path("noted"));
  EXPECT_TRUE(old_file.substr(old_file.size() - tensors) == new_file.substr(new_file.size() - tensors));
}

TEST_F(Shortcut, AdaptWarnsOfTooFewRowsAndOfOneClass) {
  std::ifstream in(few_rows(1));
  std::ofstream ill(path("ill.csv"));
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with("target") || (line.ends_with(",ill") && rows++ < 3)) ill << line << '\n';
  }
  ill.close();
  const auto run = perpend({"adapt", path("lit"), path("ill.csv"), "-o", path("ill")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "warning: 3 rows")) << run.err;
  EXPECT_TRUE(contains(run.err, "warning: every row is 'ill'")) << run.err;
  EXPECT_TRUE(contains(run.out, "Member ")) << run.out;
}

TEST_F(Shortcut, AdaptsMistakesAreOneLine) {
  EXPECT_TRUE(
      contains(expect_error(perpend({"adapt", path("lit"), few_rows(1), "-o", path("restarts")}), 6), "--force"));
  std::string text = file_content(few_rows(1));
  text.replace(text.find("ill"), 3, "sick");
  std::ofstream(path("unknown.csv")) << text;
  EXPECT_TRUE(
      contains(expect_error(perpend({"adapt", path("lit"), path("unknown.csv"), "-o", path("x")}), 4), "'sick'"));
  std::ofstream(path("bare.csv")) << "ward,sodium,potassium,height,floor,weekday,hour,bed\n1,1,1,1,1,1,1,1\n";
  EXPECT_TRUE(
      contains(expect_error(perpend({"adapt", path("lit"), path("bare.csv"), "-o", path("x")}), 4), "'target'"));
  expect_error(perpend({"adapt", path("lit"), few_rows(1)}), 2);
  EXPECT_FALSE(std::filesystem::exists(path("x")));
}

TEST_F(Shortcut, ExplainNamesTheColumnsThatStandInForIt) {
  const auto run = perpend({"explain", path("lit"), "builtin:shortcut", "--top", "2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "Substitutes found: ward ")) << run.out;
  EXPECT_TRUE(contains(run.out, " {sodium, potassium}: ")) << run.out;
  EXPECT_TRUE(contains(run.out, "reach the same answers from different columns.")) << run.out;
  EXPECT_TRUE(contains(run.out, "6 other columns")) << run.out;
  EXPECT_FALSE(has_control_bytes(run.out));
  EXPECT_TRUE(contains(perpend({"explain", path("restarts"), "builtin:shortcut"}).out, "No substitutes found"));
}

TEST_F(Shortcut, ExplainJsonAndCsvHoldEveryMemberAndColumn) {
  const auto document = json_of({"explain", path("lit"), "builtin:shortcut", "--json", "-o", path("gradients.csv")});
  ASSERT_EQ(document.at("members").size(), 3U);
  EXPECT_EQ(document.at("pairs").size(), 3U);
  EXPECT_EQ(document.at("substitutes").size(), 1U);
  for (const auto& member : document.at("members")) {
    double sum = 0;
    for (const auto& column : member.at("columns")) sum += column.at("share").get<double>();
    EXPECT_NEAR(sum, 1, 1e-12);
    ASSERT_EQ(member.at("features").size(), 8U);
    const auto& quantiles = member.at("features")[0].at("quantiles");
    EXPECT_LE(quantiles.at("0.05"), quantiles.at("0.5"));
    EXPECT_LE(quantiles.at("0.5"), quantiles.at("0.95"));
  }
  const std::string csv = file_content(path("gradients.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 3 * 8);
}

TEST_F(Shortcut, ExplainsOneRowCountedFromOneWithoutItsLabel) {
  // The second row is the strange one: at home the members agree, elsewhere they do not.
  std::ofstream(path("two.csv")) << "ward,sodium,potassium,height,floor,weekday,hour,bed\n"
                                    "2.5,2.2,0,0,0,0,0,0\n"
                                    "-2.5,2.2,0,0,0,0,0,0\n";
  const auto run = perpend({"explain", path("lit"), path("two.csv"), "--row", "2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "row 2: probability of 'well' ")) << run.out;
  EXPECT_TRUE(contains(run.out, "they disagree more than on any familiar row")) << run.out;
  EXPECT_TRUE(contains(run.out, "member 3 looked at ")) << run.out;
  const auto first = json_of({"explain", path("lit"), path("two.csv"), "--row", "1", "--json"});
  const auto second = json_of({"explain", path("lit"), path("two.csv"), "--row", "2", "--json"});
  EXPECT_LT(first.at("disagreement"), 0.1);
  EXPECT_GT(second.at("disagreement"), 0.3);
  EXPECT_EQ(second.at("familiar_rows_below_percent"), 100);
  EXPECT_EQ(second.at("members").size(), 3U);
  EXPECT_TRUE(contains(expect_error(perpend({"explain", path("lit"), path("two.csv"), "--row", "3"}), 2), "2 rows"));
  expect_error(perpend({"explain", path("lit"), path("two.csv"), "--row", "0"}), 2);
}

// A table made here has three classes and a column of levels.
TEST_F(Shortcut, ExplainAndAdaptTakeManyClassesAndLevels) {
  std::ofstream table(path("three.csv"));
  table << "a,b,kind,y\n";
  for (int r = 0; r < 120; ++r) {
    const int k = r % 3;
    const double jitter = 0.1 * ((r * 7) % 11);
    table << k + jitter << ',' << k - jitter << ',' << "uvw"[(r / 3) % 3] << ',' << "RGB"[k] << '\n';
  }
  table.close();
  const auto trained =
      perpend({"train", path("three.csv"), "--target", "y", "-o", path("three"), "--members", "2", "--epochs", "50"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto document = json_of({"explain", path("three"), path("three.csv"), "--json"});
  EXPECT_EQ(document.at("members")[0].at("columns").size(), 3U);
  EXPECT_EQ(document.at("members")[0].at("features").size(), 3U);
  const auto row = perpend({"explain", path("three"), path("three.csv"), "--row", "5"});
  EXPECT_TRUE(contains(row.out, "familiar row")) << row.out;
  EXPECT_EQ(perpend({"adapt", path("three"), path("three.csv"), "-o", path("three_there")}).exit_code, 0);
  EXPECT_TRUE(
      contains(perpend({"predict", path("three_there"), path("three.csv"), "--abstain", "0.1"}).out, ",abstain,"));
}

}  // namespace
}  // namespace perpend::test
