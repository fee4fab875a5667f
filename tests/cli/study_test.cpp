// `perpend table` and `perpend status` on a folder that `perpend sweep` made.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "perpend/study/result_log.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

class Study : public SmallModel {
 protected:
  // A study of two restarts, with restarts and with lit at two lambdas: six trials that take an instant, swept once.
  static const std::string& swept() {
    static const TemporaryFolder folder;
    static const std::string path = [&] {
      const std::string study = (folder.path() / "study.toml").string();
      std::ofstream(study) << "datasets = [{source = \"builtin:shortcut\", target = \"target\"}]\n"
                              "splits = [\"random\"]\nmethods = [\"restarts\", \"lit\"]\nmembers = 2\n"
                              "lambda = [0.1, 1.0]\nrestarts = 2\nrow_visits = 2000\n[options]\nhidden = [4]\n";
      const std::string made = (folder.path() / "swept").string();
      const auto run = perpend({"sweep", study, "-o", made});
      EXPECT_EQ(run.exit_code, 0) << run.err;
      return made;
    }();
    return path;
  }

  // Returns the folder as a kill leaves it: without the last `lost` records, and with half of a line.
  std::string half_swept(std::size_t lost) const {
    const std::filesystem::path copy = path("half");
    std::filesystem::copy(swept(), copy, std::filesystem::copy_options::recursive);
    std::vector<std::string> lines;
    for (const auto& entry : std::filesystem::directory_iterator(copy / "results")) {
      std::istringstream in(file_content(entry.path()));
      for (std::string line; std::getline(in, line);) lines.push_back(line);
      std::filesystem::remove(entry.path());
    }
    EXPECT_GT(lines.size(), lost);
    std::ofstream out(copy / "results" / "half.jsonl");
    for (std::size_t i = 0; i + lost < lines.size(); ++i) out << lines[i] << '\n';
    out << lines.back().substr(0, lines.back().size() / 2);
    return copy.string();
  }
};

