// What `explain` found, as text.
#pragma once

#include <string>
#include <vector>

#include "perpend/api/explain.h"

namespace perpend::app {

// Per member the `top` columns of largest share with bars and their gradients' distribution, then pairs of members.
std::string explanation_text(const Explanation& explanation, const TrainedModel& model, std::size_t top);
// What a shuffle of each column costs, the `top` most costly first, with the spread over members.
std::string worth_text(const ColumnsWorth& worth, std::size_t top);
// A line per point of a column: the mean answer of the ensemble and of each member. A table per class.
std::string dependence_text(const Dependence& found, const Schema& schema);
// One line per finding, or one that says that there is none.
std::string substitutes_text(const Explanation& explanation, const Schema& schema, std::size_t top);
// "member 1 looked at   income ███  debt_ratio ██", a line per member.
std::string looked_at_text(const std::vector<MemberExplanation>& of_row, const Schema& schema, std::size_t top);

}  // namespace perpend::app
