// The rows of a table as a weighted set: in an order that depends on what they hold and not on where they stand.
//
// Rows are sorted by a hash of their cells, so the order is as good as random (a file sorted by class gives mixed
// batches) and the same for every permutation of the table. Rows that are equal stand together, and which of them comes
// first makes no difference to anyone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

// Weights that are whole numbers say how often a row counts, and are taken at their word: a row of weight 3 is three
// rows, one of weight 0 is none. Nothing where there is no such column, a weight is a fraction, or the copies would be
// more than this many a row on average.
constexpr std::uint64_t kMostCopies = 8;
std::optional<std::vector<std::uint32_t>> copies_of_rows(const Table& table, const std::string& weight_column);

// A hash of the cells of each row but that of `without` (a column's name, or empty): equal rows have equal ones.
std::vector<std::uint64_t> row_hashes(const Table& table, const std::string& without);

// Row numbers by content. weight_column: empty, or the column of weights >= 0; rows of weight 0 are left out, the
// others repeated where copies_of_rows says so, else the weight is one more cell.
std::vector<std::uint32_t> rows_by_content(const Table& table, const std::string& weight_column);

}  // namespace perpend
