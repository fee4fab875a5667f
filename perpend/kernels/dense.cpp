#include "perpend/kernels/dense.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/dense.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

struct Operands {
  std::size_t k;
  const float* a;
  std::size_t a_row;
  std::size_t a_col;
  const float* b;
  std::size_t b_stride;
  const float* bias;
  bool accumulate;
  float* c;
  std::size_t c_stride;
};

// kRows rows by kVectors native vectors of C, held in registers over the whole chain.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void tile(const Operands& o, std::size_t i, std::size_t j) {
  Vector sum[kRows][kVectors];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t col = j + v * kLanes;
      sum[r][v] = o.accumulate        ? hn::LoadU(Tag(), o.c + (i + r) * o.c_stride + col)
                  : o.bias != nullptr ? hn::LoadU(Tag(), o.bias + col)
                                      : hn::Zero(Tag());
    }
  }
  const float* a = o.a + i * o.a_row;
  const float* b = o.b + j;
  for (std::size_t l = 0; l < o.k; ++l, a += o.a_col, b += o.b_stride) {
    Vector row[kVectors];
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = hn::LoadU(Tag(), b + v * kLanes);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector x = broadcast(a[r * o.a_row]);
      HWY_UNROLL(8)
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = fma(x, row[v], sum[r][v]);
    }
  }
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sum[r][v], Tag(), o.c + (i + r) * o.c_stride + j + v * kLanes);
    }
  }
}

template <std::size_t kVectors>
void columns(const Operands& o, std::size_t m, std::size_t j) {
  std::size_t i = 0;
  for (; i + 6 <= m; i += 6) tile<6, kVectors>(o, i, j);
  for (; i + 4 <= m; i += 4) tile<4, kVectors>(o, i, j);
  for (; i < m; ++i) tile<1, kVectors>(o, i, j);
}

void product_all(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t a_row, std::size_t a_col,
                 const float* b, std::size_t b_stride, const float* bias, bool accumulate, float* c,
                 std::size_t c_stride) {
  const Operands o{k, a, a_row, a_col, b, b_stride, bias, accumulate, c, c_stride};
  // 6 rows by 4 registers on machines with 32 of them, by 2 on those with 16.
  constexpr std::size_t kWide = (kLanes == 16 || kLanes == 4) ? 4 : 2;
  const std::size_t padded = (n + 15) / 16 * 16;
  std::size_t j = 0;
  for (; j + kWide * kLanes <= padded; j += kWide * kLanes) columns<kWide>(o, m, j);
  for (; j < padded; j += kLanes) columns<1>(o, m, j);
}

// One square, at most kSide by kSide.
constexpr std::size_t kSide = 16;
HWY_INLINE void transpose_square(std::size_t m, std::size_t n, const float* a, std::size_t a_stride, float* out,
                                 std::size_t out_stride) {
  std::size_t j = 0;
  for (; j + 4 <= n && m == kSide; j += 4) {
    for (std::size_t i = 0; i < kSide; i += 4) {
      const float* first = a + i * a_stride + j;
      transpose_tile({first, first + a_stride, first + 2 * a_stride, first + 3 * a_stride}, out + j * out_stride + i,
                     out_stride);
    }
  }
  for (; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) out[j * out_stride + i] = a[i * a_stride + j];
  }
}

// In squares, whose lines fit into the first-level cache whatever the strides.
void transpose_all(std::size_t m, std::size_t n, const float* a, std::size_t a_stride, float* out,
                   std::size_t out_stride) {
  for (std::size_t i = 0; i < m; i += kSide) {
    for (std::size_t j = 0; j < n; j += kSide) {
      transpose_square(std::min(kSide, m - i), std::min(kSide, n - j), a + i * a_stride + j, a_stride,
                       out + j * out_stride + i, out_stride);
    }
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(product_all);
HWY_EXPORT(transpose_all);

template <>
void product<float>(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t a_row, std::size_t a_col,
                    const float* b, std::size_t b_stride, const float* bias, bool accumulate, float* c,
                    std::size_t c_stride) {
  HWY_DYNAMIC_DISPATCH(product_all)(m, n, k, a, a_row, a_col, b, b_stride, bias, accumulate, c, c_stride);
}
template <>
void transpose<float>(std::size_t m, std::size_t n, const float* a, std::size_t a_stride, float* out,
                      std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(transpose_all)(m, n, a, a_stride, out, out_stride);
}

}  // namespace perpend::kernels
#endif
