// Times training steps: gather, forward, objective, backward and Adam, exactly as a step of train(). `perpend bench`
// prints these times, and benchmarks/ measures them.
//
// The methods of a shape are timed in turns, window by window, and the machine's FMA peak is measured between the
// windows. What disturbs one window disturbs its neighbours too. So ratios stay fair on a busy machine, where times do
// not.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "perpend/kernels/activation.h"
#include "perpend/train/options.h"

namespace perpend {

struct StepShape {
  std::size_t rows = 256;  // B, of a batch
  std::size_t features = 33;
  std::vector<std::size_t> hidden = {256};
  Activation activation = Activation::relu;
  std::size_t members = 5;
  int threads = 1;         // at least 1
  std::size_t bins = 0;    // columns are tables in the piecewise view with this many bins; 0: plain features
  std::size_t levels = 0;  // columns are categories with this many levels each; 0: numbers
};

// Returns a function that makes one more step on the next of 8 batches of generated rows. Drop-out is 0.5, weight decay
// 1e-4 and lambda 1 (mean; NCL 0.5, ACE 0.1), so that masks are as sparse as in real training.
std::function<void()> make_step(Method method, const StepShape& shape, bool weighted_rows = false);

// Returns the useful operations of a step: those of its products, as if they were dense. A multiplication and an
// addition count one each.
//   one ReLU layer     4 B D H M, and with the penalty 6 B D H M (method: three products instead of two)
//   deeper and others  4 B in out M for the first layer and 6 B in out M for each deeper one; with the penalty 10 and
//                      12: products of forward, input gradient, tangent, adjoint and the two weight gradients
// A column that is a table counts as one feature.
double useful_operations(Method method, const StepShape& shape);

struct TimeSpread {
  double median = 0, least = 0, most = 0;
};
TimeSpread spread_of(std::vector<double> values);

struct StepTiming {
  std::string name;  // of the method
  Method method = kDefaultMethod;
  StepShape shape;
  TimeSpread milliseconds;     // of a step, over windows
  double gflops = 0;           // useful operations at the median
  double peak_gflops = 0;      // of one core, median of those measured beside the windows
  double percent_of_peak = 0;  // per used core, median over windows, each against the peak right before and after it
  // The time divided by that of restarts. time_steps takes the median over pairs of neighbouring windows, and
  // time_methods divides the least times.
  double over_restarts = 1;
};

struct TimingOptions {
  double seconds = 0.5;                           // per method, warm-up apart
  std::function<void()> between_windows = [] {};  // may throw to stop
};

// Returns the timings of restarts and LIT. On one thread, milliseconds are the thread's processor time, to which a busy
// machine adds nothing.
std::vector<StepTiming> time_steps(const StepShape& shape, const TimingOptions& options);

// Times every method of the paper, restarts first. Bagging's step is that of restarts on its own rows. AdaBoost's step
// is that of restarts on weighted rows. The clock is that of time_steps.
std::vector<StepTiming> time_methods(const StepShape& shape, const TimingOptions& options);

// A LIT step over columns that are tables, compared with one over plain features: on one thread, in turns, by processor
// time.
struct TableTiming {
  std::string name;
  StepShape plain, tables;
  TimeSpread plain_ms = {}, tables_ms = {};
  TimeSpread ratio = {};  // over pairs of neighbouring windows
};
// Compares 16 bins with the z-scores of the same 8, 33 and 116 columns, and the mushroom table's 22 columns of 5 levels
// with 110 plain features.
std::vector<TableTiming> time_tables(const TimingOptions& options);

// A LIT step on shape.threads threads compared with one on one thread, and what the machine itself gives. Two threads
// that share a core, or whose cores other programs use, cannot be twice as fast.
struct ThreadsTiming {
  StepShape shape;
  double one_ms = 0, all_ms = 0;  // the least times
  double peaks = 0;               // the FMA peak of as many cores at once divided by that of one core; the largest
  double speedup() const { return one_ms / all_ms; }
};
// Measures in turns, in windows of a millisecond. Other programs are least likely to disturb a short window.
ThreadsTiming time_threads(const StepShape& shape, const TimingOptions& options);

}  // namespace perpend
