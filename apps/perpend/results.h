// Results as JSON (the names of the interface) and as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/records/evaluation.h"
#include "perpend/records/run_summary.h"

namespace perpend::app {

using Json = nlohmann::ordered_json;

Json number_json(const Metric& metric);  // null where undefined

// 0.934, or a dash where undefined.
std::string number_text(const Metric& metric);  // for a quantity, in its own units
std::string shown(const Metric& metric, int digits = 3);

// The table of an evaluation: the ensemble, what it has to beat on these rows (null: not known), the members with their
// views, and diversity.
std::string evaluation_table(const std::string& rows, const Evaluation& evaluation,
                             const std::vector<std::string>& views, const Baselines* beside = nullptr);

// "threshold 0.31 (recall=0.9)", and below it how the threshold does on the parts that the model was measured on.
// Empty: the model has none.
std::string threshold_lines(const TrainedModel& model);

// One line: metrics of the training rows, each judged by members that have not seen it.
std::string out_of_bag_line(const OutOfBagScores& scores);

}  // namespace perpend::app
