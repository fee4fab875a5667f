// 256 yes-or-no questions about a row, the same for every row of a model: on which side of a random plane does it lie?
//
// Two sets of rows from one source answer each question "yes" equally often, up to chance. So the shares of "yes" tell
// whether two sets differ, also where every single column looks the same (a correlation that has turned, for example).
// One bit per question is little enough to keep in a model file, and no cell can be read back from it.
//
// A cell becomes a number of mean 0 and variance about 1 at home, whatever the column's distribution: a number by its
// rank among the cells at home, u = sqrt(12) (share of cells below - 1/2); a level of a category, a missing cell and
// an unknown level by a random number of their own. Question k is
//
//   sum over its columns c of  +- u_c  >  sqrt(columns) t_k          t_k random, normal
//
// Every other question looks at two random columns, which shows how pairs hang together; the others look at all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/records/home.h"

namespace perpend {

// (rows, kMarkWords), row after row: bit k % 32 of word k / 32 is question k. levels: as in home_columns.h.
std::vector<std::uint32_t> marks_of(std::span<const HomeColumn> columns, std::span<const std::size_t> levels,
                                    InputsView rows);

}  // namespace perpend
