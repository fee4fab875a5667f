#include "perpend/api/bench.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <thread>

#include "perpend/base/error.h"
#include "perpend/base/parallel.h"
#include "perpend/base/random.h"
#include "perpend/base/thread_clock.h"
#include "perpend/kernels/peak.h"
#include "perpend/train/adam.h"
#include "perpend/train/engine.h"
#include "perpend/train/step.h"

namespace perpend {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatches = 8;
constexpr double kKeep = 0.5;
constexpr std::uint64_t kSeed = 1;

Dataset generated_numbers(std::size_t rows, std::size_t features) {
  Dataset data;
  data.inputs = Inputs(rows, features);
  const Stream stream({.seed = kSeed, .purpose = Purpose::generate, .member = 0, .step = 0});
  for (std::size_t r = 0; r < rows; ++r) {
    float* x = data.inputs.row(r);
    for (std::size_t f = 0; f < features; ++f) x[f] = static_cast<float>(stream.normal(r * features + f));
    data.labels.push_back(x[0] * x[1 % features] + 0.5F * x[2 % features] > 0 ? 1 : 0);
  }
  data.classes = {"0", "1"};
  return data;
}

Dataset generated(std::size_t rows, const StepShape& shape) {
  Dataset data = generated_numbers(rows, shape.features);
  if (shape.bins == 0 && shape.levels == 0) return data;
  for (std::size_t r = 0; shape.levels > 0 && r < rows; ++r) {
    for (std::size_t f = 0; f < shape.features; ++f) {
      const float u = std::abs(data.inputs(r, f)) - std::floor(std::abs(data.inputs(r, f)));
      data.inputs(r, f) = std::floor(u * static_cast<float>(shape.levels));
    }
  }
  const std::vector<std::size_t> levels(shape.features, shape.levels);
  data.columns = fit_columns(data.inputs.view(), levels, static_cast<int>(std::max<std::size_t>(2, shape.bins)));
  return data;
}

std::unique_ptr<Objective<float>> objective_of(Method method) {
  TrainOptions options;
  options.method = method;
  return objective_for(options);
}

template <class Engine>
class StepLoop {
 public:
  StepLoop(Method method, const StepShape& shape, const Architecture& architecture, bool weighted_rows)
      : rows_(shape.rows),
        threads_(shape.threads),
        data_(generated(kBatches * shape.rows, shape)),
        objective_(objective_of(method)),
        engine_(initial_ensemble(with_columns(architecture, data_), shape.members, kSeed),
                {.max_rows = shape.rows,
                 .with_input_gradients = objective_->needs().input_gradients,
                 .keep = kKeep,
                 .seed = kSeed},
                threads_),
        batches_(data_, shape.rows, 1, engine_.layout(), threads_),
        schedule_(AdamOptions{}),
        order_(1, RowList(data_.rows())) {
    std::iota(order_[0].begin(), order_[0].end(), 0U);
    for (std::size_t r = 0; weighted_rows && r < data_.rows(); ++r) {
      data_.weights.push_back(0.5F + static_cast<float>(r % 7));
    }
  }

  static Architecture with_columns(Architecture architecture, const Dataset& data) {
    architecture.columns = data.columns;
    if (!data.columns.empty()) architecture.views = {View::piecewise};
    return architecture;
  }

  void step() {
    batches_.begin(order_, step_ % kBatches * rows_, rows_, {}, step_);
    threads_.run([&] {
      evaluate_step(engine_, *objective_, batches_, threads_);
      PERPEND_CHECK(engine_.update(batches_, schedule_.next()));
    });
    ++step_;
  }

 private:
  std::size_t rows_;
  Threads threads_;
  Dataset data_;
  std::unique_ptr<Objective<float>> objective_;
  Engine engine_;
  Batches batches_;
  AdamSchedule schedule_;
  std::vector<RowList> order_;
  std::uint32_t step_ = 0;
};

Architecture architecture_of(const StepShape& shape) {
  return {.features = shape.features, .hidden = shape.hidden, .classes = 2, .activation = shape.activation};
}

double wall_seconds() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

// On a busy machine, the processor time of one thread stays the same.
auto clock_for(int threads) { return threads == 1 ? thread_seconds : wall_seconds; }

// Windows are long enough for a training's steady state, and short enough that many of them are undisturbed.
constexpr double kWindowMilliseconds = 5;
constexpr double kShortWindowMilliseconds = 1;
constexpr double kPeakSeconds = 1e-3;
constexpr std::size_t kFewestWindows = 5;

// One method that takes its turns.
struct Runner {
  std::function<void()> step;
  double operations;
  int threads;
  double (*seconds)() = wall_seconds;
  int steps_per_window = 1;
  std::vector<double> milliseconds = {}, percents = {};

