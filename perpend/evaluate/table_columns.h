// The columns of the user's table behind the inputs of a model, and some of its rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/schema.h"

namespace perpend {

// A column of the table with everything that was made from it: the levels of a category, the parts of a date.
struct TableColumn {
  std::string name;
  std::vector<std::size_t> inputs;    // of Schema::columns
  std::vector<std::size_t> features;  // of Schema::features
};
// Returns them in the table's order, without columns that are not inputs.
std::vector<TableColumn> table_columns(const Schema& schema);

// Returns the numbers of at most `most` of `rows` rows, ascending and evenly spread.
std::vector<std::size_t> evenly_spread(std::size_t rows, std::size_t most);
// Returns these rows of the inputs.
Inputs rows_of(InputsView inputs, const std::vector<std::size_t>& rows);

}  // namespace perpend
