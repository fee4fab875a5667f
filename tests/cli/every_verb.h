// One good run of every verb, on files and names that a test can make as odd as it likes.
#pragma once

#include <fstream>
#include <map>
#include <sstream>

#include "tests/cli/small_model.h"

namespace perpend::test {

// Returns the names that a help page has under "Subcommands:".
inline std::vector<std::string> verbs_in(const std::string& help) {
  std::vector<std::string> names;
  const auto start = help.find("\nSubcommands:\n");
  if (start == help.npos) return names;
  std::istringstream lines(help.substr(start + 14));
  for (std::string line; std::getline(lines, line) && line.starts_with("  ");) {
    if (line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

struct VerbRun {
  std::vector<std::string> words;
  bool prints_data = false;  // to stdout: a CSV, whose bytes are not escaped
  bool prints_nothing = false;
};

class EveryVerb : public testing::Test {
 protected:
  // `in_names` ends each file's name, `in_cells` each column, level and label.
  void make_files(const std::string& in_names, const std::string& in_cells) {
    folder_ = own_.path() / ("folder" + in_names);
    std::filesystem::create_directories(folder_);
    in_names_ = in_names;
    const auto cell = [&](const std::string& text) { return in_cells.empty() ? text : "\"" + text + in_cells + "\""; };
    target_ = "y" + in_cells;
    id_ = "a" + in_cells;
    std::string table = cell("a") + "," + cell("b") + "," + cell("c") + "," + cell("y") + "\n";
    const std::string words[] = {"red", "green", "blue"};
    for (int i = 0; i < 60; ++i) {
      table += std::to_string(i * 7 % 11) + ".5," + std::to_string(i * 5 % 13) + "," + cell(words[i % 3]) + "," +
               cell(i * 7 % 11 > 5 ? "yes" : "no") + "\n";
    }
    data_ = write("rows", ".csv", table);
    std::string answers = cell("first") + "," + cell("second") + "," + cell("y") + "\n";
    for (int i = 0; i < 60; ++i) {
      answers += cell(i % 3 == 0 ? "yes" : "no") + "," + cell(i % 5 == 0 ? "yes" : "no") + "," +
                 cell(i % 2 == 0 ? "yes" : "no") + "\n";
    }
    answers_ = write("answers", ".csv", answers);
    study_ = write("study", ".toml",
                   "datasets = [{source = \"builtin:shortcut\", target = \"target\"}]\nsplits = [\"random\"]\n"
                   "methods = [\"restarts\", \"lit\"]\nmembers = 2\nlambda = [0.1, 1.0]\nrestarts = 2\n"
                   "row_visits = 2000\n[options]\nhidden = [4]\n");
    model_ = path("model");
    swept_ = path("swept");
    expect_good({"train", data_, "--target", target_, "-o", model_, "--hidden", "4", "--epochs", "2"});
    expect_good({"sweep", study_, "-o", swept_});
  }

  std::string path(const std::string& name) const { return (folder_ / (name + in_names_)).string(); }
  std::string write(const std::string& name, const std::string& ending, const std::string& bytes) const {
    const std::string file = path(name) + ending;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

  // Returns runs by verb. They may overwrite their outputs.
  std::map<std::string, std::vector<VerbRun>> good_runs() const {
    const std::string out = path("out");
    const std::vector<std::string> training = {"--target", target_, "--hidden", "4", "--epochs", "1"};
    const auto trains = [&](std::vector<std::string> words) {
      words.insert(words.end(), training.begin(), training.end());
      return words;
    };
    const std::vector<std::string> compares = {"compare",   data_, "--restarts", "1",
                                               "--members", "2",   "--lambdas",  "0.1"};
    const std::vector<std::string> counts = {"capacity", data_,        "--target", target_,     "--most",
                                             "2",        "--restarts", "1",        "--no-ridge"};
    const std::vector<std::string> bench = {"bench",     "--seconds", "0.01",      "--features", "8",
                                            "--members", "2",         "--threads", "1"};
    return {
        {"demo", {{{"demo", "--output", path("demo")}}}},
        {"train",
         {{trains({"train", data_, "-o", out, "--force"})},
          {trains({"train", data_, "-o", out, "--force", "--json", "--positive", "yes" + target_.substr(1)})}}},
        {"predict",
         {{{"predict", model_, data_, "--id", id_, "--members"}, true},
          {{"predict", model_, data_, "--flags"}, true},
          {{"predict", model_, data_, "-o", out, "--force", "--json"}},
          {{"predict", model_, data_, "-o", out, "--force"}, false, true}}},
        {"evaluate", {{{"evaluate", model_, data_}}, {{"evaluate", model_, data_, "--json"}}}},
        {"diversity",
         {{{"diversity", model_, data_}},
          {{"diversity", model_, data_, "--json"}},
          {{"diversity", "--answers", answers_, "--target", target_}}}},
        {"explain",
         {{{"explain", model_, data_}},
          {{"explain", model_, data_, "--row", "1"}},
          {{"explain", model_, data_, "--row", "1", "--json"}},
          {{"explain", model_, data_, "--json"}},
          {{"explain", model_, data_, "--permute"}},
          {{"explain", model_, data_, "--permute", "--json"}},
          {{"explain", model_, data_, "--curve", id_}},
          {{"explain", model_, data_, "--curve", id_, "--json"}},
          {{"explain", model_, data_, "-o", "-"}, true}}},
        {"monitor",
         {{{"monitor", model_, data_}},
          {{"monitor", model_, data_, "--labels", target_, "--window", "20"}},
          {{"monitor", model_, data_, "--window", target_, "--json"}}}},
        {"adapt",
         {{{"adapt", model_, data_, "-o", out, "--force"}},
          {{"adapt", model_, data_, "-o", out, "--force", "--json"}}}},
        {"ask",
         {{{"ask", model_, data_, "-n", "3", "-o", out, "--force"}},
          {{"ask", model_, data_, "-n", "3", "-o", out, "--force", "--json"}}}},
        {"compare", {{trains(compares)}, {trains(with(compares, "--json"))}}},
        {"capacity", {{counts}, {with(counts, "--json")}, {with(with(with(counts, "-o"), out), "--force")}}},
        {"sweep",
         {{{"sweep", study_, "-o", swept_}},
          {{"sweep", study_, "-o", swept_, "--json"}},
          {{"sweep", study_, "-o", swept_, "--slurm", "2"}}}},
        {"status", {{{"status", swept_}}, {{"status", swept_, "--json"}}, {{"status", swept_, "--watch"}}}},
        {"table",
         {{{"table", swept_}},
          {{"table", swept_, "--format", "markdown"}},
          {{"table", swept_, "--format", "csv"}, true},
          {{"table", swept_, "-o", out, "--force"}, false, true}}},
        {"inspect", {{{"inspect", model_}}, {{"inspect", model_, "--json"}}}},
        {"export", {{{"export", model_, "--onnx", out, "--force"}}}},
        {"report", {{{"report", model_, data_, "-o", out, "--force"}}, {{"report", swept_, "-o", out, "--force"}}}},
        {"reproduce", {{{"reproduce", "figure-size", "--study", swept_, "-o", path("figures")}}}},
        {"data",
         {{{"data", "list", "--data-dir", folder_.string()}},
          {{"data", "list", "--json", "--data-dir", folder_.string()}},
          {{"data", "make", "shortcut", "--rows", "10"}, true},
          {{"data", "make", "shortcut", "--rows", "10", "-o", out, "--force"}, false, true}}},
        {"bench", {{bench}, {with(bench, "--json")}}},
        {"doctor",
         {{{"doctor", "--data-dir", folder_.string()}}, {{"doctor", "--json", "--data-dir", folder_.string()}}}},
        {"completions", {{{"completions", "bash"}}, {{"completions", "zsh"}}, {{"completions", "fish"}}}},
    };
  }

  static std::vector<std::string> with(std::vector<std::string> words, const std::string& one) {
    words.push_back(one);
    return words;
  }

  std::filesystem::path folder_;
  std::string in_names_, target_, id_, data_, answers_, study_, model_, swept_;

 private:
  static void expect_good(const std::vector<std::string>& words) {
    const auto run = perpend(words);
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  TemporaryFolder own_;
};

inline std::string shown_words(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += word + " ";
  return text;
}

}  // namespace perpend::test
