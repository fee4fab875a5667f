// Reads a user's table, with the reader that the name of the source chooses.
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
// in any letter case. Any other name is read as CSV.
Table read_table(const std::string& source);

// Whether read_table reads this source as CSV.
bool is_csv(const std::string& source);

// The files that read_table reads. X.npy,y.npy is one file if a file of that name exists.
std::vector<std::string> files_of(const std::string& source);

}  // namespace perpend
