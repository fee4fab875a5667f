// Columns that say which rows belong together: the group and the domain of a row. They are not inputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perpend/data/schema.h"
#include "perpend/data/table.h"
#include "perpend/run/run.h"

namespace perpend {

struct RowGroups {
  std::vector<std::uint32_t> of_row;  // indices into names
  std::vector<std::string> names;     // each has at least one row
};

// Throws ConfigError when the group or the domain is also something else: the target, the sample weight, each other, or
// an input of an encoding that is given.
void check_group_columns(const RunOptions& options, const Schema* encoding);

// Returns the values of a column, in the order of appearance. Throws DataError for an empty cell. `what` is "group" or
// "domain".
RowGroups groups_in(const Table& table, const std::string& column, const std::string& what);

// Returns the domains in the order in which seeds count them: by value when all are numbers, otherwise bytewise.
RowGroups domains_in(const Table& table, const std::string& column);

// Returns which of them split domain leaves out. Throws as left_out_domains (data/split.h) does.
LeftOut left_out_of(const RowGroups& domains, const SplitOptions& options);

}  // namespace perpend
