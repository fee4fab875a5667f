// Random cases for the property tests. They are small and full of ties, and some have one class or no rows.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <vector>

namespace perpend {

// Uniform from low to high-1. RapidCheck by itself prefers the low end.
inline rc::Gen<int> even(int low, int high) { return rc::gen::resize(100, rc::gen::inRange(low, high)); }

inline std::vector<int> any_numbers(std::size_t count, int low, int high) {
  return *rc::gen::container<std::vector<int>>(count, even(low, high));
}

inline std::vector<std::int32_t> any_labels(std::size_t rows, int classes) {
  const bool complete = *even(0, 5) > 0;  // otherwise a class may be absent
  return any_numbers(rows, 0, complete ? classes : *even(1, classes + 1));
}

// Multiples of 1/steps in [0, 1].
inline std::vector<double> any_probabilities(std::size_t rows) {
  const int steps = *rc::gen::element(1, 4, 30, 1000003);
  std::vector<double> result;
  for (const int n : any_numbers(rows, 0, steps + 1)) result.push_back(static_cast<double>(n) / steps);
  return result;
}

inline std::size_t any_rows() { return static_cast<std::size_t>(*even(0, 60)); }

}  // namespace perpend
