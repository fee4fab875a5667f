// What `explain` found, as text, JSON and CSV.
#pragma once

#include <string>

#include "apps/perpend/results.h"
#include "perpend/evaluate/explain.h"
#include "perpend/store/trained_model.h"

namespace perpend::app {

// Per member the `top` columns of largest share with bars and their gradients' distribution, then pairs of members.
std::string explanation_text(const Explanation& explanation, const TrainedModel& model, std::size_t top);
// One line a finding, or one that says that there is none.
std::string substitutes_text(const Explanation& explanation, const Schema& schema, std::size_t top);
// "member 1 looked at   income ███  debt_ratio ██", a line per member.
std::string looked_at_text(const Explanation& of_row, const Schema& schema, std::size_t top);

// members (weight, columns with shares, features), pairs, substitutes; members are counted from 1.
Json explanation_json(const Explanation& explanation, const TrainedModel& model);
Json shares_json(const std::vector<double>& shares, const Schema& schema);
Json substitutes_json(const Explanation& explanation, const Schema& schema);

// A line per member and encoded feature.
std::string explanation_csv(const Explanation& explanation, const Schema& schema);

}  // namespace perpend::app
