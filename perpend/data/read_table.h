// The front door for a user's table: picks the reader by name.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

// source is one of
//   FILE.csv, FILE.csv.gz, FILE.gz   CSV (read_csv.h)
//   -                                CSV from stdin, packed or not
//   FILE.arff, FILE.arff.gz          ARFF (read_arff.h)
//   X.npy,y.npy or X.npy             features and labels, or features alone (read_npy.h)
//   FILE.parquet, FILE.pq            Parquet (read_parquet.h)
//   FILE.arrow, FILE.feather         Arrow files, which Feather files are too (read_arrow.h)
//   sqlite:FILE?SELECT ...           rows of a database (read_sqlite.h)
//   'part-*.csv', a folder           tables in several files, one behind the other (table_parts.h)
// in any letter case; any other name is read as CSV.
Table read_table(const std::string& source);

// Whether read_table reads this source as CSV.
bool is_csv(const std::string& source);

// The files it reads. X.npy,y.npy is one file where there is one of that name.
std::vector<std::string> files_of(const std::string& source);

}  // namespace perpend
