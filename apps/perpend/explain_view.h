// What `explain` found, as text.
#pragma once

#include <string>
#include <vector>

#include "perpend/api/explain.h"

namespace perpend::app {

// Shows per member the `top` columns of the largest share, with bars and their gradients' distribution, then pairs of
// members.
std::string explanation_text(const Explanation& explanation, const TrainedModel& model, std::size_t top);
// Shows what a shuffle of each column costs, the `top` most costly first, with the spread over members.
std::string worth_text(const ColumnsWorth& worth, std::size_t top);
// Shows one line per point of a column: the mean answer of the ensemble and of each member. There is one table per
// class.
std::string dependence_text(const Dependence& found, const Schema& schema);
// Shows one line per finding, or one line that says that there is none.
std::string substitutes_text(const Explanation& explanation, const Schema& schema, std::size_t top);
// "member 1 looked at   income ███  debt_ratio ██", one line per member.
std::string looked_at_text(const std::vector<MemberExplanation>& of_row, const Schema& schema, std::size_t top);

}  // namespace perpend::app
