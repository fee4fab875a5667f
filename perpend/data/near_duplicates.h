// Encoded columns that say nearly the same. Inside a block of them members can have orthogonal input gradients and
// still lean on the one quantity the block stands for: they look independent and gain nothing. The sensors of
// builtin:blocks, whose correlation is .94 to .97, are such blocks. A user should know.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perpend/data/dataset.h"

namespace perpend {

constexpr double kNearDuplicate = 0.9;

// Blocks of two or more columns whose correlation with the block's first column is above kNearDuplicate in absolute
// value, over at most 1,024 rows taken evenly. With a and b centred and of length 1, 2 - 2 |correlation| is the smaller
// of |a - b|^2 and |a + b|^2, sums over rows that go past the bound within the first tenth of them where columns are
// unlike: so the cost is that of D^2 / 2 pairs at about a hundred rows each (4,000 columns: a second), and a copy of
// the rows looked at. Columns constant in those rows belong to no block.
std::vector<std::vector<std::size_t>> near_duplicates(InputsView inputs);

// One line that names blocks; nothing when there are none, or more columns than kMostCompared, where looking for them
// would take longer than reading the table.
constexpr std::size_t kMostCompared = 8192;
std::optional<std::string> near_duplicate_warning(const Dataset& data);

}  // namespace perpend
