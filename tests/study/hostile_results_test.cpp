// Whatever a shard holds, each line is a result of the trial that it names, or is damaged.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <limits>

#include "perpend/base/error.h"
#include "perpend/study/study_folder.h"
#include "tests/support/run_program.h"

namespace perpend {
namespace {

using test::TemporaryFolder;

// The trials are restarts, adaboost, and lit with lambda 0.1 and 1, each with two members.
class HostileResults : public testing::Test {
 protected:
  HostileResults() {
    study_ =
        parse_study("datasets = [{source = \"a.csv\", target = \"y\", sha256 = \"" + std::string(64, '5') +
                        "\"}]\nsplits = [\"random\"]\nmethods = [\"restarts\", \"adaboost\", \"lit\"]\nmembers = [2]\n"
                        "lambda = [0.1, 1]\nrestarts = 1\n",
                    "study.toml");
    trials_ = trials_of(study_);
    open_study_folder(folder_.path(), study_);
  }

  static Evaluation measured(std::size_t members) {
    Evaluation test;
    static_cast<Scores&>(test) = {.auc = 0.75, .accuracy = 0.5, .log_loss = 0.25, .brier = 0.125, .ece = 0.0625};
    test.rho_av = -1;
    test.q_av = 1;
    test.kappa = -0.5;
    test.disagreement = 0.5;
    test.grad_cos2 = 1;
    test.members.assign(members, static_cast<const Scores&>(test));
    return test;
  }
  std::string result(std::size_t trial, Metric validation_auc, Evaluation test) const {
    TrialResult result;
    result.validation_merit = validation_auc;
    result.test = std::move(test);
    return to_json(study_, trials_[trial], result);
  }
  std::string diverged(std::size_t trial) const {
    TrialResult result;
    result.status = TrialStatus::diverged;
    result.divergence = Divergence{3, "fit"};
    return to_json(study_, trials_[trial], result);
  }
  // Returns what a sweep writes for lit's first trial.
  std::string good() const { return result(2, 1, measured(2)); }
  std::string changed(const std::string& from, const std::string& to) const {
    std::string text = good();
    EXPECT_NE(text.find(from), text.npos) << from;
    return text.replace(text.find(from), from.size(), to);
  }
  std::string line(const std::string& text, double seconds = 1, double finished = 2) const {
    return to_line({.id = trials_[2].id, .result = text, .seconds = seconds, .finished = finished});
  }
  StudyFolder with(const std::string& shard) const {
    std::ofstream(folder_.path() / "results" / "1-1.jsonl", std::ios::binary) << shard;
    return read_study_folder(folder_.path());
  }
  void expect_damaged(const std::string& shard) const {
    const StudyFolder folder = with(shard);
    EXPECT_EQ(folder.results.size(), 0U) << shard.substr(0, 600);
    EXPECT_GE(folder.damaged, 1U) << shard.substr(0, 600);
  }

