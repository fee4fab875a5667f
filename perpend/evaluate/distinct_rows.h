// The rows of the highest score that do not show the same thing twice, for lists that people read.
//
// Rows are neighbours where fewer than a tenth of their columns differ. Levels differ where they are not the same, and
// so do a missing cell and a known one; numbers differ by more than a quarter of the column's sd among these rows. So
// in a table of less than eleven columns neighbours are alike in all of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/schema.h"

namespace perpend {

// At most `most` rows, the highest score first; of equal scores the earlier row. Each row that is a neighbour of one
// that was chosen before it is left out.
std::vector<std::size_t> distinct_rows(InputsView inputs, const Schema& schema, std::span<const double> scores,
                                       std::size_t most);

}  // namespace perpend
