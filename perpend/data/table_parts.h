// Reads a table that is in several files, one file behind the other.
//
//     'part-*.csv'    the files that match, as a shell would find them
//     folder          the tables in it: files that end in .csv, .csv.gz, .arff, .arff.gz, .parquet, .pq, .arrow or
//                     .feather. All must be of one kind. Names that begin with . or _ are left out.
//
// Files are taken in the order of their names, byte by byte, so part-10 comes before part-2. All must have the same
// columns in the same order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

// The files of such a source. There are none if it is anything else, such as the name of a file that exists. Throws
// IoError if nothing matches, and DataError if a folder has tables of two kinds.
std::vector<std::string> parts_of(const std::string& source);

// Throws DataError, one line with both files, if the columns are not the same.
void check_same_columns(const Table& first, const Table& next);

// Reads all parts into one table, one by one.
Table read_parts(const std::string& source, const std::vector<std::string>& parts);

// Whether a name has this ending, in any letter case.
bool ends_in(std::string_view name, std::string_view lower_ending);

}  // namespace perpend
