// bench_trees FOLDER KEY=VALUE...: trains boosted trees on the arrays of a folder, which compare.py writes.
//
//   FOLDER/train, valid, test   two int64, rows and columns; then float32: the encoded rows, then one label per row
//   FOLDER/levels               int64 per column: the number of levels of a category, 0 for a number
//
// Keys: rounds, leaves, patience, threads, repeats. It writes FOLDER/scores, one float32 log-odds per test row. It
// prints one line of JSON: the least seconds of training and of scoring the test rows over all repeats, wall clock and
// processor.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "perpend/trees/boost.h"

namespace {

using namespace perpend;

struct Labelled {
  Inputs inputs;
  std::vector<std::int32_t> labels;
  TreeRows view() const { return {.inputs = inputs.view(), .labels = labels}; }
};

template <class T>
std::vector<T> read_numbers(std::istream& in, std::size_t count) {
  std::vector<T> numbers(count);
  in.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(count * sizeof(T)));
  PERPEND_CHECK(in.good());
  return numbers;
}

Labelled read_rows(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const auto shape = read_numbers<std::int64_t>(in, 2);
  const auto rows = static_cast<std::size_t>(shape[0]);
  const auto columns = static_cast<std::size_t>(shape[1]);
  Labelled read{.inputs = Inputs(rows, columns), .labels = {}};
  for (std::size_t r = 0; r < rows; ++r) std::ranges::copy(read_numbers<float>(in, columns), read.inputs.row(r));
  if (rows > 0) {
    for (const float label : read_numbers<float>(in, rows)) read.labels.push_back(static_cast<std::int32_t>(label));
  }
  return read;
}

std::vector<ColumnTable> read_tables(const std::string& path, std::size_t columns) {
  std::ifstream in(path, std::ios::binary);
  std::vector<ColumnTable> tables;
  for (const std::int64_t levels : read_numbers<std::int64_t>(in, columns)) {
    tables.push_back({.means = std::vector<float>(static_cast<std::size_t>(levels)), .is_category = levels > 0});
  }
  return tables;
}

struct Least {
  double wall = std::numeric_limits<double>::infinity();
  double processor = wall;

  template <class Work>
  auto measure(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t clock = std::clock();
    auto result = work();
    processor = std::min(processor, static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC);
    wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return result;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  std::map<std::string, std::size_t> settings = {
      {"rounds", 100}, {"leaves", 31}, {"patience", 0}, {"threads", 1}, {"repeats", 1}};
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    settings.at(word.substr(0, word.find('='))) = std::stoul(word.substr(word.find('=') + 1));
  }
  const Labelled train = read_rows(folder + "/train");
  const Labelled valid = read_rows(folder + "/valid");
  const Labelled test = read_rows(folder + "/test");
  const auto tables = read_tables(folder + "/levels", train.inputs.cols());
  const Threads threads(static_cast<int>(settings["threads"]));
  const BoostTask task{.columns = tables, .training = train.view(), .validation = valid.view()};
  BoostOptions options{.rounds = settings["rounds"], .patience = settings["patience"]};
  options.tree.leaves = settings["leaves"];

  Least fit;
  Least predict;
  TreeScores scores;
  std::size_t trees = 0;
  for (std::size_t repeat = 0; repeat < settings["repeats"]; ++repeat) {
    const BoostResult result = fit.measure([&] { return boost(task, options, threads); });
    scores = predict.measure([&] { return score(result.trees, test.inputs.view(), threads); });
    trees = result.trees.trees.size();
  }
  std::ofstream out(folder + "/scores", std::ios::binary);
  for (std::size_t r = 0; r < scores.rows(); ++r) out.write(reinterpret_cast<const char*>(scores.row(r)), 4);
  fmt::print("{{\"trees\": {}, \"fit\": {}, \"fit_cpu\": {}, \"predict\": {}, \"predict_cpu\": {}}}\n", trees, fit.wall,
             fit.processor, predict.wall, predict.processor);
}
