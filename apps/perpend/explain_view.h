// What `explain` found, as text.
#pragma once

#include <string>
#include <vector>

#include "perpend/api/explain.h"

namespace perpend::app {

// Per member the `top` columns of largest share with bars and their gradients' distribution, then pairs of members.
std::string explanation_text(const Explanation& explanation, const TrainedModel& model, std::size_t top);
// One line per finding, or one that says that there is none.
std::string substitutes_text(const Explanation& explanation, const Schema& schema, std::size_t top);
// "member 1 looked at   income ███  debt_ratio ██", a line per member.
std::string looked_at_text(const std::vector<MemberExplanation>& of_row, const Schema& schema, std::size_t top);

}  // namespace perpend::app
