// How good an ensemble is on some rows: the metrics object of every JSON answer, under the same names.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace perpend {

// A number, or nothing where it has no meaning (the AUC of rows of one class, the correlation of a member without
// errors). Never NaN: in JSON it is null, in a table a dash.
using Metric = std::optional<double>;

struct Scores {
  Metric auc;
  Metric accuracy;
  Metric log_loss;
  Metric brier;
  Metric ece;
  // For a regression, in place of those above (evaluate/regression.h).
  bool regression = false;
  Metric rmse = {};
  Metric mae = {};
  Metric r2 = {};
  Metric loss = {};

  // What models are ranked by, larger is better: AUC, or R^2.
  const Metric& merit() const { return regression ? r2 : auc; }
  // What a training minimises: the log-loss, or the loss of a regression.
  const Metric& trained_for() const { return regression ? loss : log_loss; }
  bool operator==(const Scores&) const = default;
};

// What the ensemble's threshold (model/decision.h) does on some rows. The second class is the positive one.
struct ThresholdCounts {
  double threshold = 0.5;
  std::size_t true_positives = 0, false_positives = 0, false_negatives = 0, true_negatives = 0;

  Metric recall() const;     // undefined without rows of the second class
  Metric precision() const;  // undefined where no row is answered as the second class
  Metric f1() const;         // undefined where neither is

  bool operator==(const ThresholdCounts&) const = default;
};

struct Evaluation : Scores {
  Metric rho_av;  // undefined for one member, like the next four
  Metric q_av;
  Metric kappa;
  Metric disagreement;
  Metric grad_cos2;
  Metric tangent_cos2;    // the same along the data's tangents; undefined where none are known
  Metric ambiguity = {};  // for a regression, like the next two
  Metric coverage = {};
  Metric log_score = {};
  std::size_t undefined_pairs = 0;  // pairs of members that rho_av had to leave out
  std::vector<Scores> members;
  std::optional<ThresholdCounts> at_threshold = {};  // where an ensemble has a threshold; accuracy is at it, too

  bool operator==(const Evaluation&) const = default;
};

// Bagging's estimate on its own training rows. Each row is judged by the members that have not seen it.
struct OutOfBagScores : Scores {
  std::size_t rows = 0;
  std::size_t seen_by_all = 0;  // rows that are left out, because no member can judge them
};

}  // namespace perpend
