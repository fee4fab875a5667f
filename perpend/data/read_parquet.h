// Parquet files: flat columns, read by a reader of our own that believes nothing of what it reads.
//
//     numbers, booleans (1 and 0), decimals    numbers
//     texts                                    what the same text is in a CSV file: a number, a word, or missing if
//     empty dates, moments (in UTC), times of day    the words that a CSV file would have (fixed_cells.h) null, and NaN
//     missing
//
// Data pages of versions 1 and 2; encodings PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY, RLE, DELTA_BINARY_PACKED,
// DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY, BYTE_STREAM_SPLIT; codecs as in codecs.h. Nested columns, encryption and
// the types that are no cells (INTERVAL, BSON and so on) are refused by name. The labels of rows that pandas stores
// as `__index_level_0__` are not read.
//
// Every offset, length and count is checked before it is used. Damage is a DataError: one line with the file and the
// column.
#pragma once

#include <string>

#include "perpend/base/parallel.h"
#include "perpend/data/bytes.h"
#include "perpend/data/table.h"

namespace perpend {

// Columns are read side by side on the threads. The table does not depend on their number.
Table read_parquet(const std::string& path, const Threads& threads);
Table read_parquet(const RandomBytes& file, const Threads& threads);

}  // namespace perpend
