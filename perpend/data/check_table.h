// Checks a table that a program built itself. Readers of files give tables that pass.
#pragma once

#include "perpend/data/table.h"

namespace perpend {

// Throws DataError if a column does not have one cell per row, or if two columns have the same name. It looks at names
// and lengths, not at cells, so it is cheap for tables of any length. What reads the table calls it: encoding, finding
// a schema, and `predict`.
void check_table(const Table& table);

}  // namespace perpend
