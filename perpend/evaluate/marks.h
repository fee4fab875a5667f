// 256 yes-or-no questions about a row, the same for every row of a model: on which side of a random plane does it lie?
//
// Two sets of rows from one source answer each question "yes" equally often, up to chance. So the shares of "yes" tell
// whether two sets differ, even if every single column looks the same (for example when a correlation has turned). One
// bit per question takes little room in a model file, and no cell can be read back from it.
//
// A cell becomes a number of mean 0 and variance about 1 at home, whatever the column's distribution. A number becomes
// its rank among the cells at home, u = sqrt(12) (share of cells below - 1/2). A level of a category, a missing cell
// and an unknown level become a random number of their own. Question k is
//
//   sum over its columns c of  +- u_c  >  sqrt(columns) t_k          t_k random, normal
//
// Every other question looks at two random columns, which shows how pairs are related. The others look at all columns.
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
