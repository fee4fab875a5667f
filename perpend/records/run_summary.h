// What a training leaves beside the networks: how many rows it had, how long it ran, how good the ensemble is.
//
// A model file carries it (store/trained_model.h), `train` prints it, a report draws it and Python shows it. Two
// judgements that all of them need are made only here: which rows judge a model (judged), and what a mean cos^2 of
// input gradients means in words (independence).
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
  std::size_t unlabeled = 0;  // rows without labels, at which the members were kept apart

  bool operator==(const RowCounts&) const = default;
};

// The loss of the rows that `adapt` learnt from: under the answer before, and under what is learnt without each row
// (api/adapt.h). In files of 0.1 the second is the loss on the very rows that were learnt from.
struct Adaptation {
  std::size_t rows = 0;
  double log_loss_before = 0, log_loss_after = 0;

  bool operator==(const Adaptation&) const = default;
};

// What an ensemble has to beat, measured on the rows that judge it (RunSummary::judged).
struct Baselines {
  Scores logistic;  // one logistic regression on the same training rows; for a number, a linear regression
  Scores majority;  // each class has its share of the training rows, whatever the row; for a number, a constant
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

// What a regression's predictions miss on familiar rows, in the target's units. It makes intervals. The half width is
// what a share of the familiar rows needed; a prediction plus or minus it holds the target of that share of like rows
// (split conformal prediction). Rows unlike them may need more.
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
  // Percentiles 0, 1, ..., 100 of the members' disagreement on familiar rows: validation rows, or training rows if none
  // were held out. Empty: not known. `abstain` compares with them.
  std::vector<double> disagreement_percentiles;
  std::optional<ResidualSpread> residuals;   // for a regression, on the same rows
  TrainLog log;                              // about 50 of its epochs, and the rounds of boosting
  Metric unlabeled_cos2;                     // mean cos^2 at the rows without labels
  std::optional<OutOfBagScores> out_of_bag;  // of bagging
  std::optional<Adaptation> adapted;
  std::optional<Baselines> baselines;  // nothing for the published recipe, studies and older models
  MetricRanges ranges = {};            // where there are baselines, like the next
  std::string data_sha256 = {};        // of the rows as the model reads them
  // Per input column, its share of what the ensemble looks at on training rows (column_importances in
  // evaluate/explain.h), by the members' weights at the end of training. Empty in older models.
  std::vector<double> importances = {};

  // The members were trained again on all rows, validation rows included.
  bool refitted = false;

  // How many rows trained the members that the model has.
  std::size_t final_rows() const { return rows.train + (refitted ? rows.validation : 0); }

  // The JSON that it was read from; empty for a summary made here. What another program wrote there survives when the
  // model is saved again (records/json.h).
  std::string source = {};

  // Test rows judge a model. If there are none, validation rows do, and if there are none of these, training rows.
  JudgedPart judged() const;
};

// What the ensemble's log-loss on the judged rows says beside the baselines. A difference counts when it is larger than
// its standard error, and larger than a hundredth of the majority class's log-loss. Where both solve the rows, a
// smaller one matters to nobody.
enum class Standing {
  unknown,         // there are no baselines
  below_majority,  // worse than the classes' shares, by any difference: a constant answer is better
  below_logistic,  // worse than one logistic regression
  as_logistic,     // no difference from it counts as one
  above_logistic,  // better
};
Standing standing(const RunSummary& summary);
// Whether the members' independence means nothing, because the ensemble itself is weak.
bool is_weak(Standing standing);

// What a mean cos^2 of the members' input gradients says: 0 is orthogonal, 1 is parallel.
enum class Independence {
  independent,  // below 0.1: locally independent explanations
  partly,       // below 0.5: they share part of an explanation
  copies,       // one explanation, several times
};
Independence independence(double cos2);

// Says how much of the familiar rows' disagreement lies below or above a value.
class FamiliarDisagreement {
 public:
  // Returns nothing when the summary has no percentiles.
  static std::optional<FamiliarDisagreement> of(const RunSummary& summary);
  // Returns the disagreement that this share (0 to 1) of the familiar rows is below.
  double at(double share) const;
  // Returns how many percent of the familiar rows disagree less than this, as a whole number.
  int percent_below(double disagreement) const;

 private:
  std::vector<double> percentiles_;
};

}  // namespace perpend
