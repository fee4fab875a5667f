// Measures how much time each fast path of the kernels (kernels/fast_path.h) saves in a whole training step. A path
// that saves little can be deleted:
//
//   build/dev/bin/bench_paths [SECONDS per case, 2 unless given] [TARGET, for example AVX2]
//
// Each case makes the same step twice, with the path and without it. It times the two in turns, window by window, by
// the thread's processor time, so a disturbance hits neighbouring windows alike. "gain" is the time without the path
// divided by the time with it, minus one. It prints the median over pairs of neighbouring windows and its quartiles,
// then the gain by the least times. No path changes a bit of the results (tests/train/contract_test.cpp), except
// "collapsed", without which the general engine sums in another order.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "perpend/api/bench.h"
#include "perpend/kernels/fast_path.h"
#include "perpend/kernels/target.h"

namespace perpend {
namespace {

using kernels::FastPath;
using kernels::Without;

struct PathCase {
  const char* name;
  FastPath path;
  Method method;
};
constexpr PathCase kCases[] = {{"collapsed", FastPath::collapsed, Method::lit},
                               {"collapsed", FastPath::collapsed, Method::restarts},
                               {"quantized_signs", FastPath::quantized_signs, Method::lit},
                               {"interleaved_sums", FastPath::interleaved_sums, Method::lit},
                               {"remainder_columns", FastPath::remainder_columns, Method::lit},
                               {"remainder_columns", FastPath::remainder_columns, Method::restarts}};

double thread_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// One step, timed in windows of about 5 ms.
class TimedStep {
 public:
  TimedStep(Method method, const StepShape& shape, std::optional<FastPath> without) : without_(without) {
    const auto off = switch_off();
    step_ = make_step(method, shape);
    const double start = thread_milliseconds();
    for (int i = 0; i < 20; ++i) step_();
    const double once = (thread_milliseconds() - start) / 20;
    steps_per_window_ = std::max(1, static_cast<int>(5 / once));
  }
  void window() {
    const auto off = switch_off();
    step_();  // refills the caches after the other step
    const double start = thread_milliseconds();
    for (int i = 0; i < steps_per_window_; ++i) step_();
    milliseconds.push_back((thread_milliseconds() - start) / steps_per_window_);
  }
  std::vector<double> milliseconds;

 private:
  std::unique_ptr<Without> switch_off() const { return without_ ? std::make_unique<Without>(*without_) : nullptr; }
  std::optional<FastPath> without_;
  std::function<void()> step_;
  int steps_per_window_ = 1;
};

void run_case(const PathCase& one, std::size_t features, double seconds) {
  const StepShape shape{.features = features, .members = 5};
  TimedStep with(one.method, shape, std::nullopt);
  TimedStep without(one.method, shape, one.path);
  std::vector<double> gains;
  for (const double start = thread_milliseconds(); thread_milliseconds() - start < 1e3 * seconds;) {
    // They take turns, and each is first every other time.
    TimedStep& first = gains.size() % 2 == 0 ? with : without;
    first.window();
    (&first == &with ? without : with).window();
    gains.push_back(100 * (without.milliseconds.back() / with.milliseconds.back() - 1));
  }
  std::sort(gains.begin(), gains.end());
  const auto quantile = [&](double q) {
    return gains[static_cast<std::size_t>(q * static_cast<double>(gains.size() - 1))];
  };
  const double least_with = spread_of(with.milliseconds).least;
  const double least_without = spread_of(without.milliseconds).least;
  fmt::print("{:<18} {:<9} {:>4} {:>10.3f} {:>10.3f} {:>8.1f} % {:>18} {:>8.1f} %\n", one.name,
             one.method == Method::lit ? "lit" : "restarts", features, least_with, least_without, quantile(0.5),
             fmt::format("{:.1f} to {:.1f} %", quantile(0.25), quantile(0.75)), 100 * (least_without / least_with - 1));
  std::fflush(stdout);
}

void run(double seconds) {
  fmt::print("target {}, one thread, M 5, H 256, B 256\n\n", kernels::active_target());
  fmt::print("{:<18} {:<9} {:>4} {:>10} {:>10} {:>10} {:>18} {:>10}\n", "path", "step", "D", "with ms", "without",
             "gain", "quartiles", "of least");
  for (const auto& one : kCases) {
    for (const std::size_t features : {8, 33, 60, 116}) run_case(one, features, seconds);
  }
}

}  // namespace
}  // namespace perpend

int main(int argc, char** argv) {
  if (argc > 2) perpend::kernels::use_target(argv[2]);
  perpend::run(argc > 1 ? std::atof(argv[1]) : 2);
}
