#include "perpend/kernels/dense.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/dense.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// Computes kRows rows by kVectors native vectors of C, which stay in registers over the whole chain.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void tile(const Product<float>& o, std::size_t i, std::size_t j) {
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
  const float* a = o.a + i * o.a_row_stride;
  const float* b = o.b + j;
  for (std::size_t l = 0; l < o.k; ++l, a += o.a_col_stride, b += o.b_stride) {
    Vector row[kVectors];
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = hn::LoadU(Tag(), b + v * kLanes);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector x = broadcast(a[r * o.a_row_stride]);
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
void columns(const Product<float>& o, std::size_t j) {
  std::size_t i = 0;
  for (; i + 6 <= o.m; i += 6) tile<6, kVectors>(o, i, j);
  for (; i + 4 <= o.m; i += 4) tile<4, kVectors>(o, i, j);
  for (; i < o.m; ++i) tile<1, kVectors>(o, i, j);
}

void product_all(const Product<float>& o) {
  // 6 rows by kWide vectors are the accumulators. kWide more registers hold a row of B, and one holds the broadcast
  // entry of A. A fused multiply-add takes 4 or 5 cycles and a core starts 2 per cycle, so 10 accumulators keep it
  // busy.
  constexpr std::size_t kWide = kRegisters == 32 && kLanes > 1 ? 4 : 2;
  static_assert(6 * kWide >= 10 && 6 * kWide + kWide + 1 <= kRegisters);
  const std::size_t padded = (o.n + 15) / 16 * 16;
  std::size_t j = 0;
  for (; j + kWide * kLanes <= padded; j += kWide * kLanes) columns<kWide>(o, j);
  for (; j < padded; j += kLanes) columns<1>(o, j);
}

// Transposes in squares of 16 by 16: 16 cache lines of each matrix, which fit into the first-level cache whatever the
// strides are.
constexpr std::size_t kSide = 16;
HWY_INLINE void transpose_square(const Transpose<float>& square) {
  const auto& [m, n, a, a_stride, out, out_stride] = square;
  std::size_t j = 0;
  for (; j + 4 <= n && m == kSide; j += 4) {
    for (std::size_t i = 0; i < kSide; i += 4) {
      const float* first = a + i * a_stride + j;
      transpose_4x4({first, first + a_stride, first + 2 * a_stride, first + 3 * a_stride}, out + j * out_stride + i,
                    out_stride);
    }
  }
  for (; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) out[j * out_stride + i] = a[i * a_stride + j];
  }
}

void transpose_all(const Transpose<float>& t) {
  for (std::size_t i = 0; i < t.rows; i += kSide) {
    for (std::size_t j = 0; j < t.cols; j += kSide) {
      transpose_square({.rows = std::min(kSide, t.rows - i),
                        .cols = std::min(kSide, t.cols - j),
                        .a = t.a + i * t.a_stride + j,
                        .a_stride = t.a_stride,
                        .out = t.out + j * t.out_stride + i,
                        .out_stride = t.out_stride});
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
void product<float>(const Product<float>& args) {
  HWY_DYNAMIC_DISPATCH(product_all)(args);
}
template <>
void transpose<float>(const Transpose<float>& args) {
  HWY_DYNAMIC_DISPATCH(transpose_all)(args);
}

}  // namespace perpend::kernels
#endif
