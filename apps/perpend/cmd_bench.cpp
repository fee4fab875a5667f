#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "apps/perpend/command.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/startup_time.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/bench.h"
#include "perpend/api/machine.h"

namespace perpend::app {

namespace {

constexpr int kStarts = 20;

struct BenchOptions {
  std::vector<std::size_t> features, members;  // empty: those of the full run
  std::vector<int> threads;                    // empty: one and all
  std::size_t bins = 0;                        // 0: plain features
  double seconds = 0.5;
  std::string target;  // empty: the best
  bool methods = false;
  bool tables = false;
  bool json = false;
};

int all_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

std::vector<int> thread_counts(const BenchOptions& options) {
  std::vector<int> counts = options.threads.empty() ? std::vector<int>{1, 0} : options.threads;
  std::vector<int> distinct;
  for (const int count : counts) {
    const int actual = count == 0 ? all_threads() : count;
    if (std::find(distinct.begin(), distinct.end(), actual) == distinct.end()) distinct.push_back(actual);
  }
  return distinct;
}

// Compares the methods. Where nothing is said, the shape is that of the paper's ionosphere, on one thread.
std::vector<StepShape> method_shapes(const BenchOptions& options) {
  std::vector<StepShape> shapes;
  for (const int threads : options.threads.empty() ? std::vector<int>{1} : thread_counts(options)) {
    for (const std::size_t d : options.features.empty() ? std::vector<std::size_t>{33} : options.features) {
      for (const std::size_t m : options.members.empty() ? std::vector<std::size_t>{5} : options.members) {
        shapes.push_back({.features = d, .members = m, .threads = threads});
      }
    }
  }
  return shapes;
}

std::vector<StepShape> shapes_of(const BenchOptions& options) {
  if (options.methods) return method_shapes(options);
  const std::vector<std::size_t> all_features = {8, 33, 60, 116};
  const std::vector<std::size_t> all_members = {2, 5, 13};
  std::vector<StepShape> shapes;
  for (const int threads : thread_counts(options)) {
    for (const std::size_t d : options.features.empty() ? all_features : options.features) {
      for (const std::size_t m : options.members.empty() ? all_members : options.members) {
        shapes.push_back({.features = d, .members = m, .threads = threads, .bins = options.bins});
      }
    }
    if (options.features.empty() && options.members.empty() && options.bins == 0) {
      shapes.push_back({.hidden = {256, 256}, .activation = Activation::softplus, .threads = threads});
    }
  }
  return shapes;
}

std::string network_of(const StepShape& shape) {
  return fmt::format("{} {}{}", fmt::join(shape.hidden, ","),
                     shape.activation == Activation::relu ? "relu" : "softplus",
                     shape.bins > 0 ? fmt::format(", {} bins", shape.bins) : "");
}

nlohmann::ordered_json json_of(const StepTiming& timing) {
  nlohmann::ordered_json hidden = timing.shape.hidden;
  if (hidden.size() == 1) hidden = timing.shape.hidden[0];
  return {{"method", timing.name},
          {"rows", timing.shape.rows},
          {"features", timing.shape.features},
          {"hidden", hidden},
          {"activation", timing.shape.activation == Activation::relu ? "relu" : "softplus"},
          {"members", timing.shape.members},
          {"bins", timing.shape.bins},
          {"threads", timing.shape.threads},
          {"ms_per_step", timing.milliseconds.median},
          {"ms_least", timing.milliseconds.least},
          {"ms_most", timing.milliseconds.most},
          {"gflops", timing.gflops},
          {"peak_gflops", timing.peak_gflops},
          {"percent_of_peak", timing.percent_of_peak},
          {"over_restarts", timing.over_restarts}};
}

void print_head() {
  print("CPU target {}, {} threads, FMA peak {:.0f} GFLOP/s per core (float32, measured now and again for each case)\n",
        kernels::active_target(), all_threads(), kernels::measure_peak_gflops(0.1));
  const TimeSpread startup = startup_milliseconds(kStarts);
  print("Start of the program: {:.1f} ms (median); the fastest of {} starts took {:.1f} ms\n\n", startup.median,
        kStarts, startup.least);
  print("{:>7} {:>4} {:>3} {:<17} {:<9} {:>10} {:>20} {:>8} {:>7} {:>14}\n", "threads", "D", "M", "hidden", "method",
        "ms a step", "least to most", "GFLOP/s", "% peak", "over restarts");
  flush_results();
}

void print_row(const StepTiming& t) {
  const std::string over = t.method != kBaseline ? fmt::format("{:.2f}", t.over_restarts) : "";
  print("{:>7} {:>4} {:>3} {:<17} {:<9} {:>10.3f} {:>20} {:>8.1f} {:>7.0f} {:>14}\n", t.shape.threads, t.shape.features,
        t.shape.members, network_of(t.shape), t.name, t.milliseconds.median,
        fmt::format("{:.3f} to {:.3f}", t.milliseconds.least, t.milliseconds.most), t.gflops, t.percent_of_peak, over);
  flush_results();
}

// Prints a growth table. Each line has the cost of a LIT step at one size, and its cost per unit relative to the first
// line.
void print_growth(const std::string& title, const std::vector<std::pair<std::size_t, double>>& points) {
  std::string sizes, costs, relative;
  const double unit = points.front().second / static_cast<double>(points.front().first);
  for (const auto& [size, milliseconds] : points) {
    sizes += fmt::format("{:>9}", size);
    costs += fmt::format("{:>9.3f}", milliseconds);
    relative += fmt::format("{:>9.2f}", milliseconds / static_cast<double>(size) / unit);
  }
  print("  {:<26}{}\n  {:<26}{}\n  {:<26}{}\n", title, sizes, "    ms a step", costs, "    cost of one, relative",
        relative);
}

void print_growth_tables(const std::vector<StepTiming>& timings) {
  std::vector<std::pair<std::size_t, double>> by_members, by_features;
  for (const auto& t : timings) {
    if (t.method != kDefaultMethod || t.shape.threads != 1 || t.shape.hidden.size() != 1) continue;
    if (t.shape.features == 33) by_members.emplace_back(t.shape.members, t.milliseconds.median);
    if (t.shape.members == 5) by_features.emplace_back(t.shape.features, t.milliseconds.median);
  }
  if (by_members.size() < 2 && by_features.size() < 2) return;
  print("\nHow the cost of a LIT step grows (one thread; 1.00 in every row means proportional growth)\n");
  if (by_members.size() > 1) print_growth("members M (D 33)", by_members);
  if (by_features.size() > 1) print_growth("features D (M 5)", by_features);
}

// Returns the shape whose threads are compared: that of the paper's ionosphere if it is among the cases.
const StepShape* threads_shape(const std::vector<StepShape>& shapes) {
  const StepShape* found = nullptr;
  for (const auto& shape : shapes) {
    if (shape.threads == 1 || shape.hidden.size() != 1) continue;
    if (found == nullptr || (shape.features == 33 && shape.members == 5)) found = &shape;
  }
  return found;
}

void print_threads(const ThreadsTiming& t) {
  print(
      "\n"
      "{} threads against one (LIT, D {}, M {}, measured in turn, least times): {:.3f} against {:.3f} ms, {:.2f} times "
      "as fast.\n"
      "Fused multiply-adds alone are {:.2f} times as fast.{}\n",
      t.shape.threads, t.shape.features, t.shape.members, t.all_ms, t.one_ms, t.speedup(), t.peaks,
      t.peaks < 0.75 * t.shape.threads ? " These threads share cores, or other programs use the cores." : "");
}

nlohmann::ordered_json json_of(const ThreadsTiming& t) {
  return {{"threads", t.shape.threads},
          {"features", t.shape.features},
          {"members", t.shape.members},
          {"ms_one", t.one_ms},
          {"ms_all", t.all_ms},
          {"speedup", t.speedup()},
          {"peaks", t.peaks}};
}

nlohmann::ordered_json json_of(const TableTiming& t) {
  const auto spread = [](const TimeSpread& s) -> nlohmann::ordered_json {
    return {{"median", s.median}, {"least", s.least}, {"most", s.most}};
  };
  return {{"tables", t.name},
          {"columns", t.tables.features},
          {"plain_features", t.plain.features},
          {"ms_plain", spread(t.plain_ms)},
          {"ms_tables", spread(t.tables_ms)},
          {"ratio", spread(t.ratio)}};
}

void run_tables(const BenchOptions& options) {
  const InterruptsWait wait;
  const auto timings = time_tables({.seconds = options.seconds, .between_windows = throw_if_interrupted});
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& timing : timings) list.push_back(json_of(timing));
    write_json({{"tables", list}});
    return;
  }
  print(
      "One LIT step over columns that are tables, and one over plain features: B 256, H 256, M 5, one thread,\n"
      "processor time, measured in turn (docs/performance.md).\n\n"
      "{:<10} {:>7} {:>14} {:>9} {:>10} {:>6}  {}\n",
      "tables", "columns", "plain features", "ms plain", "ms tables", "ratio", "least to most");
  for (const auto& t : timings) {
    print("{:<10} {:>7} {:>14} {:>9.3f} {:>10.3f} {:>6.2f}  {:.2f} to {:.2f}\n", t.name, t.tables.features,
          t.plain.features, t.plain_ms.median, t.tables_ms.median, t.ratio.median, t.ratio.least, t.ratio.most);
  }
}

