// The charts of a model's page, as Vega-Lite specifications. Titles say what is seen; numbers come from the records.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "perpend/records/model_view.h"
#include "perpend/report/page.h"

namespace perpend {

// Two classes: the ensemble's curve above the members'; more: the ensemble's for each class against the rest.
// Regression: targets against predictions, and the error of the rows on which members agree most.
Chart predicted_chart(const RowsView& rows, const std::string& target);
Chart error_coverage_chart(const RowsView& rows);
Chart roc_chart(const RowsView& rows, const std::vector<std::string>& classes);
Chart calibration_chart(const RowsView& rows, const std::vector<std::string>& classes);

// AUC, accuracy, log-loss and calibration error of ensemble and members, on one or more sets of rows.
using NamedEvaluation = std::pair<std::string, Evaluation>;
Chart members_chart(std::span<const NamedEvaluation> parts);
// AUC alone, ensembles beside one another: who keeps it in which place. Titles are the caller's.
Chart places_chart(std::span<const std::pair<std::string, std::vector<NamedEvaluation>>> ensembles);

// How many rows the members disagree on how much, one histogram per part.
Chart disagreement_chart(std::span<const PartView> parts, bool regression = false);
// The same from the model file alone: percentiles of the familiar rows.
Chart familiar_chart(std::span<const double> percentiles);

Chart risk_coverage_chart(const RowsView& rows);

// The violins of the paper's ICU figure, turned on their side: one row per feature, one lane per member, zero in the
// middle.
Chart gradients_chart(const RowsView& rows, const std::vector<std::string>& classes);
// The same of the features that were asked for.
Chart named_gradients_chart(const RowsView& rows, const std::vector<std::string>& classes);
// A line per level of the categories that are features, a dot per member at its mean contrast.
Chart levels_chart(const RowsView& rows, const std::vector<std::string>& classes);
// Of the first members, which have gradients.
Chart cosine_chart(std::span<const PairView> pairs, std::size_t members);

// What a shuffle of each column costs, with the spread over members. RowsView::worth is there.
Chart worth_chart(const RowsView& rows);
// The mean answer by the values of a column, per member; of more than two classes the ensemble's per class. `number`
// tells several of them apart, from 1.
Chart dependence_chart(const Dependence& found, const RowsView& rows, const std::string& target, std::size_t number);

// A member's change on another's way up: as a share of that on its own, and both as they are. `judged` names the rows.
Chart distance_chart(const DistanceView& view, const std::string& judged);
Chart distance_change_chart(const DistanceView& view, const std::string& judged);

Chart loss_chart(const TrainLog& log, bool regression = false);
Chart penalty_chart(const TrainLog& log, const std::string& shows);

// "member 3", counted from 0.
std::string member_name(std::size_t member);

}  // namespace perpend
