// Has the world moved? What monitor() found of the new rows, on the page of a model.
#pragma once

#include <string>
#include <vector>

#include "perpend/records/monitoring.h"
#include "perpend/report/page.h"

namespace perpend {

// The verdict, the columns that moved, figures beside those at home, rows to look at, and what to do. views: of the
// members (RowsView::views); empty: all plain.
Section monitor_section(const Monitoring& found, const std::vector<std::string>& views);

// What a headline says of the new rows: "; the new rows have moved". Rows are called like those at home only where no
// test says otherwise and none of them lies beyond home.
std::string about_new_rows(const Monitoring& found);

// "7 of 13 columns moved, p < 0.0001".
std::string moved_words(const Monitoring& found);

}  // namespace perpend