void run_bench(const BenchOptions& options) {
  if (options.tables) return run_tables(options);
  const InterruptsWait wait;
  kernels::use_target(options.target);
  if (!options.json) print_head();
  std::vector<StepTiming> timings;
  std::vector<double> peaks;
  ProgressLine progress;
  const auto shapes = shapes_of(options);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const StepShape& shape = shapes[i];
    progress.show(fmt::format("case {} of {}: D {}, M {}, {}, threads {}", i + 1, shapes.size(), shape.features,
                              shape.members, network_of(shape), shape.threads));
    const TimingOptions timing_options{.seconds = options.seconds, .between_windows = throw_if_interrupted};
    const auto timed = options.methods ? time_methods(shape, timing_options) : time_steps(shape, timing_options);
    progress.clear();
    for (const auto& timing : timed) {
      if (!options.json) print_row(timing);
      timings.push_back(timing);
    }
    peaks.push_back(timed.front().peak_gflops);
  }
  std::optional<ThreadsTiming> threads;
  if (const StepShape* shape = options.methods ? nullptr : threads_shape(shapes)) {
    progress.show(fmt::format("{} threads against one", shape->threads));
    threads = time_threads(*shape, {.seconds = options.seconds, .between_windows = throw_if_interrupted});
    progress.clear();
  }
  if (!options.json) {
    if (!options.methods) print_growth_tables(timings);
    if (threads) print_threads(*threads);
    print(
        "\n"
        "A step has B = 256 rows. GFLOP/s counts useful operations: 6BDHM for LIT, 4BDHM for the others (one ReLU "
        "layer).\n"
        "More than 100 % is possible: products with zeros of a dropout mask count but are skipped, and some products "
        "are\n"
        "made with integers, two at a time. With one thread, times are processor time.\n");
    if (options.methods) {
      print(
          "\"Over restarts\" compares the least times. The step of bagging is that of restarts on other rows, and the "
          "step of\n"
          "AdaBoost is that of restarts on weighted rows.\n");
    }
    return;
  }
  const TimeSpread startup = startup_milliseconds(kStarts);
  nlohmann::ordered_json document = {{"peak_gflops", spread_of(peaks).median},
                                     {"target", kernels::active_target()},
                                     {"startup_ms", {{"median", startup.median}, {"least", startup.least}}},
                                     {"cases", nlohmann::ordered_json::array()}};
  for (const auto& timing : timings) document["cases"].push_back(json_of(timing));
  if (threads) document["threads"] = json_of(*threads);
  write_json(document);
}

}  // namespace

