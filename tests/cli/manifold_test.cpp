// Independence along the data, by the program's own figures. On builtin:blocks the four sensors of a group are nearly
// the same, so plain LIT can be orthogonal inside each group. In blocks-failed the strongest group has no information.
#include <cmath>

#include "tests/cli/json_output.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

double best_member(const Json& metrics) {
  double best = 0;
  for (const auto& member : metrics.at("members")) best = std::max<double>(best, member.at("auc"));
  return best;
}

class Blocks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    for (const std::string manifold : {"auto", "none"}) {
      const auto run = perpend({"train", "builtin:blocks", "--target", "target", "-o", path(manifold), "--members", "3",
                                "--views", "plain", "--manifold", manifold});
      ASSERT_EQ(run.exit_code, 0) << run.err;
      said_[manifold == "auto" ? 0 : 1] = run.err + run.out;
    }
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string path(const std::string& name) { return (folder_->path() / name).string(); }

  static TemporaryFolder* folder_;
  static std::string said_[2];
};
TemporaryFolder* Blocks::folder_ = nullptr;
std::string Blocks::said_[2];

TEST_F(Blocks, AlongTheManifoldOneMemberIsFreeOfTheGroupThatFails) {
  const Json along = json_of({"evaluate", path("auto"), "builtin:blocks-failed", "--json"}).at("metrics");
  const Json plain = json_of({"evaluate", path("none"), "builtin:blocks-failed", "--json"}).at("metrics");
  EXPECT_GE(best_member(along), 0.98);
  EXPECT_LT(best_member(plain), 0.95);
}

TEST_F(Blocks, PlainLitIsOrthogonalInColumnsAndNotAlongTheData) {
  const Json plain =
      json_of({"evaluate", path("none"), "builtin:blocks", "--json", "--manifold", "pca:3"}).at("metrics");
  const Json along = json_of({"evaluate", path("auto"), "builtin:blocks", "--json"}).at("metrics");
  EXPECT_LT(plain.at("grad_cos2"), 0.1);
  EXPECT_GT(plain.at("tangent_cos2"), 0.3);
  EXPECT_LT(along.at("tangent_cos2"), 0.1);
}

TEST_F(Blocks, TheOutputSaysWhatAutoFound) {
  EXPECT_TRUE(contains(said_[0], "3 of 12 principal directions carry 96")) << said_[0];
  EXPECT_TRUE(contains(said_[0], "along the manifold")) << said_[0];
  EXPECT_FALSE(contains(said_[0], "near-duplicate")) << said_[0];
  EXPECT_TRUE(contains(said_[1], "near-duplicate columns")) << said_[1];
}

TEST_F(Blocks, ExplainReadsMembersAlongTheManifold) {
  const Json seen = json_of({"explain", path("auto"), "builtin:blocks", "--json"});
  for (const auto& member : seen.at("members")) {
    double sum = 0;
    for (const auto& column : member.at("tangent_columns")) sum += column.at("share").get<double>();
    EXPECT_NEAR(sum, 1, 1e-9);
  }
  for (const auto& pair : seen.at("pairs")) EXPECT_LT(pair.at("tangent_cos2"), 0.2);
  EXPECT_TRUE(contains(perpend({"explain", path("auto"), "builtin:blocks"}).out, "along the manifold"));
  EXPECT_FALSE(json_of({"explain", path("none"), "builtin:blocks", "--json"}).at("pairs")[0].contains("tangent_cos2"));
}

