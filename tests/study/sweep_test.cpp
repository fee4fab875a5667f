#include "perpend/study/sweep.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "perpend/base/error.h"
#include "perpend/base/sha256.h"
#include "perpend/data/encode.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/store/trained_model.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/run_program.h"

namespace perpend {
namespace {

using test::MemoryFileSystem;
using test::TemporaryFolder;

// 2 splits x 2 restarts x (restarts + 2 of lit) = 12 trials of a few milliseconds.
struct SmallStudy {
  SmallStudy() {
    study = parse_study(
        "datasets = [{source = \"builtin:shortcut\", target = \"target\"}]\nmethods = [\"restarts\", \"lit\"]\n"
        "members = [2]\nlambda = [0.1, 1]\nrestarts = 2\nrow_visits = 2000\n[options]\nhidden = 8",
        "study.toml");
    tables = read_study_tables(study, "");
  }
  SweepOutcome run(const std::filesystem::path& folder, const SweepOptions& options = {},
                   const SweepCallback& callback = {}, FileSystem& files = real_file_system()) const {
    const auto comm = alone();
    return sweep(study, tables, folder, options, *comm, callback, files);
  }
  Study study;
  StudyTables tables;
};

std::string sorted_sha256(const std::filesystem::path& folder, FileSystem& files = real_file_system()) {
  std::set<std::string> results;
  const StoredResults stored = read_results(folder / "results", files);
  for (const auto& record : stored.records) results.insert(record.result);
  EXPECT_EQ(results.size(), stored.records.size());
  Sha256 hash;
  for (const auto& result : results) hash.update(result + "\n");
  return hash.hex();
}

TEST(Sweep, GivesTheSameResultsOnAnyNumberOfThreadsAndInAnyCut) {
  const SmallStudy small;
  const TemporaryFolder folder;
  EXPECT_EQ(small.run(folder.path() / "runs" / "of" / "1", {.threads = 1}).added, 12U);
  const std::string expected = sorted_sha256(folder.path() / "runs" / "of" / "1");
  small.run(folder.path() / "2", {.threads = 2});
  EXPECT_EQ(sorted_sha256(folder.path() / "2"), expected);
  for (const std::size_t shard : {2, 0, 1}) {
    EXPECT_EQ(small.run(folder.path() / "3", {.threads = 1, .shard = {shard, 3}}).added, 4U);
  }
  EXPECT_EQ(sorted_sha256(folder.path() / "3"), expected);
}

TEST(Sweep, ResumesWithWhatIsMissing) {
  const SmallStudy small;
  const TemporaryFolder folder;
  int asked = 0;  // calls between trials, and between the steps of a training
  const SweepCallback stopping{.stop_requested = [&] { return ++asked > 300; }, .on_start = {}, .on_saved = {}};
  const SweepOutcome first = small.run(folder.path(), {.threads = 1}, stopping);
  EXPECT_TRUE(first.stopped);
  EXPECT_GE(first.added, 1U);
  EXPECT_LT(first.added, 12U);
  const SweepOutcome second = small.run(folder.path());
  EXPECT_FALSE(second.stopped);
  EXPECT_EQ(second.before, first.added);
  EXPECT_EQ(second.added, 12 - first.added);
  EXPECT_EQ(small.run(folder.path()).added, 0U);
  const StudyFolder read = read_study_folder(folder.path());
  ASSERT_EQ(read.results.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(read.results[i].trial, i);
    EXPECT_EQ(read.results[i].result.trial, read.trials[i].trial);
    EXPECT_TRUE(read.results[i].result.test.auc);
  }
}

TEST(Sweep, StoresWhatTheTrialAloneGives) {
  const SmallStudy small;
  const TemporaryFolder folder;
  small.run(folder.path());
  const StudyFolder read = read_study_folder(folder.path());
  RunOptions options = small.study.options;
  options.schema.target = "target";
  TrialData data = prepare_trials(small.tables[0], options, SplitKind::extrapolation, 1);
  data.epochs =
      (2000 + static_cast<int>(data.prepared.train.rows()) - 1) / static_cast<int>(data.prepared.train.rows());
  const StudyTrial& last = read.trials.back();
  ASSERT_EQ(last.trial, (Trial{SplitKind::extrapolation, Method::lit, 2, 1.0, 1}));
  TrialResult alone = run_trial(data, options, last.trial);
  alone.test.undefined_pairs = 0;
  EXPECT_EQ(read.results.back().result, alone);
}

TEST(Sweep, RefusesAnotherStudyInTheSameFolderAndNamesWhatDiffers) {
  SmallStudy small;
  const TemporaryFolder folder;
  small.run(folder.path());
  const auto message = [&] {
    try {
      small.run(folder.path());
    } catch (const MismatchError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  small.study.options.train.dropout = 0.25;
  EXPECT_NE(message().find("options.dropout is not given there and '0.25' here"), std::string::npos) << message();
  small = SmallStudy();
  small.study.grid.lambdas[Method::lit][1] = 2;
  EXPECT_NE(message().find("lambda.lit.1 is '1' there and '2' here"), std::string::npos) << message();
  small = SmallStudy();
  small.study.datasets[0].sha256 = std::string(64, '0');
  EXPECT_NE(message().find("datasets.0.sha256 is"), std::string::npos) << message();
  EXPECT_THROW(read_study_tables(small.study, ""), MismatchError);
}

// A sweep refuses two data sets because of the second. The corrected study can then use the folder.
void expect_free_folder(const std::string& second, const std::string& options) {
  SCOPED_TRACE(second + " " + options);
  const TemporaryFolder folder;
  const auto run = [&](const std::string& datasets, const std::string& more) {
    Study study = parse_study("datasets = [\"builtin:shortcut\"" + datasets +
                                  "]\nsplits = [\"random\"]\nmethods = [\"lit\"]\nlambda = 1\nrestarts = 1\n"
                                  "[options]\ntarget = \"target\"\nhidden = 4\nepochs = 1\n" +
                                  more,
                              "study.toml");
    const StudyTables tables = read_study_tables(study, "");
    EXPECT_EQ(trials_of(study).size(), tables.size());
    return sweep(study, tables, folder.path() / "runs", {.threads = 1}, *alone());
  };
  std::ofstream(folder.path() / "few.csv") << "x,target\n1,a\n2,b\n";
  std::ofstream three(folder.path() / "three.csv");
  three << "x,target\n";
  for (int i = 0; i < 60; ++i) three << i << ',' << "abc"[i % 3] << '\n';
  three.close();
  const std::string path = second.empty() ? "" : ", \"" + (folder.path() / second).string() + "\"";
  EXPECT_THROW(run(path, options), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "runs"));
  EXPECT_EQ(run("", "").added, 1U);
}

TEST(Sweep, ThatIsRefusedLeavesNoFolder) {
  expect_free_folder("", "drop = [\"no such column\"]");
  expect_free_folder("", "group = \"no such column\"");
  expect_free_folder("", "manifold = \"pca:50\"");
  expect_free_folder("few.csv", "");
  expect_free_folder("three.csv", "penalty = \"finite\"\ndropout = 0");
  expect_free_folder("no such.csv", "");
}

TEST(Sweep, ThatIsStoppedBeforeEverythingIsCheckedLeavesNoFolder) {
  const SmallStudy small;
  const TemporaryFolder folder;
  int asked = 0;
  const SweepCallback stopping{.stop_requested = [&] { return ++asked > 2; }, .on_start = {}, .on_saved = {}};
  const SweepOutcome outcome = small.run(folder.path() / "runs", {.threads = 1}, stopping);
  EXPECT_TRUE(outcome.stopped);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "runs"));
  EXPECT_EQ(small.run(folder.path() / "runs").added, 12U);
}

TEST(Sweep, RefusesOneDataSetTwice) {
  Study study = SmallStudy().study;
  study.datasets.push_back(study.datasets[0]);
  EXPECT_THROW(read_study_tables(study, ""), ConfigError);
}

TEST(Sweep, KeepsTheBestModelsOfAFinishedStudy) {
  const SmallStudy small;
  const TemporaryFolder folder;
  small.run(folder.path());
  small.run(folder.path(), {.threads = 2, .shard = {}, .keep_models = KeepModels::best});
  const StudyFolder read = read_study_folder(folder.path());
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "models")) {
    ++models;
    const TrainedModel model = load_model(entry.path());
    const std::string name = entry.path().filename().string();
    const auto stored = std::ranges::find_if(read.results, [&](const StudyResult& result) {
      return name.find(read.trials[result.trial].id.substr(0, 8)) != std::string::npos;
    });
    ASSERT_NE(stored, read.results.end());
    const Trial& trial = stored->result.trial;
    for (const auto& other : read.results) {
      if (other.result.trial.split == trial.split && other.result.trial.method == trial.method) {
        EXPECT_LE(other.result.validation_merit, stored->result.validation_merit);
      }
    }
    RunOptions options = small.study.options;
    options.schema.target = "target";
    const TrialData data = prepare_trials(small.tables[0], options, trial.split, trial.restart);
    EXPECT_EQ(evaluate_ensemble(model.ensemble, model.decision, data.prepared.test, Threads(1)).auc,
              stored->result.test.auc);
  }
  EXPECT_EQ(models, 4U);
}

