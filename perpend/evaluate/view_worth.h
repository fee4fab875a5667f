// What a report shows of the columns of the user's table: what each is worth, and how the answers change with the most
// important ones.
#pragma once

#include "perpend/evaluate/view_rows.h"

namespace perpend {

// Adds RowsView::worth and RowsView::dependence, measured on a set of rows that has labels. Without labels it adds
// nothing. If there are many columns, only those of the largest gradients are shuffled, so that the page of a wide
// table takes no longer.
void add_worth(const Ensemble& ensemble, const Decision& decision, const Schema& schema, const RowSet& set,
               const Threads& threads, RowsView& view);

}  // namespace perpend