  double milliseconds_of(int steps) const {
    const double start = seconds();
    for (int i = 0; i < steps; ++i) step();
    return 1e3 * (seconds() - start) / steps;
  }
  void warm_up(double duration, double window_milliseconds = kWindowMilliseconds) {
    double spent = 0;
    double once = 0;
    for (int i = 0; i < 2 || spent < 1e3 * duration; ++i) spent += once = milliseconds_of(1);
    steps_per_window = std::max(1, static_cast<int>(window_milliseconds / once));
  }
  // Returns the peak measured after the window.
  double window(double peak_before) {
    step();  // brings back what the other method pushed out of the caches
    milliseconds.push_back(milliseconds_of(steps_per_window));
    const double peak_after = kernels::measure_peak_gflops(kPeakSeconds);
    percents.push_back(100 * gflops(milliseconds.back()) / (threads * std::max(peak_before, peak_after)));
    return peak_after;
  }
  double gflops(double milliseconds_per_step) const { return 1e-6 * operations / milliseconds_per_step; }
};

}  // namespace

std::function<void()> make_step(Method method, const StepShape& shape, bool weighted_rows) {
  const Architecture architecture = architecture_of(shape);
  if (shape.bins > 0 || shape.levels > 0) {
    const auto loop = std::make_shared<StepLoop<TableEngine>>(method, shape, architecture, weighted_rows);
    return [loop] { loop->step(); };
  }
  if (CollapsedMember::serves(architecture)) {
    const auto loop = std::make_shared<StepLoop<CollapsedEngine>>(method, shape, architecture, weighted_rows);
    return [loop] { loop->step(); };
  }
  const auto loop = std::make_shared<StepLoop<GeneralEngine>>(method, shape, architecture, weighted_rows);
  return [loop] { loop->step(); };
}

double useful_operations(Method method, const StepShape& shape) {
  const Architecture architecture = architecture_of(shape);
  const bool collapsed = CollapsedMember::serves(architecture);
  const bool penalty = objective_of(method)->needs().input_gradients;
  const double first = penalty ? (collapsed ? 6 : 10) : 4;
  const double deeper = penalty ? 12 : 6;
  double sum = 0;
  for (std::size_t l = 0; l < shape.hidden.size(); ++l) {
    sum += (l == 0 ? first : deeper) * static_cast<double>(architecture.in(l)*architecture.out(l));
  }
  return sum * static_cast<double>(shape.rows * shape.members);
}

TimeSpread spread_of(std::vector<double> values) {
  PERPEND_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values.front(), values.back()};
}

namespace {

// Runs the methods in turns, window by window. Returns the peaks measured between the windows.
std::vector<double> run_windows(std::vector<Runner>& runners, const TimingOptions& options) {
  for (auto& runner : runners) {
    runner.warm_up(std::min(0.1, 0.1 * options.seconds));
    options.between_windows();
  }
  std::vector<double> peaks = {kernels::measure_peak_gflops(kPeakSeconds)};
  const auto end = Clock::now() + std::chrono::duration<double>(static_cast<double>(runners.size()) * options.seconds);
  do {
    for (auto& runner : runners) peaks.push_back(runner.window(peaks.back()));
    options.between_windows();
  } while (Clock::now() < end || runners[0].milliseconds.size() < kFewestWindows);
  return peaks;
}

StepTiming timing_of(Method method, const StepShape& shape, const Runner& runner, const std::vector<double>& peaks) {
  const TimeSpread spread = spread_of(runner.milliseconds);
  return {.name = method_info(method).word,
          .method = method,
          .shape = shape,
          .milliseconds = spread,
          .gflops = runner.gflops(spread.median),
          .peak_gflops = spread_of(peaks).median,
          .percent_of_peak = spread_of(runner.percents).median};
}

std::vector<StepTiming> time_all(std::span<const Method> timed, const StepShape& shape, const TimingOptions& options,
                                 std::vector<Runner>& runners) {
  for (const Method method : timed) {
    const bool weighted_rows = method_info(method).one_after_another;
    runners.push_back({make_step(method, shape, weighted_rows), useful_operations(method, shape), shape.threads,
                       clock_for(shape.threads)});
  }
  const auto peaks = run_windows(runners, options);
  std::vector<StepTiming> timings;
  for (std::size_t i = 0; i < timed.size(); ++i) timings.push_back(timing_of(timed[i], shape, runners[i], peaks));
  return timings;
}

}  // namespace

