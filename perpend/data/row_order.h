// The rows of a table as a weighted set, in an order that depends on their contents and not on their places.
//
// Rows are sorted by a hash of their cells. So the order is as good as random (a file sorted by class gives mixed
// batches), and it is the same for every permutation of the table. Equal rows are neighbours, and their order among
// themselves makes no difference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

// If all weights are whole numbers, a weight is the number of copies of its row: a row of weight 3 becomes three rows,
// a row of weight 0 none. Returns nothing if there is no column of weights, if a weight is a fraction, or if the
// average number of copies per row would be above this.
constexpr std::uint64_t kMostCopies = 8;
std::optional<std::vector<std::uint32_t>> copies_of_rows(const Table& table, const std::string& weight_column);

// A hash of the cells of each row but that of `without` (a column's name, or empty): equal rows have equal ones.
std::vector<std::uint64_t> row_hashes(const Table& table, const std::string& without);

// Row numbers by content. weight_column: empty, or the column of weights >= 0; rows of weight 0 are left out, the
// others repeated where copies_of_rows says so, else the weight is one more cell.
std::vector<std::uint32_t> rows_by_content(const Table& table, const std::string& weight_column);

}  // namespace perpend