TEST_F(Study, StatusSaysWhatIsDoneAndWhatIsBest) {
  const auto run = perpend({"status", swept()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("6 trials   done 6   diverged 0   left 0\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "\nbuiltin:shortcut  random ")) << run.out;
  EXPECT_FALSE(has_control_bytes(run.out)) << run.out;
  EXPECT_EQ(run.err, "");
}

TEST_F(Study, StatusJsonHasTheSixKeys) {
  const auto run = perpend({"status", half_swept(2), "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto document = Json::parse(run.out);
  std::set<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.insert(key);
  EXPECT_EQ(keys, (std::set<std::string>{"trials", "done", "diverged", "left", "trials_per_second", "eta_seconds"}));
  EXPECT_EQ(document.at("trials"), 6);
  EXPECT_EQ(document.at("done"), 4);
  EXPECT_EQ(document.at("diverged"), 0);
  EXPECT_EQ(document.at("left"), 2);
}

TEST_F(Study, StatusTellsOfRecordsThatAreNotWhole) {
  const auto run = perpend({"status", half_swept(1)});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "done 5   diverged 0   left 1 ")) << run.out;
  EXPECT_TRUE(contains(run.out, "\n1 stored record could not be used")) << run.out;
}

// The lines have a correct length and checksum, and a content that no sweep writes.
TEST_F(Study, ForgedResultsAreDamagedForEveryVerbAndRunAgain) {
  const std::string folder = half_swept(1);
  const auto shard = std::filesystem::path(folder) / "results" / "half.jsonl";
  const std::string all = file_content(shard);
  const auto whole = from_line(all.substr(0, all.find('\n') + 1));
  ASSERT_TRUE(whole);
  const std::string head = whole->result.substr(0, whole->result.find("\"test\":"));
  const std::string tail = whole->result.substr(head.size());
  const auto with_auc = [&](const std::string& auc) {
    return head + tail.substr(0, tail.find("\"auc\":")) + "\"auc\":" + auc + tail.substr(tail.find(",\"accuracy"));
  };
  const std::string forged[] = {head + "\"test\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
                                with_auc("1e308"), with_auc("0.5") + "x"};
  for (const auto& result : forged) {
    std::ofstream(shard) << to_line({.id = whole->id, .result = result, .seconds = 1, .finished = 2}) << all;
    for (const std::vector<std::string>& words : {std::vector<std::string>{"status", folder},
                                                  {"table", folder},
                                                  {"report", folder, "-o", path("page.html"), "--force"}}) {
      const auto run = perpend(words);
      EXPECT_EQ(run.exit_code, 0) << words[0] << " " << run.err;
      EXPECT_FALSE(contains(run.out, "inf")) << run.out;
    }
  }
  ASSERT_EQ(perpend({"sweep", folder + "/study.toml", "-o", folder}).exit_code, 0);
  EXPECT_EQ(perpend({"table", folder}).out, perpend({"table", swept()}).out);
}

TEST_F(Study, WatchLeavesWhenNothingIsLeft) {
  const auto run = perpend({"status", swept(), "--watch"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "left 0\n")) << run.out;
  EXPECT_FALSE(has_control_bytes(run.out)) << run.out;
}

TEST_F(Study, WatchGoesOnUntilCtrlC) {
  const RunningProgram program(PERPEND_PROGRAM, {"status", half_swept(3), "--watch"});
  program.wait_for_output();
  program.send(SIGINT);
  const auto run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_TRUE(contains(run.out, "left 3 ")) << run.out;
}

TEST_F(Study, TableIsTheSameInEveryFormat) {
  const auto text = perpend({"table", swept()});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "\nTrials in: all 6.\n")) << text.out;
  const auto csv = perpend({"table", swept(), "--format", "csv"});
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_EQ(csv.err, "");
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 1 + 2 * 3);
  // Each format has the mean AUC of lit, rounded.
  const std::string begin = "random,builtin:shortcut,lit,auc,";
  const std::size_t at = csv.out.find(begin);
  ASSERT_NE(at, csv.out.npos) << csv.out;
  char mean[16];
  std::snprintf(mean, sizeof mean, "%.3f", std::stod(csv.out.substr(at + begin.size())));
  for (const char* format : {"text", "markdown", "latex"}) {
    const auto run = perpend({"table", swept(), "--format", format, "--against", "paper"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(contains(run.out, mean)) << format << '\n' << run.out;
  }
}

TEST_F(Study, TableOfHalfASweepSaysHowMuchIsIn) {
  const std::string half = half_swept(2);
  const auto text = perpend({"table", half});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "\nTrials in: 4 of 6. ")) << text.out;
  const auto csv = perpend({"table", half, "--format", "csv"});
  EXPECT_EQ(csv.exit_code, 0);
  EXPECT_TRUE(contains(csv.err, "4 of 6 trials are finished")) << csv.err;
}

TEST_F(Study, TableIsWrittenToAFileButOverNone) {
  const std::string file = path("table.md");
  const std::vector<std::string> words = {"table", swept(), "--format", "markdown", "-o", file};
  EXPECT_EQ(perpend(words).exit_code, 0);
  EXPECT_EQ(file_content(file), perpend({"table", swept(), "--format", "markdown"}).out);
  EXPECT_TRUE(contains(expect_error(perpend(words), 6), "table.md"));
}

TEST_F(Study, WhatIsNoStudyIsSaidInOneLine) {
  for (const char* verb : {"table", "status"}) {
    EXPECT_TRUE(contains(expect_error(perpend({verb, path("nowhere")}), 6), "nowhere"));
    EXPECT_TRUE(contains(expect_error(perpend({verb, folder_.path().string()}), 6), "study.toml"));
  }
  expect_error(perpend({"table", swept(), "--format", "html"}), 2);
  expect_error(perpend({"table", swept(), "--against", "me"}), 2);
  expect_error(perpend({"status", swept(), "--watch", "--json"}), 2);
}

TEST_F(Study, WithoutASha256IsRefusedByEveryVerb) {
  std::filesystem::create_directories(path("bare") + "/results");
  write("bare/study.toml", "datasets = [{source = \"a.csv\", target = \"y\"}]\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"status", path("bare")},
                                                {"table", path("bare")},
                                                {"report", path("bare"), "-o", path("page.html")}}) {
    EXPECT_TRUE(contains(expect_error(perpend(words), 3), "study.toml: data set 'a.csv' has no sha256")) << words[0];
  }
}

