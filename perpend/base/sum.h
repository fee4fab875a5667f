// Sums whose bits depend only on the numbers and their order.
#pragma once

#include <cstddef>
#include <type_traits>

namespace perpend {

// Adds the numbers in four interleaved chains, and the chains in a fixed order. Floats are summed in double.
template <class T>
T ordered_sum(std::size_t n, const T* x) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
  Wide chain[4] = {};
  for (std::size_t i = 0; i < n; ++i) chain[i % 4] += x[i];
  return static_cast<T>((chain[0] + chain[1]) + (chain[2] + chain[3]));
}

}  // namespace perpend