  Study study_;
  std::vector<StudyTrial> trials_;
  TemporaryFolder folder_;
};

TEST_F(HostileResults, WhatASweepWritesIsRead) {
  const auto folder = with(line(good()) + to_line({trials_[0].id, diverged(0), 0, 0}) +
                           to_line({trials_[1].id, result(1, 0.5, measured(1)), 0, 0}) +
                           to_line({trials_[3].id, result(3, {}, {}), 0, 0}));
  EXPECT_EQ(folder.damaged, 0U);
  ASSERT_EQ(folder.results.size(), 4U);
  EXPECT_EQ(folder.results[0].result.status, TrialStatus::diverged);
  EXPECT_EQ(folder.results[2].result.test, measured(2));
}

TEST_F(HostileResults, ARecordThatContradictsItsIdIsDamaged) {
  expect_damaged(line(changed("\"split\":\"random\"", "\"split\":\"extrapolation\"")));
  expect_damaged(line(changed("\"method\":\"lit\"", "\"method\":\"ncl\"")));
  expect_damaged(line(changed("\"members\":2", "\"members\":3")));
  expect_damaged(line(changed("\"lambda\":0.1", "\"lambda\":1.0")));
  expect_damaged(line(changed("\"lambda\":0.1", "\"lambda\":null")));
  expect_damaged(line(changed("\"restart\":0", "\"restart\":1")));
  expect_damaged(line(changed("a.csv", "b.csv")));
  expect_damaged(line(result(2, 1, measured(3))));
  expect_damaged(line(result(2, 1, measured(1))));
  expect_damaged(line(changed("\"status\":\"ok\"", "\"status\":\"diverged\"")));
}

TEST_F(HostileResults, FiguresThatNoneCanHaveAreDamaged) {
  const std::vector<std::string> figures = {"\"auc\":0.75",      "\"accuracy\":0.5",      "\"log_loss\":0.25",
                                            "\"brier\":0.125",   "\"ece\":0.0625",        "\"rho_av\":-1.0",
                                            "\"q_av\":1.0",      "\"kappa\":-0.5",        "\"disagreement\":0.5",
                                            "\"grad_cos2\":1.0", "\"validation_auc\":1.0"};
  for (const auto& figure : figures) {
    for (const std::string wrong : {"1e308", "-1e308", "-1.5", "\"x\"", "[]", "{}", "true", "1e999"}) {
      expect_damaged(line(changed(figure, figure.substr(0, figure.find(':') + 1) + wrong)));
    }
  }
}

TEST_F(HostileResults, OtherShapesAreDamaged) {
  const std::string nested = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string id = "{\"id\":\"" + trials_[2].id + "\"";
  for (const std::string& text :
       {id + "}", id + ",", id + ",\"id\":\"x\"}", id + ",\"x\":" + std::string(100'000, '[')}) {
    expect_damaged(line(text));
  }
  expect_damaged(line(id + ",\"x\":" + nested + "}"));
  expect_damaged(line(good().substr(0, good().find("\"test\":")) + "\"test\":" + nested + "}"));
  expect_damaged(line(changed("\"split\":\"random\"", "\"split\":\"nope\"")));
  expect_damaged(line(changed("\"split\":\"random\"", "\"split\":7")));
  expect_damaged(line(changed("\"members\":2", "\"members\":-1")));
  expect_damaged(line(changed("\"members\":2", "\"members\":4294967298")));
  expect_damaged(line(changed("\"status\":\"ok\"", "\"status\":\"odd\"")));
  expect_damaged(line(changed("\"status\":\"ok\"", "\"status\":null")));
  expect_damaged(line(good().substr(0, good().size() - 1) + ",\"note\":\"\xff\"}"));
}

TEST_F(HostileResults, TimesAreFiniteAndNotNegative) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), -1.0, 1e308}) {
    expect_damaged(line(good(), wrong, 2));
    expect_damaged(line(good(), 1, wrong));
  }
}

TEST_F(HostileResults, ADamagedRecordDoesNotStandInTheWayOfTheRightOne) {
  for (const std::string& shard :
       {line(changed("0.75", "2.75")) + line(good()), line(good()) + line(changed("0.75", "2.75"))}) {
    const auto folder = with(shard);
    EXPECT_EQ(folder.damaged, 1U);
    ASSERT_EQ(folder.results.size(), 1U);
    EXPECT_EQ(folder.results[0].result.test, measured(2));
  }
}

TEST_F(HostileResults, ALineWithoutAnEndTakesLittleMemoryAndIsDamaged) {
  const auto folder = with(std::string(5 << 20, 'x') + "\n" + line(good()) + line(good()).substr(0, 100));
  EXPECT_GE(folder.damaged, 2U);
  EXPECT_EQ(folder.results.size(), 1U);
}

TEST_F(HostileResults, ALineThatIsTooLongIsDamagedOnce) {
  const auto folder = with(std::string(5 << 20, 'x') + "\n" + line(good()));
  EXPECT_EQ(folder.damaged, 1U);
  EXPECT_EQ(folder.results.size(), 1U);
}

TEST_F(HostileResults, AShardOfNothingButAHoleIsGivenUp) {
  const auto shard = folder_.path() / "results" / "2-2.jsonl";
  std::ofstream(shard).close();
  std::filesystem::resize_file(shard, std::size_t{80} << 20U);
  std::ofstream(shard, std::ios::app) << "\n" << line(good());
  const auto folder = read_study_folder(folder_.path());
  EXPECT_EQ(folder.damaged, 1U);
  EXPECT_EQ(folder.results.size(), 0U);
}

TEST_F(HostileResults, ResultsOfAnotherStudyAreCountedAndNotCompared) {
  const std::string id = std::string(100'000, 'f');
  const auto foreign = [&](const std::string& rest) {
    return to_line({.id = id, .result = "{\"id\":\"" + id + "\"" + rest + "}", .seconds = 1, .finished = 2});
  };
  const auto folder = with(foreign("") + foreign(",\"x\":1") + line(good()));
  EXPECT_EQ(folder.foreign, 2U);
  EXPECT_EQ(folder.damaged, 0U);
  EXPECT_EQ(folder.results.size(), 1U);
}

TEST_F(HostileResults, WhatIsNoFileThatEndsIsRefused) {
  const auto shard = folder_.path() / "results" / "2-2.jsonl";
  std::filesystem::create_symlink("/dev/zero", shard);
  EXPECT_THROW(read_study_folder(folder_.path()), IoError);
  std::filesystem::remove(shard);
  ASSERT_EQ(::mkfifo(shard.c_str(), 0600), 0);
  EXPECT_THROW(read_study_folder(folder_.path()), IoError);
}

}  // namespace
}  // namespace perpend
