// Studies that are too large, too wide or incomplete are refused before anything is written, or read as they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "perpend/base/error.h"
#include "perpend/base/sha256.h"
#include "perpend/study/sweep.h"
#include "tests/support/run_program.h"

namespace perpend {
namespace {

using test::TemporaryFolder;

// A study of one method, one member and one restart: a single trial.
Study one_trial(const std::string& source, const std::string& rest = "") {
  return parse_study("datasets = [{source = \"" + source +
                         "\", target = \"target\"}]\nsplits = [\"random\"]\nmethods = [\"restarts\"]\nmembers = 1\n"
                         "restarts = 1\n" +
                         rest,
                     "s.toml");
}

std::string small_csv(int columns = 1) {
  std::string text;
  for (int c = 0; c < columns; ++c) text += fmt::format("column{},", c);
  text += "target\n";
  for (int r = 0; r < 40; ++r) {
    for (int c = 0; c < columns; ++c) text += fmt::format("{},", (r * 7 + c) % 13);
    text += r % 2 == 0 ? "no\n" : "yes\n";
  }
  return text;
}

template <class Refused>
std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Refused& error) {
    return error.what();
  }
  return "no such error";
}

class HostileStudy : public testing::Test {
 protected:
  std::filesystem::path runs() const { return folder_.path() / "runs"; }
  std::string csv(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
    return (folder_.path() / name).string();
  }
  SweepOutcome swept(Study study, KeepModels keep = KeepModels::none) const {
    const StudyTables tables = read_study_tables(study, "");
    return sweep(study, tables, runs(), {.threads = 1, .shard = {}, .keep_models = keep}, *alone());
  }
  std::size_t models() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(runs() / "models")) {
      count += entry.path().extension() == ".safetensors" ? 1 : 0;
    }
    return count;
  }
  const TemporaryFolder folder_;
};

TEST_F(HostileStudy, RowVisitsOfMoreEpochsThanThereAreIsRefusedBeforeTheFolderIsMade) {
  Study study = one_trial(csv("a.csv", small_csv()), "[options]\nhidden = 4\n");
  RunOptions options = study.options;
  options.schema.target = "target";
  const Table table = read_study_tables(study, "").front();
  const auto rows =
      static_cast<std::int64_t>(prepare_trials(table, options, SplitKind::random, 0).prepared.train.rows());
  // The first becomes 0 epochs when it is cut to 32 bits.
  for (const std::int64_t visits : {rows << 32U, std::int64_t{1} << 40U, (rows << 31U) - rows + 1}) {
    study.row_visits = visits;
    const std::string message = message_of<ConfigError>([&] { swept(study); });
    EXPECT_TRUE(message.starts_with(fmt::format("row_visits is {}", visits))) << message;
    EXPECT_FALSE(std::filesystem::exists(runs()));
  }
  study.row_visits = 2 * rows;
  EXPECT_EQ(swept(study).added, 1U);
}

TEST_F(HostileStudy, AFolderWhoseDataHaveNoSha256IsRefusedWithItsPlace) {
  std::filesystem::create_directories(runs() / "results");
  std::ofstream(runs() / "study.toml") << "datasets = [{source = \"a.csv\", target = \"y\"}]\n";
  const std::string message = message_of<ConfigError>([&] { read_study_folder(runs()); });
  EXPECT_EQ(message, (runs() / "study.toml").string() +
                         ": data set 'a.csv' has no sha256, which perpend sweep writes; it was changed by hand");
}

