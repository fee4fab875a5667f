// The columns of the user's table behind the inputs of a model, and some of its rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/schema.h"

namespace perpend {

// A column of the table with everything that was made of it: the levels of a category, the parts of a date.
struct TableColumn {
  std::string name;
  std::vector<std::size_t> inputs;    // of Schema::columns
  std::vector<std::size_t> features;  // of Schema::features
};
// In the table's order. Columns that are no inputs are not among them.
std::vector<TableColumn> table_columns(const Schema& schema);

// Numbers of at most `most` of `rows` rows, ascending and evenly spread.
std::vector<std::size_t> evenly_spread(std::size_t rows, std::size_t most);
// These rows of the inputs.
Inputs rows_of(InputsView inputs, const std::vector<std::size_t>& rows);

}  // namespace perpend