TEST(Sweep, KeepsAllModelsAndMakesGoodWhatIsMissing) {
  const SmallStudy small;
  const TemporaryFolder folder;
  const auto models = [&] {
    std::map<std::string, std::string> bytes;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "models")) {
      bytes[entry.path().filename().string()] = test::file_content(entry.path());
    }
    return bytes;
  };
  small.run(folder.path(), {.threads = 1, .shard = {}, .keep_models = KeepModels::all});
  const auto first = models();
  EXPECT_EQ(first.size(), 12U);
  std::filesystem::remove(folder.path() / "models" / first.begin()->first);
  small.run(folder.path(), {.threads = 1, .shard = {}, .keep_models = KeepModels::all});
  EXPECT_EQ(models(), first);
}

TEST(Sweep, EveryFailingFileCallIsAnErrorAfterWhichTheSameCallCompletes) {
  const SmallStudy small;
  MemoryFileSystem whole;
  small.run("d", {.threads = 1}, {}, whole);
  const std::string expected = sorted_sha256("d", whole);
  for (const int reason : {ENOSPC, EIO, EINTR}) {
    bool failed = true;
    for (int call = 0; failed; ++call) {
      MemoryFileSystem files;
      files.fail_at = call;
      files.reason = reason;
      files.longest_transfer = 300;
      std::set<std::string> saved;
      SweepCallback callback;
      callback.on_saved = [&](const SavedTrial& trial) { saved.insert(trial.trial.id); };
      failed = false;
      try {
        small.run("d", {.threads = 1}, callback, files);
      } catch (const IoError& error) {
        failed = true;
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
      files.fail_at = MemoryFileSystem::kNever;
      const SweepOutcome outcome = small.run("d", {.threads = 1}, {}, files);
      EXPECT_GE(outcome.before, saved.size()) << "call " << call;
      EXPECT_EQ(sorted_sha256("d", files), expected) << "call " << call;
    }
  }
}

}  // namespace
}  // namespace perpend
