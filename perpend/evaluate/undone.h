// Does the move of a column matter? Finds what the members would answer if that column alone had not moved.
//
// A column is put back by ranks. Its cells here are sorted, and each place gets the share of rows that it had at home,
// in that order: the lowest rows get the lowest place, and so on. A row whose place stays keeps its own cell if it lies
// in the range at home. Any other row gets a typical cell of its new place. So the column looks as at home, and still
// rises and falls with the other columns as it does here. Levels of a category have no order: rows stay where they are
// as long as home has room for them, and the rest move to the levels that are short of rows.
//
// A column matters as much as the answers change: the mean over rows of |probability as it is - probability with the
// column put back|. A gradient times the size of the move would be wrong for trees and for large moves. This is right
// for both.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/schema.h"
#include "perpend/records/home.h"

namespace perpend {

// Returns the column's cells, one per row, put back to how they were distributed at home. rows: encoded by column.
std::vector<float> put_back(const HomeColumn& home, const Schema& schema, std::size_t column, InputsView rows);

}  // namespace perpend
