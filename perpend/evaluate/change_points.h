// From which row on is a running measure different? Adaptive windowing (ADWIN; Bifet and Gavalda 2007).
//
// The measure is a number per row from 0 to 1, such as 1 where the answer was wrong, or the members' disagreement. A
// window grows with the rows. Wherever it falls into an older and a newer part whose means differ by more than
//
//     sqrt(2 v L / m) + 2 L / (3 m),      1 / m = 1 / older rows + 1 / newer rows,  v the window's variance,
//                                         L = ln(2 ln(n) / delta),  n the window's rows
//
// the older part is dropped, and the first newer row is a change point. The bound holds for any bounded measure. A
// check is made every 32 rows. Its cuts lie 32, 64, 96, ... and then ever more rows before the newest row, and none is
// among the rows at home.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perpend {

struct Change {
  std::size_t row = 0;  // the first row of the newer part, from 0
  double before = 0, after = 0;
};

// Returns the changes along `values`. They follow `home`, which are values that were measured before the first row.
std::vector<Change> change_points(std::span<const double> home, std::span<const double> values, double delta);

}  // namespace perpend
