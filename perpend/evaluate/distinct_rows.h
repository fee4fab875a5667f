// Finds the rows of the highest score that do not show the same thing twice, for lists that people read.
//
// Rows are neighbours if fewer than a tenth of their columns differ. Two levels differ if they are not the same. A
// missing cell differs from a known one. Two numbers differ if more than a quarter of the column's sd among these rows
// lies between them. So in a table of less than eleven columns, neighbours are alike in all of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/schema.h"

namespace perpend {

// Returns at most `most` rows, the highest score first. Of equal scores, the earlier row comes first. A row is left out
// if it is a neighbour of a row that was chosen before it.
std::vector<std::size_t> distinct_rows(InputsView inputs, const Schema& schema, std::span<const double> scores,
                                       std::size_t most);

}  // namespace perpend
