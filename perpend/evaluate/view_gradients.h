// What a report shows of input gradients: which columns the members look at, and in which direction their levels point.
// Internal to evaluate; view_rows.h is the way in.
//
// A category is one column. In place of its gradient on a row stands the contrast of the row's level: by how much it
// moves the score compared with the mean over levels. By column that is the gradient itself (explain.h). Where plain
// features encode the category, g_l is the gradient per step of level l, and the contrast of a row with level l is
//
//   g_l - (sum over levels k of g_k) / levels
#pragma once

#include <span>

#include "perpend/evaluate/view_rows.h"

namespace perpend {

// Fills RowsView::views, features, named, pairs and substitutes.
void add_view_of_gradients(const Ensemble& ensemble, const Schema& schema, const RowSet& set,
                           std::span<const std::size_t> named, const Threads& threads, RowsView& view);

}  // namespace perpend
