// The columns to which a user gave a direction: `--increasing income --decreasing debt`.
//
// The ensemble's score never falls when an increasing column rises and all else stays the same, and never rises with a
// decreasing one. model/monotone.h, train/logistic.h and trees/grow.h say how each kind of member keeps that exactly.
#pragma once

#include <string>
#include <vector>

#include "perpend/base/direction.h"
#include "perpend/data/schema.h"
#include "perpend/data/table.h"
#include "perpend/run/run.h"

namespace perpend {

// Returns what is wrong with the two lists before any table is read, one line each.
std::vector<std::string> direction_problems(const RunOptions& options);

// Throws DataError for a column that the table does not have. Throws ConfigError where columns cannot have a direction:
// more than two classes, a regression by another loss than the squared error, categories and dates. A column that the
// schema leaves out, because it is constant or looks like row ids, may have one: no score depends on it.
void check_directions(const Table& table, const Schema& schema, const RunOptions& options);

// Returns one direction per feature of the schema, or nothing where no column has one. A feature that marks missing
// cells has none.
Directions directions_of(const Schema& schema, const RunOptions& options);

}  // namespace perpend
