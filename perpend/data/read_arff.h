// Reads ARFF, the format of Weka and MOA: declared columns, then comma-separated rows.
//
// Attributes may be numeric, real, integer, string or nominal ({a, b, 'c d'}). Names and values may be quoted with ' or
// ", and a backslash escapes the next character. Lines that start with % are comments. An unquoted ? is missing. Cells
// must agree with the declaration: text in a numeric column and an undeclared nominal value are DataErrors that name
// the line and the column. Sparse rows ({1 5, 3 x}), dates and relational attributes are refused. Convert such files to
// CSV.
#pragma once

#include <string>

#include "perpend/data/bytes.h"
#include "perpend/data/table.h"

namespace perpend {

Table read_arff(const std::string& path);
Table read_arff(ByteSource source);

}  // namespace perpend
