// Dense products and transposes. In a product every entry of the result is one fused-multiply-add chain over k
// ascending, so its bits depend on nothing but the numbers. Vectors run over the columns of the result.
#pragma once

#include <cstddef>

#include "perpend/kernels/reference.h"

namespace perpend::kernels {

// C (m, n) = start + A (m, k) B (k, n). A's entry (i, l) is a[i * a_row + l * a_col]; B and C are row-major. start is a
// row of n biases, or zero (bias == nullptr), or what C holds (accumulate). The float form works on whole groups of 16
// columns: rows of B, C and bias must have room for n rounded up to 16, and the padding of B and bias should be zero so
// that the padding of C stays zero.
template <class T>
void product(std::size_t m, std::size_t n, std::size_t k, const T* a, std::size_t a_row, std::size_t a_col, const T* b,
             std::size_t b_stride, const T* bias, bool accumulate, T* c, std::size_t c_stride) {
  reference::product(m, n, k, a, a_row, a_col, b, b_stride, bias, accumulate, c, c_stride);
}
template <>
void product<float>(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t a_row, std::size_t a_col,
                    const float* b, std::size_t b_stride, const float* bias, bool accumulate, float* c,
                    std::size_t c_stride);

// out (n, m) = A (m, n) transposed, both row-major.
template <class T>
void transpose(std::size_t m, std::size_t n, const T* a, std::size_t a_stride, T* out, std::size_t out_stride) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) out[j * out_stride + i] = a[i * a_stride + j];
  }
}
template <>
void transpose<float>(std::size_t m, std::size_t n, const float* a, std::size_t a_stride, float* out,
                      std::size_t out_stride);

}  // namespace perpend::kernels