TEST_F(Blocks, AModelOfLocalTangentsSaysThatItKeepsNone) {
  const auto trained = perpend({"train", "builtin:manifold", "--target", "target", "-o", path("local"), "--members",
                                "2", "--manifold", "local-pca:2", "--epochs", "1"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto plain = perpend({"evaluate", path("local"), "builtin:manifold", "--json"});
  EXPECT_TRUE(contains(plain.err, "is not kept; give --manifold")) << plain.err;
  EXPECT_FALSE(Json::parse(plain.out).at("metrics").contains("tangent_cos2"));
}

TEST_F(Blocks, TangentsThatLeaveFloatRangeAreOneLine) {
  std::string down = "[1e-3]", up = "1e30", zeros = "0";
  for (int c = 1; c < 12; ++c) {
    down += ",[1e-3]";
    up += ",1e30";
    zeros += ",0";
  }
  const std::string file = path("steep.json");
  std::ofstream(file) << R"({"activation":"relu","encoder":[{"weight":[)" << down
                      << R"(],"bias":[0]}],"decoder":[{"weight":[[1e30]],"bias":[0]},{"weight":[[)" << up
                      << R"(]],"bias":[)" << zeros << "]}]}";
  for (const char* verb : {"evaluate", "explain"}) {
    const auto run = perpend({verb, path("none"), "builtin:blocks", "--manifold", file});
    EXPECT_TRUE(contains(expect_error(run, 4), "leave float range")) << run.err;
  }
}

TEST_F(Blocks, WrongManifoldsAreRefused) {
  const std::vector<std::string> train = {"train", "builtin:blocks", "--target",  "target",
                                          "-o",    path("x"),        "--manifold"};
  const auto with = [&](const std::string& spec) {
    auto words = train;
    words.push_back(spec);
    return perpend(words);
  };
  EXPECT_TRUE(contains(expect_error(with("pcs:3"), 3), "it must be none, auto, pca:K"));
  EXPECT_TRUE(contains(expect_error(with("pca:13"), 3),
                       "--manifold asks for 13 directions, but the table has 12 encoded columns"));
  expect_error(with("none.npy"), 6);
  EXPECT_TRUE(contains(
      expect_error(perpend({"train", "builtin:blocks", "--target", "target", "-o", path("x"), "--penalty", "finite"}),
                   3),
      "dropout is 0.2"));
}

TEST(FiniteSteps, AreMeasuredByEvaluate) {
  const TemporaryFolder folder;
  const std::string model = (folder.path() / "m").string();
  const auto trained = perpend({"train", "builtin:quadrants", "--target", "target", "-o", model, "--members", "2",
                                "--activation", "softplus", "--epochs", "60", "--views", "plain"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Json seen =
      json_of({"evaluate", model, "builtin:quadrants", "--json", "--epsilon", "0.01,0.5", "--starts", "2"});
  const Json& finite = seen.at("finite");
  EXPECT_EQ(finite.at("grad_cos2"), seen.at("metrics").at("grad_cos2"));
  ASSERT_EQ(finite.at("epsilons").size(), 2U);
  const Json& near = finite.at("epsilons")[0];
  const Json& far = finite.at("epsilons")[1];
  EXPECT_EQ(near.at("pairs").size(), 2U);
  EXPECT_NEAR(near.at("noise_correlation2").get<double>(), finite.at("grad_cos2").get<double>(), 0.02);
  EXPECT_NEAR(near.at("noise_information").get<double>(), finite.at("local_mutual_information").get<double>(), 0.05);
  EXPECT_GT(far.at("indep_err").get<double>(), near.at("indep_err").get<double>());
  const auto text = perpend({"evaluate", model, "builtin:quadrants", "--epsilon", "0.1", "--norm", "linf", "--box"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "IndepErr")) << text.out;
  EXPECT_FALSE(contains(perpend({"evaluate", model, "builtin:quadrants"}).out, "IndepErr"));
  // Without distances nothing uses these flags.
  for (const char* flag : {"--norm=linf", "--steps=3", "--starts=2", "--draws=9", "--box"}) {
    EXPECT_TRUE(contains(expect_error(perpend({"evaluate", model, "builtin:quadrants", flag}), 2), "--epsilon"))
        << flag;
  }
}

}  // namespace
}  // namespace perpend::test
