// Finds a column by its name. If there is none, the error is the same everywhere.
#pragma once

#include <string>
#include <string_view>

#include "perpend/data/table.h"

namespace perpend {

// Throws DataError "loans.csv has no column 'agee'; did you mean 'age'?". `use` follows the name and says what the
// column is for, for example " to split by" or ", which the model needs". `advice` ends the line if no name is near.
[[noreturn]] void no_such_column(const Table& table, std::string_view name, std::string_view use = "",
                                 std::string_view advice = "");

// Returns the column of that name, or throws like no_such_column().
const Column& need_column(const Table& table, const std::string& name, std::string_view use = "");

}  // namespace perpend
