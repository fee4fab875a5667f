// What a training left behind beside the networks: how many rows it had, how long it ran, how good the ensemble is.
//
// A model file carries it (store/trained_model.h), `train` prints it, a report draws it and Python shows it. Two
// judgements that all of them need are made here and nowhere else: which rows speak for a model (judged), and what a
// mean cos^2 of input gradients says in words (independence).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/records/evaluation.h"
#include "perpend/records/train_log.h"

namespace perpend {

struct RowCounts {
  std::size_t train = 0, validation = 0, test = 0;
  std::size_t unlabeled = 0;  // rows without labels, at which LIT kept the members independent too

  bool operator==(const RowCounts&) const = default;
};

// What `adapt` did to the weights of the members (api/adapt.h).
struct Adaptation {
  std::size_t rows = 0;
  double log_loss_before = 0, log_loss_after = 0;

  bool operator==(const Adaptation&) const = default;
};

// What an ensemble has to beat, measured on the rows that speak for it (RunSummary::judged).
struct Baselines {
  Scores logistic;  // one logistic regression on the same training rows; of a number, a linear regression
  Scores majority;  // each class has its share of the training rows, whatever the row; of a number, one number
  double behind_logistic = 0;  // the ensemble's log-loss (Scores::loss) less that of this regression
  double standard_error = 0;   // of this difference, paired over rows

  bool operator==(const Baselines&) const = default;
};

// The 95 % bootstrap interval of a metric of the judged rows (run/intervals.h).
struct MetricRange {
  double low = 0, high = 0;

  bool operator==(const MetricRange&) const = default;
};
using MetricRanges = std::map<std::string, MetricRange>;  // by key in JSON: auc, accuracy, log_loss, rmse, mae, r2

// What a regression's predictions miss on familiar rows, in the target's units. It makes intervals: a prediction more
// or less the half width that a share of the familiar rows needed holds the target of that share of like rows (split
// conformal prediction). Rows unlike them may need more.
struct ResidualSpread {
  std::size_t rows = 0;
  double rmse = 0;
  std::vector<double> percentiles = {};  // 0, 1, ..., 100 of |prediction - target|; empty: not known

  // coverage: from 0 to 1.
  double half_width(double coverage) const;
  bool operator==(const ResidualSpread&) const = default;
};
constexpr double kUsualCoverage = 0.9;

// A part of the rows with the ensemble's metrics on it.
struct JudgedPart {
  std::string name;  // "test", "validation" or "training"
  std::size_t rows = 0;
  const Evaluation* evaluation = nullptr;  // null: the model was never measured
};

struct RunSummary {
  RowCounts rows;
  std::uint64_t steps = 0;
  std::string status = "ok";                          // "stopped": the user ended the training early
  std::optional<Evaluation> train, validation, test;  // the parts that have rows
  // Percentiles 0, 1, ..., 100 of the members' disagreement on familiar rows: validation rows, or training rows where
  // none were held out. Empty: not known. `abstain` compares with them.
  std::vector<double> disagreement_percentiles;
  std::optional<ResidualSpread> residuals;   // of a regression, on the same rows
  TrainLog log;                              // some 50 epochs of it; the rounds of boosting
  Metric unlabeled_cos2;                     // mean cos^2 at the rows without labels
  std::optional<OutOfBagScores> out_of_bag;  // of bagging
  std::optional<Adaptation> adapted;
  std::optional<Baselines> baselines;  // nothing of the published recipe, of studies and of older models
  MetricRanges ranges = {};            // where there are baselines, as the next
  std::string data_sha256 = {};        // of the rows as the model reads them
  // Per input column, its share of what the ensemble looks at on training rows (column_importances in
  // evaluate/explain.h), by the members' weights at the end of training. Empty in older models.
  std::vector<double> importances = {};

  // The members were trained again on all rows, those that had validated among them.
  bool refitted = false;

  // The JSON that it was read from; empty for a summary made here. What another program wrote there survives when the
  // model is saved again (records/json.h).
  std::string source = {};

  // Test rows speak for a model; without them validation rows, and without these the training rows.
  JudgedPart judged() const;
};

// What the ensemble's log-loss on the judged rows says beside the baselines. A difference counts when it is larger than
// its standard error, and larger than a hundredth of the majority class's log-loss: where both solve the rows, a
// smaller one matters to nobody.
enum class Standing {
  unknown,         // there are no baselines
  below_majority,  // worse than the classes' shares, by any difference: it is better to look at no row at all
  below_logistic,  // worse than one logistic regression
  as_logistic,     // no difference from it counts
  above_logistic,  // better
};
Standing standing(const RunSummary& summary);
// Whether nothing should be read into the members' independence, because the ensemble itself is not worth its rows.
bool is_weak(Standing standing);

// What a mean cos^2 of the members' input gradients says: 0 is orthogonal, 1 is parallel.
enum class Independence {
  independent,  // below 0.1: locally independent explanations
  partly,       // below 0.5: they share part of an explanation
  copies,       // one explanation, several times
};
Independence independence(double cos2);

// How much of the familiar rows' disagreement lies below or above a value.
class FamiliarDisagreement {
 public:
  // Nothing when the summary has no percentiles.
  static std::optional<FamiliarDisagreement> of(const RunSummary& summary);
  // The disagreement that this share (0 to 1) of the familiar rows is below.
  double at(double share) const;
  // How many percent of the familiar rows, a whole number, disagree less than this.
  int percent_below(double disagreement) const;

 private:
  std::vector<double> percentiles_;
};

}  // namespace perpend