std::vector<StepTiming> time_steps(const StepShape& shape, const TimingOptions& options) {
  constexpr Method kTimed[] = {kBaseline, kDefaultMethod};
  std::vector<Runner> runners;
  auto timings = time_all(kTimed, shape, options, runners);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < runners[0].milliseconds.size(); ++i) {
    ratios.push_back(runners[1].milliseconds[i] / runners[0].milliseconds[i]);
  }
  timings[1].over_restarts = spread_of(ratios).median;
  return timings;
}

std::vector<StepTiming> time_methods(const StepShape& shape, const TimingOptions& options) {
  std::vector<Runner> runners;
  auto timings = time_all(usual_methods(), shape, options, runners);
  for (auto& timing : timings) timing.over_restarts = timing.milliseconds.least / timings[0].milliseconds.least;
  return timings;
}

std::vector<TableTiming> time_tables(const TimingOptions& options) {
  std::vector<TableTiming> timings;
  for (const std::size_t features : {8, 33, 116}) {
    timings.push_back(
        {.name = "16 bins", .plain = {.features = features}, .tables = {.features = features, .bins = 16}});
  }
  timings.push_back({.name = "5 levels", .plain = {.features = 110}, .tables = {.features = 22, .levels = 5}});
  for (TableTiming& timing : timings) {
    std::vector<Runner> runners;
    for (const StepShape& shape : {timing.plain, timing.tables}) {
      runners.push_back(
          {make_step(kDefaultMethod, shape), useful_operations(kDefaultMethod, shape), 1, thread_seconds});
    }
    run_windows(runners, options);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < runners[0].milliseconds.size(); ++i) {
      ratios.push_back(runners[1].milliseconds[i] / runners[0].milliseconds[i]);
    }
    timing.plain_ms = spread_of(runners[0].milliseconds);
    timing.tables_ms = spread_of(runners[1].milliseconds);
    timing.ratio = spread_of(ratios);
  }
  return timings;
}

namespace {

double peak_of_all(int threads) {
  std::vector<double> gflops(static_cast<std::size_t>(threads));
  std::barrier start(threads);
  {
    std::vector<std::jthread> each;
    each.reserve(gflops.size());
    for (double& own : gflops) {
      each.emplace_back([&] {
        start.arrive_and_wait();
        own = kernels::measure_peak_gflops(kPeakSeconds);
      });
    }
  }
  return std::accumulate(gflops.begin(), gflops.end(), 0.0);
}

}  // namespace

ThreadsTiming time_threads(const StepShape& shape, const TimingOptions& options) {
  StepShape alone = shape;
  alone.threads = 1;
  Runner runners[] = {{make_step(kDefaultMethod, alone), 0, 1}, {make_step(kDefaultMethod, shape), 0, shape.threads}};
  for (auto& runner : runners) runner.warm_up(std::min(0.1, 0.1 * options.seconds), kShortWindowMilliseconds);
  double peak_alone = 0;
  double peak_together = 0;
  const auto end = Clock::now() + std::chrono::duration<double>(2 * options.seconds);
  do {
    for (auto& runner : runners) {
      for (std::size_t i = 0; i < kFewestWindows; ++i) {
        runner.milliseconds.push_back(runner.milliseconds_of(runner.steps_per_window));
      }
    }
    peak_alone = std::max(peak_alone, kernels::measure_peak_gflops(kPeakSeconds));
    peak_together = std::max(peak_together, peak_of_all(shape.threads));
    options.between_windows();
  } while (Clock::now() < end);
  return {.shape = shape,
          .one_ms = spread_of(runners[0].milliseconds).least,
          .all_ms = spread_of(runners[1].milliseconds).least,
          .peaks = peak_together / peak_alone};
}

}  // namespace perpend
