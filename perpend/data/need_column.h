// A column by its name, or the one error that says there is none.
#pragma once

#include <string>
#include <string_view>

#include "perpend/data/table.h"

namespace perpend {

// Throws DataError "loans.csv has no column 'agee'; did you mean 'age'?". `use` follows the name and says what the
// column is for, for example " to split by" or ", which the model needs". `advice` ends the line where no name is near.
[[noreturn]] void no_such_column(const Table& table, std::string_view name, std::string_view use = "",
                                 std::string_view advice = "");

// The column of that name. Throws as no_such_column() does.
const Column& need_column(const Table& table, const std::string& name, std::string_view use = "");

}  // namespace perpend
