// How many locally independent models some data hold (run/capacity.h), as values to print, draw and write.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace perpend {

// Some number of networks, trained together. Means are over the restarts.
struct CapacityRow {
  int members = 0;
  std::vector<std::size_t> counts;  // per restart: how many are good and independent of one another
  double best_loss = 0;             // what the best of them loses compared with one network alone, in the measure
  double weakest_loss = 0;          // the same of the weakest
  double weakest_loss_error = 0;    // its standard error over restarts; 0 for one restart
  double cos2 = 0;                  // over pairs and rows
  double largest_cos2 = 0;          // of the pair that is most alike
};

// The ensemble's held-out loss (the log-loss, or the loss of a regression) with this penalty.
struct CapacityCell {
  int members = 0;
  double lambda = 0;
  double loss = 0;             // mean over restarts
  std::optional<double> cos2;  // likewise; nothing for one member
};

struct Capacity {
  std::string measure;     // "AUC", "accuracy", "R²"
  double alone = 0;        // of one network, mean over restarts
  double alone_error = 0;  // its standard error over restarts; 0 for one restart
  double guess = 0;        // the measure of a guess
  double lambda = 0, keep = 0, bound = 0;
  int most = 0;
  std::vector<std::size_t> found;   // per restart
  std::size_t number = 0;           // their lower median; 0: one network is not better than a guess
  std::size_t low = 0, high = 0;    // 95 % of the restarts are between
  bool at_least = false;            // all of `most` networks were good, and more were not tried
  std::vector<CapacityRow> rows;    // by members, from 1
  std::vector<CapacityCell> ridge;  // by members, then lambda; empty: not asked for
  std::size_t training_rows = 0, held_out_rows = 0, features = 0;
  std::string surface;  // along which gradients are compared, in words; empty: in the whole input space
};

// Returns the lambda with the least loss for this many members, or nothing where none was tried.
std::optional<double> best_lambda(const Capacity& capacity, int members);

}  // namespace perpend
