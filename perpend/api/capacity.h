// How many locally independent models a table holds: what `perpend capacity` does.
//
//     perpend::CapacityOptions options;
//     options.run.schema.target = "default";
//     const perpend::Capacity found = perpend::capacity(perpend::read_table("loans.csv"), options);
//     std::cout << perpend::reading(found) << '\n';  // "The data hold 2 independent explanations ..."
//
// run/capacity.h says how they are counted. Each restart has other held-out rows (36 % of the table) and other first
// weights. The answer is the lower median of the restarts' counts, and the interval holds 95 % of them.
#pragma once

#include <string>

#include "perpend/data/table.h"
#include "perpend/records/capacity.h"
#include "perpend/run/capacity.h"
#include "perpend/run/run.h"

namespace perpend {

struct CapacityOptions {
  // Only these options are read: how columns are encoded, the group, the seed and the threads.
  RunOptions run = {};
  std::string manifold = "auto";  // along which gradients are compared: auto, none, pca:K or a FILE with one basis
  CapacitySettings settings = {};
};

// Is told about the progress, by one thread at a time. What it throws ends the measurement and reaches the caller.
class CapacityCallback {
 public:
  virtual ~CapacityCallback() = default;
  // members: how many networks are trained together now. done: how many of the `trainings` with that number are
  // finished.
  virtual void on_progress(int /*members*/, std::size_t /*done*/, std::size_t /*trainings*/) {}
  // All threads ask this. A true answer ends the measurement without a count.
  virtual bool stop_requested() { return false; }
};

struct MeasuredCapacity : Capacity {
  bool stopped = false;                    // by the callback, so nothing is counted
  std::vector<std::string> warnings = {};  // about the table, one line each
};

// Throws ConfigError for options that cannot be used, and DataError for a table that cannot.
MeasuredCapacity capacity(const Table& table, const CapacityOptions& options, CapacityCallback* callback = nullptr);

// Returns the answer in a sentence or two.
std::string reading(const Capacity& found);
// Says in one line which lambda is best for each number of networks. Empty where these were not asked for.
std::string ridge_reading(const Capacity& found);

// Returns what `perpend capacity` prints: the reading, the table behind it, and the ridge.
std::string to_text(const Capacity& found);
std::string to_json(const Capacity& found);

// Returns one offline page with the curves. name: what the page calls the data. version: perpend's.
std::string capacity_page_html(const Capacity& found, const std::string& name, const std::string& version);

}  // namespace perpend
