#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

const std::vector<std::string> kQuick = {"bench",     "--seconds", "0.05",      "--features", "8",
                                         "--members", "2",         "--threads", "1"};

TEST(Bench, JsonHasTheAgreedKeys) {
  auto arguments = kQuick;
  arguments.emplace_back("--json");
  const auto run = perpend(arguments);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto document = nlohmann::json::parse(run.out);
  EXPECT_GT(document.at("peak_gflops"), 0.0);
  EXPECT_GT(document.at("startup_ms").at("least"), 0.0);
  EXPECT_LE(document.at("startup_ms").at("least"), document.at("startup_ms").at("median"));
  ASSERT_EQ(document.at("cases").size(), 2U);
  for (const auto& entry : document["cases"]) {
    EXPECT_EQ(entry.at("rows"), 256);
    EXPECT_EQ(entry.at("features"), 8);
    EXPECT_EQ(entry.at("hidden"), 256);
    EXPECT_EQ(entry.at("members"), 2);
    EXPECT_EQ(entry.at("bins"), 0);
    EXPECT_EQ(entry.at("threads"), 1);
    EXPECT_GT(entry.at("percent_of_peak"), 0.0);
    EXPECT_LE(entry.at("ms_least"), entry.at("ms_per_step"));
    EXPECT_LE(entry.at("ms_per_step"), entry.at("ms_most"));
  }
  EXPECT_EQ(document["cases"][0]["method"], "restarts");
  EXPECT_EQ(document["cases"][0]["over_restarts"], 1.0);
  EXPECT_EQ(document["cases"][1]["method"], "lit");
}

TEST(Bench, BinsTimesStepsOverPiecewiseColumns) {
  auto arguments = kQuick;
  arguments.insert(arguments.end(), {"--bins", "16", "--json"});
  const auto run = perpend(arguments);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto cases = nlohmann::json::parse(run.out).at("cases");
  ASSERT_EQ(cases.size(), 2U);
  for (const auto& entry : cases) EXPECT_EQ(entry.at("bins"), 16);
  EXPECT_TRUE(contains(expect_error(perpend({"bench", "--bins", "16", "--methods"}), 2), "--bins"));
}

TEST(Bench, SaysWhatThreadsGainBesideWhatTheMachineGives) {
  const auto run =
      perpend({"bench", "--seconds", "0.05", "--features", "8", "--members", "2", "--threads", "1,2", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto threads = nlohmann::json::parse(run.out).at("threads");
  EXPECT_EQ(threads.at("threads"), 2);
  EXPECT_EQ(threads.at("features"), 8);
  EXPECT_EQ(threads.at("members"), 2);
  EXPECT_GT(threads.at("peaks"), 0.0);
  EXPECT_NEAR(threads.at("speedup").get<double>(),
              threads.at("ms_one").get<double>() / threads.at("ms_all").get<double>(), 1e-9);
}

TEST(Bench, GflopsCountUsefulOperations) {
  auto arguments = kQuick;
  arguments.emplace_back("--json");
  const auto cases = nlohmann::json::parse(perpend(arguments).out).at("cases");
  const double products[2] = {4, 6};
  for (std::size_t i = 0; i < 2; ++i) {
    const double operations = products[i] * 256 * 8 * 256 * 2;
    const double milliseconds = cases[i]["ms_per_step"];
    EXPECT_NEAR(cases[i]["gflops"].get<double>(), 1e-6 * operations / milliseconds, 1e-6);
  }
}

TEST(Bench, MethodsGivesAStepOfEachBesideRestarts) {
  auto arguments = kQuick;
  arguments.emplace_back("--methods");
  arguments.emplace_back("--json");
  const auto run = perpend(arguments);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto cases = nlohmann::json::parse(run.out).at("cases");
  const std::vector<std::string> names = {"restarts", "bagging", "adaboost", "ncl", "ace", "lit"};
  ASSERT_EQ(cases.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(cases[i].at("method"), names[i]);
    EXPECT_NEAR(cases[i].at("over_restarts").get<double>(),
                cases[i].at("ms_least").get<double>() / cases[0].at("ms_least").get<double>(), 1e-9);
  }
}

TEST(Bench, MeasuresTheInstructionSetItIsAskedFor) {
  const auto run = perpend({"bench", "--seconds", "0", "--features", "1", "--members", "2", "--threads", "1",
                            "--target", "SCALAR", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out).at("target"), "SCALAR");
}

TEST(Bench, NamesTheInstructionSetsThatItKnows) {
  const auto run = perpend({"bench", "--target", "ABACUS"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.err, "ABACUS is none of this machine's: ")) << run.err;
  EXPECT_TRUE(contains(run.err, "SCALAR")) << run.err;
}

TEST(Bench, TextIsPlainInAPipe) {
  const auto run = perpend(kQuick);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(contains(run.out, "CPU target"));
  EXPECT_TRUE(contains(run.out, "Start of the program"));
  EXPECT_TRUE(contains(run.out, "lit"));
  EXPECT_FALSE(has_control_bytes(run.out));
}

}  // namespace
}  // namespace perpend::test
