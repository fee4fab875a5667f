// Orders the rows of a table by their contents, not by their places. The rows are a weighted set.
//
// Rows are sorted by a hash of their cells. So the order is as good as random (a file sorted by class gives mixed
// batches), and it is the same for every permutation of the table. Equal rows are neighbours, and their order among
// themselves makes no difference.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

// If all weights are whole numbers, a weight is the number of copies of its row: a row of weight 3 becomes three rows,
// and a row of weight 0 disappears. Returns nothing if there is no column of weights, if a weight is a fraction, or if
// the average number of copies per row would be above kMostCopies.
constexpr std::uint64_t kMostCopies = 8;
std::optional<std::vector<std::uint32_t>> copies_of_rows(const Table& table, const std::string& weight_column);

// A hash of each row's cells, without the cells of the columns `without`. Equal rows have equal hashes.
std::vector<std::uint64_t> row_hashes(const Table& table, std::span<const std::string> without = {});

// Row numbers in the order of contents. weight_column: empty, or the column of weights >= 0. Rows of weight 0 are left
// out. The others are repeated if copies_of_rows says so. If not, the weight counts as one more cell. unused: columns
// that do not count as contents, so that a training without a column is the same whether the table has it or not.
std::vector<std::uint32_t> rows_by_content(const Table& table, const std::string& weight_column,
                                           std::span<const std::string> unused = {});

}  // namespace perpend
