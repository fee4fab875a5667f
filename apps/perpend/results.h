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
std::string number_text(const Metric& metric);  // of a quantity, in its own units
std::string shown(const Metric& metric, int digits = 3);

// The table of an evaluation: ensemble, what it has to beat on these rows (null: not known), members with their views,
// diversity.
std::string evaluation_table(const std::string& rows, const Evaluation& evaluation,
                             const std::vector<std::string>& views, const Baselines* beside = nullptr);

// "threshold 0.31 (recall=0.9)", and beneath it what it makes of the parts that the model was measured on; empty: none.
std::string threshold_lines(const TrainedModel& model);

// One line: the training rows judged by members that have not seen them.
std::string out_of_bag_line(const OutOfBagScores& scores);

}  // namespace perpend::app
