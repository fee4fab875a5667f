// Reads Arrow files, and Feather files of version 2, which are the same. They must be little-endian and have record
// batches of flat columns. Their buffers may be packed by lz4 or zstd.
//
// Cells become what they would become in a Parquet file (read_parquet.h). Columns with a dictionary, which pandas and
// polars write for their categories, are categories here too. Nested columns, binary data, intervals and durations are
// refused by name.
//
// Every offset, length and count is checked before it is used. Damage is a DataError: one line with the file and the
// column.
#pragma once

#include <string>

#include "perpend/base/parallel.h"
#include "perpend/data/bytes.h"
#include "perpend/data/table.h"

namespace perpend {

// Columns are read in parallel on the threads. The table does not depend on their number.
Table read_arrow(const std::string& path, const Threads& threads);
Table read_arrow(const RandomBytes& file, const Threads& threads);

}  // namespace perpend
