// Has the world moved? Shows on the page of a model what monitor() found about the new rows.
#pragma once

#include <string>
#include <vector>

#include "perpend/records/monitoring.h"
#include "perpend/report/page.h"

namespace perpend {

// The columns that moved, figures beside those at home, and rows to look at. views: the views of the members
// (RowsView::views); empty: all plain.
Section monitor_section(const Monitoring& found, const std::vector<std::string>& views);

// "The new rows have moved". The headline says that rows are like those of the training only where no test says
// otherwise and no row has a value that training never saw.
std::string moved_headline(const Monitoring& found);

// The three things a reader wants first: what moved, whether to trust the answers, and what to do next.
std::vector<TopAnswer> moved_answers(const Monitoring& found);

}  // namespace perpend