void add_bench(CLI::App& program, Action& chosen) {
  auto* verb = program.add_subcommand("bench", "Measure the speed of training steps against this machine's peak");
  verb->footer(
      "  perpend bench                                       all cases, about a minute\n"
      "  perpend bench --features 33 --members 5 --threads 1 one case, restarts and LIT\n"
      "  perpend bench --features 33 --members 5 --bins 16   the same over piecewise-linear columns\n"
      "  perpend bench --methods                             one step of every method of the paper\n"
      "  perpend bench --tables                              columns as tables against plain features\n"
      "  perpend bench --target AVX2 --threads 1             a narrower instruction set against its own peak\n"
      "  perpend bench --json > bench.json                   for other programs\n");
  auto options = std::make_shared<BenchOptions>();
  verb->add_option("--features", options->features, "Numbers of columns (D), for example 8,33")
      ->option_text("D,...")
      ->delimiter(',')
      ->check(whole_between(1, 4096));
  verb->add_option("--members", options->members, "Numbers of members (M), for example 2,5,13")
      ->option_text("M,...")
      ->delimiter(',')
      ->check(whole_between(2, 256));
  verb->add_option("--threads", options->threads, "Numbers of threads; 0 uses all cores [1 and 0]")
      ->option_text("N,...")
      ->delimiter(',')
      ->check(whole_between(0, 1024));
  verb->add_option("--seconds", options->seconds, "Seconds per case [0.5]")->option_text("S")->check(between(0, 3600));
  verb->add_option("--target", options->target, "Instruction set, one of those that `perpend doctor` lists [the best]")
      ->option_text("NAME")
      ->check(CLI::Validator(target_problem, ""));
  auto* methods = verb->add_flag("--methods", options->methods,
                                 "Compare one step of each method with one of restarts [D 33, M 5, one thread]");
  auto* tables =
      verb->add_flag("--tables", options->tables, "Compare columns as tables with plain features, on one thread");
  verb->add_option("--bins", options->bins, "Make the columns piecewise linear with K bins each [plain features]")
      ->option_text("K")
      ->check(whole_between(2, 256))
      ->excludes(methods)
      ->excludes(tables);
  add_json(*verb, options->json);
  verb->callback([options, &chosen] { chosen = [options] { run_bench(*options); }; });
}

}  // namespace perpend::app
