// Columns that say which rows belong together and are no inputs: the group and the domain of a row.
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
  std::vector<std::string> names;     // each has a row
};

// Throws ConfigError when the group or the domain is also something else: the target, the sample weight, each other, or
// an input of an encoding that is given.
void check_group_columns(const RunOptions& options, const Schema* encoding);

// The values of a column, in the order of appearance. Throws DataError for an empty cell; `what` is "group" or
// "domain".
RowGroups groups_in(const Table& table, const std::string& column, const std::string& what);

// The domains in the order that seeds count them: by value when all are numbers, else bytewise.
RowGroups domains_in(const Table& table, const std::string& column);

// What split domain leaves out of them. Throws as left_out_domains (data/split.h) does.
LeftOut left_out_of(const RowGroups& domains, const SplitOptions& options);

}  // namespace perpend
