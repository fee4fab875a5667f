#include "apps/perpend/bench_steps.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <span>

#include "perpend/base/error.h"
#include "perpend/base/parallel.h"
#include "perpend/base/random.h"
#include "perpend/kernels/peak.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/lit.h"
#include "perpend/optim/adam.h"
#include "perpend/train/engine.h"
#include "perpend/train/step.h"

namespace perpend::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatches = 8;
constexpr double kKeep = 0.5;
constexpr std::uint64_t kSeed = 1;

Dataset generated(std::size_t rows, std::size_t features) {
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

std::unique_ptr<Objective<float>> objective_of(Method method) {
  if (method == Method::lit) return std::make_unique<Lit<float>>(1.0, PenaltyReduction::mean);
  return std::make_unique<Restarts<float>>();
}

template <class Engine>
class StepLoop {
 public:
  StepLoop(Method method, const StepShape& shape, const Architecture& architecture)
      : rows_(shape.rows),
        threads_(shape.threads),
        data_(generated(kBatches * shape.rows, shape.features)),
        objective_(objective_of(method)),
        engine_(initial_ensemble(architecture, shape.members, kSeed),
                {.max_rows = shape.rows,
                 .with_input_gradients = objective_->wants_input_gradients(),
                 .keep = kKeep,
                 .seed = kSeed},
                threads_),
        batches_(data_, shape.rows, 1, Engine::kPacked, threads_),
        schedule_(AdamOptions{}),
        order_(1, RowList(data_.rows())) {
    std::iota(order_[0].begin(), order_[0].end(), 0U);
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

double milliseconds_of(const std::function<void()>& step, int steps) {
  const auto start = Clock::now();
  for (int i = 0; i < steps; ++i) step();
  return 1e3 * std::chrono::duration<double>(Clock::now() - start).count() / steps;
}

// Windows are long enough for a training's steady state, and short enough for many of them to be left alone.
constexpr double kWindowMilliseconds = 5;
constexpr double kPeakSeconds = 1e-3;
constexpr std::size_t kFewestWindows = 5;

// One method's share of the turns.
struct Runner {
  std::function<void()> step;
  double operations;
  int threads;
  int steps_per_window = 1;
  std::vector<double> milliseconds, percents;

  void warm_up(double seconds) {
    double spent = 0;
    double once = 0;
    for (int i = 0; i < 2 || spent < 1e3 * seconds; ++i) spent += once = milliseconds_of(step, 1);
    steps_per_window = std::max(1, static_cast<int>(kWindowMilliseconds / once));
  }
  // Returns the peak measured after the window.
  double window(double peak_before) {
    step();  // brings back what the other method pushed out of the caches
    milliseconds.push_back(milliseconds_of(step, steps_per_window));
    const double peak_after = kernels::measure_peak_gflops(kPeakSeconds);
    percents.push_back(100 * gflops(milliseconds.back()) / (threads * std::max(peak_before, peak_after)));
    return peak_after;
  }
  double gflops(double milliseconds_per_step) const { return 1e-6 * operations / milliseconds_per_step; }
};

}  // namespace

std::function<void()> make_step(Method method, const StepShape& shape) {
  const Architecture architecture = architecture_of(shape);
  if (CollapsedMember::serves(architecture)) {
    const auto loop = std::make_shared<StepLoop<CollapsedEngine>>(method, shape, architecture);
    return [loop] { loop->step(); };
  }
  const auto loop = std::make_shared<StepLoop<GeneralEngine>>(method, shape, architecture);
  return [loop] { loop->step(); };
}

double useful_operations(Method method, const StepShape& shape) {
  const Architecture architecture = architecture_of(shape);
  const bool collapsed = CollapsedMember::serves(architecture);
  const bool penalty = method == Method::lit;
  const double first = penalty ? (collapsed ? 6 : 10) : 4;
  const double deeper = penalty ? 12 : 6;
  double sum = 0;
  for (std::size_t l = 0; l < shape.hidden.size(); ++l) {
    sum += (l == 0 ? first : deeper) * static_cast<double>(architecture.in(l)*architecture.out(l));
  }
  return sum * static_cast<double>(shape.rows * shape.members);
}

Spread spread_of(std::vector<double> values) {
  PERPEND_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values.front(), values.back()};
}

std::vector<StepTiming> time_steps(const StepShape& shape, const TimingOptions& options) {
  constexpr Method kMethods[] = {Method::restarts, Method::lit};
  std::vector<Runner> runners;
  for (const Method method : kMethods) {
    runners.push_back({make_step(method, shape), useful_operations(method, shape), shape.threads, 1, {}, {}});
    runners.back().warm_up(std::min(0.1, 0.1 * options.seconds));
    options.between_windows();
  }
  std::vector<double> peaks = {kernels::measure_peak_gflops(kPeakSeconds)};
  const auto end = Clock::now() + std::chrono::duration<double>(2 * options.seconds);
  do {
    for (auto& runner : runners) peaks.push_back(runner.window(peaks.back()));
    options.between_windows();
  } while (Clock::now() < end || runners[0].milliseconds.size() < kFewestWindows);

  std::vector<double> ratios;
  for (std::size_t i = 0; i < runners[0].milliseconds.size(); ++i) {
    ratios.push_back(runners[1].milliseconds[i] / runners[0].milliseconds[i]);
  }
  std::vector<StepTiming> timings;
  for (std::size_t i = 0; i < runners.size(); ++i) {
    const Spread spread = spread_of(runners[i].milliseconds);
    timings.push_back({.method = kMethods[i],
                       .shape = shape,
                       .milliseconds = spread,
                       .gflops = runners[i].gflops(spread.median),
                       .peak_gflops = spread_of(peaks).median,
                       .percent_of_peak = spread_of(runners[i].percents).median,
                       .over_restarts = i == 0 ? 1 : spread_of(ratios).median});
  }
  return timings;
}

}  // namespace perpend::app
