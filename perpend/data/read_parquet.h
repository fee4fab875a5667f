// Reads Parquet files with flat columns. The reader is our own and trusts nothing that it reads. Cells become:
//
//     numbers, booleans (1 and 0), decimals          numbers
//     texts                                          what the same text is in a CSV file: a number, a word, or missing
//     dates, moments (in UTC), times of day, UUIDs   the words that a CSV file would have (fixed_cells.h)
//     null and NaN                                   missing
//
// It reads data pages of versions 1 and 2, the encodings PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY, RLE,
// DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY and BYTE_STREAM_SPLIT, and the codecs of codecs.h. It
// refuses by name nested columns, encryption and types that are not cells (INTERVAL, BSON and so on). It does not read
// the labels of rows that pandas stores as `__index_level_0__`.
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
Table read_parquet(const std::string& path, const Threads& threads);
Table read_parquet(const RandomBytes& file, const Threads& threads);

}  // namespace perpend