TEST_F(Study, SweepRefusesNumbersAndNamesThatAreNone) {
  const std::string study = swept() + "/study.toml";
  const std::string runs = path("runs");
  for (const std::vector<std::string>& more : {std::vector<std::string>{"-o", runs, "--threads", "2147483647"},
                                               {"-o", runs, "--threads", "1025"},
                                               {"-o", runs, "--slurm", "1000000000"},
                                               {"-o", runs, "--slurm", "2", "--shard", "1/2"},
                                               {"-o", ""}}) {
    std::vector<std::string> words = {"sweep", study};
    words.insert(words.end(), more.begin(), more.end());
    expect_error(perpend(words), 2);
    EXPECT_FALSE(std::filesystem::exists(runs)) << more.back();
  }
  expect_error(perpend({"reproduce", "table1", "-o", runs, "--threads", "1000000"}), 2);
  expect_error(perpend({"reproduce", "table1", "-o", ""}), 2);
}

TEST_F(Study, AnArrayHasNoMoreTasksThanTrials) {
  const auto run = perpend({"sweep", swept() + "/study.toml", "-o", path("array"), "--slurm", "100000"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "6 trials in 6 tasks")) << run.out;
}

// root can write to a read-only folder, so the test imitates one.
TEST_F(Study, AFinishedSweepNeedsNoNewView) {
  const std::filesystem::path copy = path("copy");
  std::filesystem::copy(swept(), copy, std::filesystem::copy_options::recursive);
  std::filesystem::remove(copy / "results.sqlite");
  std::filesystem::create_directory(copy / "results.sqlite");
  const auto run = perpend({"sweep", swept() + "/study.toml", "-o", copy.string()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "results.sqlite")) << run.err;
}

TEST_F(Study, ReportShowsItFinishedOrNot) {
  const auto probe = perpend({"report", swept(), "-o", path("whole.html")});
  if (contains(probe.err, "npm")) GTEST_SKIP() << "perpend was built without npm, so it has no report page";
  ASSERT_EQ(probe.exit_code, 0) << probe.err;
  EXPECT_TRUE(contains(probe.out, path("whole.html"))) << probe.out;
  const std::string whole = file_content(path("whole.html"));
  EXPECT_TRUE(contains(whole, "6 trials, all in."));
  EXPECT_FALSE(contains(whole, "What is missing?"));
  const auto run = perpend({"report", half_swept(2), "-o", path("half.html")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string half = file_content(path("half.html"));
  EXPECT_TRUE(contains(half, "of which 4 are in and 2 are missing"));
  EXPECT_TRUE(contains(half, "What is missing?"));
}

TEST_F(Study, ReportOfNoStudyIsOneLine) {
  const std::string page = path("none.html");
  std::filesystem::create_directory(path("bare"));
  EXPECT_TRUE(contains(expect_error(perpend({"report", path("bare"), "-o", page}), 6), "no study.toml"));
  std::filesystem::copy(swept(), path("empty"), std::filesystem::copy_options::recursive);
  for (const auto& entry : std::filesystem::directory_iterator(path("empty") + "/results"))
    std::filesystem::remove(entry);
  EXPECT_TRUE(
      contains(expect_error(perpend({"report", path("empty"), "-o", page}), 4), "has no results yet; perpend sweep"));
  expect_error(perpend({"report", swept(), "builtin:shortcut", "-o", page}), 2);
  EXPECT_FALSE(std::filesystem::exists(page));
}

TEST_F(Study, FiguresAreDrawnFromItWithoutTraining) {
  for (const std::string figure : {"figure-lambda", "figure-size", "figure-metrics"}) {
    const auto run = perpend({"reproduce", figure, "--study", swept(), "-o", path("figures")});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(contains(run.out, figure + ".svg")) << run.out;
    const std::string svg = file_content(path("figures") + "/" + figure + ".svg");
    EXPECT_EQ(svg.rfind("<svg ", 0), 0U);
    EXPECT_TRUE(contains(svg, ">LIT<"));
  }
  EXPECT_TRUE(std::filesystem::exists(path("figures") + "/figure-size-lambda.svg"));
  expect_error(perpend({"reproduce", "figure-size", "--study", path("nowhere"), "-o", path("figures")}), 6);
  expect_error(perpend({"reproduce", "figure-size", "--study", swept(), "--data", "icu.csv", "-o", path("figures")}),
               2);
}

}  // namespace
}  // namespace perpend::test
