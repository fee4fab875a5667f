#include "tests/cli/program.h"

namespace perpend::test {
namespace {

TEST(Program, HelpLeadsWithExamplesAndNamesEveryVerb) {
  const auto run = perpend({"--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_LT(run.out.find("Examples:"), run.out.find("Options:"));
  for (const char* verb : {"demo", "bench", "train", "predict", "evaluate", "explain", "adapt", "compare", "data"})
    EXPECT_TRUE(contains(run.out, std::string("perpend ") + verb)) << verb;
}

TEST(Program, EveryVerbHasItsOwnHelpWithExamples) {
  for (const char* verb : {"demo", "bench", "train", "predict", "evaluate", "explain", "adapt", "ask", "compare",
                           "inspect", "reproduce", "status", "table", "data", "doctor", "completions"}) {
    const auto run = perpend({verb, "--help"});
    EXPECT_EQ(run.exit_code, 0) << verb;
    EXPECT_LT(run.out.find("Examples:\n  perpend " + std::string(verb)), run.out.find("Options:")) << run.out;
  }
}

TEST(Program, HelpNamesTheWholeVerbAndTheValueOfEachFlag) {
  const auto nested = perpend({"data", "make", "--help"});
  EXPECT_TRUE(contains(nested.out, "Usage: perpend data make ")) << nested.out;
  const auto train = perpend({"train", "--help"});
  EXPECT_TRUE(contains(train.out, "--target COL ")) << train.out;
  EXPECT_TRUE(contains(train.out, "--activation relu|softplus|tanh|sigmoid")) << train.out;
}

TEST(Program, VersionIsOneLine) {
  const auto run = perpend({"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out.rfind("perpend 0.", 0), 0U);
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 1);
}

TEST(Program, WrongUsageIsOneLineThatPointsToHelp) {
  EXPECT_TRUE(contains(expect_error(perpend({}), 2), "perpend --help"));
  EXPECT_TRUE(contains(expect_error(perpend({"dmeo"}), 2), "dmeo"));
  EXPECT_TRUE(contains(expect_error(perpend({"bench", "--frobnicate"}), 2), "see perpend bench --help"));
  EXPECT_TRUE(contains(expect_error(perpend({"bench", "--features", "0"}), 2), "--features"));
  EXPECT_TRUE(contains(expect_error(perpend({"bench", "--features", "8,x"}), 2), "x"));
  EXPECT_TRUE(contains(expect_error(perpend({"bench", "--seconds", "nan"}), 2), "--seconds"));
  expect_error(perpend({"bench", "--seconds"}), 2);
  expect_error(perpend({"bench", "demo"}), 2);
  expect_error(perpend({"demo", "two\nlines"}), 2);
}

TEST(Program, ResultsThatCannotBeWrittenAreAnInputOutputError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full on this system";
  // The outputs are one line, a page, and more than any buffer holds.
  const std::vector<std::vector<std::string>> answers = {
      {"--version"}, {"train", "--print-options"}, {"data", "make", "shortcut"}};
  for (const auto& arguments : answers) {
    const auto run = run_program(PERPEND_PROGRAM, arguments, "/dev/full");
    EXPECT_TRUE(contains(expect_error(run, 6), "No space left on device"));
  }
}

TEST(Program, CtrlCEndsABenchWith130) {
  const RunningProgram program(PERPEND_PROGRAM, {"bench", "--seconds", "600"});
  program.wait_for_output();
  program.send(SIGINT);
  const auto run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_EQ(run.err, "perpend: interrupted\n");
}

}  // namespace
}  // namespace perpend::test