TEST_F(HostileStudy, OfManyNamesIsComparedToItsLast) {
  Study study = one_trial("a.csv");
  study.datasets[0].sha256 = std::string(64, '5');
  for (int i = 0; i < 80'000; ++i) study.options.schema.drop.push_back(fmt::format("x{}", i));
  open_study_folder(runs(), study);
  open_study_folder(runs(), study);
  study.options.schema.drop.back() = "y";
  const std::string message = message_of<MismatchError>([&] { open_study_folder(runs(), study); });
  EXPECT_NE(message.find("options.drop.79999 is 'x79999' there and 'y' here"), message.npos) << message;
}

TEST_F(HostileStudy, ListsHaveAnEnd) {
  const auto list = [](int count) {
    std::string text = "1";
    for (int i = 2; i <= count; ++i) text += "," + std::to_string(i);
    return text;
  };
  EXPECT_EQ(one_trial("a.csv", "lambda = [" + list(1000) + "]").grid.lambdas.at(Method::lit).size(), 1000U);
  EXPECT_EQ(message_of<ConfigError>([&] { one_trial("a.csv", "lambda = [" + list(1001) + "]"); }),
            "s.toml:6:1: lambda is a list of 1,001 values; it can have at most 1,000");
  EXPECT_EQ(message_of<ConfigError>([&] { one_trial("a.csv", "[options]\ndrop = [" + list(100'001) + "]"); }),
            "s.toml:7:1: drop is a list of 100,001 values; it can have at most 100,000");
}

// An older program accepted such options and ignored them, so its folders can be continued.
TEST_F(HostileStudy, WithAnOptionThatNoMethodUsesIsNotBegunButGoesOn) {
  Study study = one_trial("a.csv");
  study.datasets[0].sha256 = std::string(64, '5');
  study.methods = {Method::lit};
  study.options.train.boosting = Boosting::samme;
  const std::string message = message_of<ConfigError>([&] { open_study_folder(runs(), study); });
  EXPECT_EQ(message.rfind("boosting is \"samme\", but it is not used by method lit; ", 0), 0U) << message;
  EXPECT_FALSE(std::filesystem::exists(runs()));
  std::filesystem::create_directories(runs());
  std::ofstream(runs() / "study.toml") << to_toml(study);
  EXPECT_NO_THROW(open_study_folder(runs(), study));
}

TEST_F(HostileStudy, ThatCouldNotBeReadAgainIsNotWritten) {
  Study study = one_trial("a.csv");
  study.datasets[0].sha256 = std::string(64, '5');
  for (int i = 0; i < 100'000; ++i) study.options.schema.drop.push_back(fmt::format("column{}", i));
  const std::string message = message_of<ConfigError>([&] { open_study_folder(runs(), study); });
  EXPECT_NE(message.find("larger than 1 MiB"), message.npos) << message;
  EXPECT_FALSE(std::filesystem::exists(runs()));
}

TEST_F(HostileStudy, NamesWithManyDotsAreWrittenAndReadAgain) {
  Study study = one_trial("a.csv");
  study.datasets[0].sha256 = std::string(64, '5');
  for (int i = 0; i < 100; ++i) study.options.schema.drop.push_back(fmt::format("x.{}.1", i));
  study.options.schema.drop.push_back(std::string(200, '.') + "'\"\\");
  open_study_folder(runs(), study);
  EXPECT_EQ(read_study_folder(runs()).study.options.schema.drop, study.options.schema.drop);
}

TEST_F(HostileStudy, NamesOfTablesStayShallowWhateverIsQuoted) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += ".\"a\".b";
  for (const std::string& front : {std::string(""), std::string("x = \"\"\" \"\"\"\"\n"), std::string("# it's\n"),
                                   std::string("x = ''' '\n ''' # '\n"), std::string("x = \"\\\\\"\n"),
                                   std::string("x = {y = \"\"\"z\"\"\"\", "), std::string("x = {y = '\\', ")}) {
    const std::string message = message_of<ConfigError>([&] { parse_study(front + "a" + deep + " = 1", "s.toml"); });
    EXPECT_NE(message.find("more than 64 dots"), message.npos) << front << message;
  }
}

TEST_F(HostileStudy, ATableTooWideForAModelFileIsRefusedBeforeTrainingWhenModelsAreKept) {
  const Study study = one_trial(csv("wide.csv", small_csv(9000)), "[options]\nepochs = 1\nhidden = 1\n");
  for (const auto keep : {KeepModels::best, KeepModels::all}) {
    EXPECT_THROW(swept(study, keep), ModelFileError);
    EXPECT_FALSE(std::filesystem::exists(runs()));
  }
}

TEST_F(HostileStudy, ModelsOfADataSetWithALongNameAreKept) {
  const Study study =
      one_trial(csv(std::string(240, 'n') + ".csv", small_csv()), "[options]\nepochs = 1\nhidden = 1\n");
  EXPECT_EQ(swept(study, KeepModels::best).added, 1U);
  EXPECT_EQ(models(), 1U);
  EXPECT_EQ(swept(study, KeepModels::all).added, 0U);
  EXPECT_EQ(models(), 1U);
}

TEST_F(HostileStudy, DataThatAreNoTableAreRefusedBeforeTheyAreHashed) {
  Study study = one_trial(csv("a.csv", std::string(1000, '\0')));
  study.datasets[0].sha256 = std::string(64, '5');
  EXPECT_THROW(read_study_tables(study, ""), DataError);
}

TEST_F(HostileStudy, WhatADeadSweepLeftBesideItsModelsIsTakenAwayByTheNext) {
  const Study study = one_trial(csv("a.csv", small_csv()), "[options]\nepochs = 1\nhidden = 1\n");
  const auto leftover = runs() / "models" / ".perpend-1-1.tmp";
  std::filesystem::create_directories(leftover.parent_path());
  std::ofstream(leftover) << "half of a model";
  EXPECT_EQ(swept(study).added, 1U);
  EXPECT_FALSE(std::filesystem::exists(leftover));
}

TEST_F(HostileStudy, TrialsKeepTheirIds) {
  Study study = parse_study(
      "datasets = [{source = \"a.csv\", target = \"y\"}, {source = \"b.csv\", target = \"z\"}]\n"
      "splits = [\"random\", \"extrapolation\"]\nmembers = [2, 5]\nlambda = [0.1, 1e-7, 12345.678]\nrestarts = 3\n"
      "seed = 7\n[options]\ndropout = 0.25\nhidden = [8, 4]\ndrop = [\"a\", \"\\u00fc\"]\nweight_decay = 1e-4\n",
      "s.toml");
  for (auto& dataset : study.datasets) dataset.sha256 = std::string(64, dataset.source[0]);
  const auto trials = trials_of(study);
  ASSERT_EQ(trials.size(), 288U);
  const std::pair<std::size_t, const char*> known[] = {{0, "23bba8328715ce9c144809263219e69d"},
                                                       {25, "83edf324a54c0a38448ff9ebd02af0fe"},
                                                       {100, "494275d46fff3ec0df3dd72702bacf13"},
                                                       {200, "23bac52e15b103017225ac5d2bef5212"},
                                                       {287, "7df57e1c0764a854a9c7e172a3957df1"}};
  for (const auto& [place, id] : known) EXPECT_EQ(trials[place].id, id) << place;
  Study published = parse_study(
      "datasets = [\"mushroom\", \"ionosphere\", \"sonar\", \"spectf\", \"electricity\"]\npreset = \"published\"\n"
      "members = [2, 3, 5, 8, 13]\nlambda = {from = 1e-4, to = 1e1, count = 16}\nrestarts = 10\nrow_visits = 640000\n",
      "s.toml");
  for (auto& dataset : published.datasets) dataset.sha256 = std::string(64, 'a');
  std::string all;
  for (const auto& trial : trials_of(published)) all += trial.id;
  for (const auto& trial : trials) all += trial.id;
  EXPECT_EQ(sha256_hex(all), "c0574db95ef98f865a7202625121ad39a414e59da9e8372a5d722807a9685c07");
}

}  // namespace
}  // namespace perpend
