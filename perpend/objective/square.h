// Small symmetric matrices for the objectives that use a determinant. They have one row and one column per member.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/objective/log_exp.h"

namespace perpend {

// A square matrix. It is symmetric even where its numbers are complex: nothing is conjugated, so all of it is analytic.
template <class W>
struct Square {
  explicit Square(std::size_t n_) : n(n_), numbers(n_ * n_) {}
  W& operator()(std::size_t i, std::size_t j) { return numbers[i * n + j]; }
  std::size_t n;
  std::vector<W> numbers;
};

// Factors A = L D L^T, with D on the diagonal and L below it. The part above stays as it was.
template <class W>
void factor(Square<W>& a) {
  for (std::size_t j = 0; j < a.n; ++j) {
    for (std::size_t k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k) * a(k, k);
    for (std::size_t i = j + 1; i < a.n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k) * a(k, k);
      a(i, j) /= a(j, j);
    }
  }
}

// -log det of the factored matrix. It takes one logarithm per factor, because their product could overflow.
template <class W>
W minus_log_det(Square<W>& factored) {
  W sum{};
  for (std::size_t i = 0; i < factored.n; ++i) sum -= log_of(factored(i, i));
  return sum;
}

// Computes the inverse from the factored matrix, one column at a time.
template <class W>
Square<W> inverse(Square<W>& factored) {
  const std::size_t n = factored.n;
  Square<W> b(n);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t i = c; i < n; ++i) {
      b(i, c) = i == c ? W(1) : W{};
      for (std::size_t k = c; k < i; ++k) b(i, c) -= factored(i, k) * b(k, c);
    }
    for (std::size_t i = c; i < n; ++i) b(i, c) /= factored(i, i);
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) b(i, c) -= factored(k, i) * b(k, c);
    }
  }
  return b;
}

}  // namespace perpend
