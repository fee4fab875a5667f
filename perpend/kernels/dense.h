// Dense products and transposes. In a product every entry of the result is one fused-multiply-add chain over k
// ascending, so its bits depend on nothing but the numbers. Vectors run over the columns of the result.
#pragma once

#include <cstddef>

#include "perpend/kernels/reference.h"

namespace perpend::kernels {

// C = start + A B, see reference::Product. The float form works on whole groups of 16 columns: rows of B, C and bias
// must have room for n rounded up to 16, and the padding of B and bias should be zero so that the padding of C stays
// zero.
using reference::Product;
template <class T>
void product(const Product<T>& args) {
  reference::product(args);
}
template <>
void product<float>(const Product<float>& args);

// out (cols, rows) = A (rows, cols) transposed, both row-major.
template <class T>
struct Transpose {
  std::size_t rows = 0;
  std::size_t cols = 0;
  const T* a = nullptr;
  std::size_t a_stride = 0;
  T* out = nullptr;
  std::size_t out_stride = 0;
};
template <class T>
void transpose(const Transpose<T>& args) {
  for (std::size_t i = 0; i < args.rows; ++i) {
    for (std::size_t j = 0; j < args.cols; ++j) args.out[j * args.out_stride + i] = args.a[i * args.a_stride + j];
  }
}
template <>
void transpose<float>(const Transpose<float>& args);

}  // namespace perpend::kernels
