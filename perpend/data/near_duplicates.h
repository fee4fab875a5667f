// Finds encoded columns that carry nearly the same information. Example: the sensors of builtin:blocks come in blocks
// whose correlation is .94 to .97. Inside such a block, members can have orthogonal input gradients and still depend on
// the same quantity: they look independent, and give the same answers wherever the columns stay alike. They differ only
// where one of the columns fails. So users are told which columns these are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/data/dataset.h"
#include "perpend/data/schema.h"

namespace perpend {

constexpr double kNearDuplicate = 0.9;

// Blocks of two or more columns whose correlation with the block's first column is above kNearDuplicate in absolute
// value, over at most 1,024 evenly spaced rows. With a and b centred and of length 1, 2 - 2 |correlation| is the
// smaller of |a - b|^2 and |a + b|^2. For unlike columns both sums over rows pass the bound within the first tenth of
// the rows. So the cost is D^2 / 2 pairs at about a hundred rows each (a second for 4,000 columns), plus a copy of the
// rows. Columns that are constant in those rows belong to no block.
//
// `columns` says which of them are categories (column_table.h). If it is empty, all are numbers. A missing number
// counts as the column's mean. A category of two levels is a number, 0 or 1. Codes of more levels have no order, so two
// such categories are compared by Cramer's V, which is |correlation| for two levels each. Without Bergsma's correction,
// which is applied here, V is large whenever there are many levels and few rows. It is 1 if one column determines the
// other. A category of more levels is not compared with a number. Of such categories only the first 256 are compared.
std::vector<std::vector<std::size_t>> near_duplicates(InputsView inputs, std::span<const ColumnTable> columns = {});

// Returns one line that names the blocks. Returns nothing if there are none, or if there are more columns than
// kMostCompared, because the search would then take longer than reading the table. Inputs that are made of the same
// column of the table, such as the parts of a date, are not compared with one another: the user could not drop one.
constexpr std::size_t kMostCompared = 8192;
std::optional<std::string> near_duplicate_warning(const Dataset& data, const Schema& schema);

}  // namespace perpend
