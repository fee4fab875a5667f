// Reads rows of an SQLite database by one statement:
//
//     sqlite:loans.db?SELECT income, age, repaid FROM loans WHERE year < 2024
//
// The database is opened for reading only, and the statement may only select. Integers and reals are numbers, NULL is
// missing, a text means what it means in a CSV file, and a BLOB is refused. Without ORDER BY, SQLite chooses the order
// of the rows. It stays the same as long as the file does.
#pragma once

#include <string>

#include "perpend/data/table.h"

namespace perpend {

bool is_sqlite(const std::string& source);
std::string sqlite_file(const std::string& source);  // loans.db
Table read_sqlite(const std::string& source);

}  // namespace perpend
