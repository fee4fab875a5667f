// The charts of a model's page, as Vega-Lite specifications. Titles say what a reader sees; numbers come from the
// records.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "perpend/records/model_view.h"
#include "perpend/report/page.h"

namespace perpend {

// With two classes: the ensemble's curve above the members'. With more: the ensemble's curve for each class against the
// rest.
// In a regression: targets against predictions, and the error of the rows on which members agree most.
Chart predicted_chart(const RowsView& rows, const std::string& target);
Chart error_coverage_chart(const RowsView& rows);
Chart roc_chart(const RowsView& rows, const std::vector<std::string>& classes);
Chart calibration_chart(const RowsView& rows, const std::vector<std::string>& classes);

// AUC, accuracy, log-loss and calibration error of ensemble and members, on one or more sets of rows.
using NamedEvaluation = std::pair<std::string, Evaluation>;
Chart members_chart(std::span<const NamedEvaluation> parts);
// AUC alone, with ensembles beside one another: which keeps it in which place. The caller makes the titles.
Chart places_chart(std::span<const std::pair<std::string, std::vector<NamedEvaluation>>> ensembles);

// How many rows have how much disagreement: one histogram per part.
Chart disagreement_chart(std::span<const PartView> parts, bool regression = false);
// The same from the model file alone: percentiles of the familiar rows.
Chart familiar_chart(std::span<const double> percentiles);

Chart risk_coverage_chart(const RowsView& rows);

// The violins of the paper's ICU figure, rotated: one row per feature, one lane per member, zero in the middle.
Chart gradients_chart(const RowsView& rows, const std::vector<std::string>& classes);
// The same of the features that were asked for.
Chart named_gradients_chart(const RowsView& rows, const std::vector<std::string>& classes);
// One line per level of the categories that are features, one dot per member at its mean contrast.
Chart levels_chart(const RowsView& rows, const std::vector<std::string>& classes);
// For the first members, those that have gradients.
Chart cosine_chart(std::span<const PairView> pairs, std::size_t members);

// What a shuffle of each column costs, with the spread over members. Needs RowsView::worth.
Chart worth_chart(const RowsView& rows);
// The mean answer by the values of a column, per member. With more than two classes it is the ensemble's, per class.
// `number`, from 1, tells several of them apart.
Chart dependence_chart(const Dependence& found, const RowsView& rows, const std::string& target, std::size_t number);

// How far a member's score changes on another's way up: as a share of the change on its own way up, and both changes as
// they are. `judged` names the rows.
Chart distance_chart(const DistanceView& view, const std::string& judged);
Chart distance_change_chart(const DistanceView& view, const std::string& judged);

Chart loss_chart(const TrainLog& log, bool regression = false);
Chart penalty_chart(const TrainLog& log, const std::string& shows);

// Returns "member 3". `member` is counted from 0.
std::string member_name(std::size_t member);

}  // namespace perpend
