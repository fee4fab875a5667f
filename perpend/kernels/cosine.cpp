#include "perpend/kernels/cosine.h"

#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/cosine.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

HWY_INLINE F16 products(std::size_t padded, const float* a, const float* b) {
  F16 sum = zero16();
  for (std::size_t d = 0; d < padded; d += 16) sum = fma16(load16(a + d), load16(b + d), sum);
  return sum;
}

// Sixteen rows at a time: dots[pair][row], so that the arithmetic on pairs runs over rows.
constexpr std::size_t kRows = 16;

#if HWY_TARGET <= HWY_AVX3

// fold16 of sixteen vectors at once: each step halves the lanes of two vectors and puts the halves side by side, so the
// sums are those of fold16 and sixteen of them cost little more than four. Row order[i] must stand at place i.
constexpr std::size_t kOrder[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
HWY_INLINE __m512 halve16(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xEE));
}
HWY_INLINE __m512 halve8(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xDD));
}
HWY_INLINE __m512 halve4(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x44), _mm512_shuffle_ps(a, b, 0xEE));
}
HWY_INLINE __m512 halve2(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x88), _mm512_shuffle_ps(a, b, 0xDD));
}

// out[r] = a_r . b_r of kRows rows.
HWY_INLINE void row_dots(std::size_t count, std::size_t padded, const float* a, const float* b, std::size_t stride,
                         float* out) {
  if (count < kRows) {
    for (std::size_t r = 0; r < count; ++r) out[r] = fold16(products(padded, a + r * stride, b + r * stride));
    return;
  }
  const auto four = [&](std::size_t place) HWY_ATTR {
    __m512 x[4];
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t r = kOrder[place + k];
      x[k] = products(padded, a + r * stride, b + r * stride).part[0].raw;
    }
    return halve8(halve16(x[0], x[1]), halve16(x[2], x[3]));
  };
  const __m512 low = halve4(four(0), four(4));
  const __m512 high = halve4(four(8), four(12));
  _mm512_storeu_ps(out, halve2(low, high));
}

#else

HWY_INLINE void row_dots(std::size_t count, std::size_t padded, const float* a, const float* b, std::size_t stride,
                         float* out) {
  for (std::size_t r = 0; r < count; ++r) out[r] = fold16(products(padded, a + r * stride, b + r * stride));
}

#endif

struct Workspace {
  std::size_t members;
  std::vector<float> dots;          // (members, members, kRows), the upper triangle
  std::vector<float> coefficients;  // (members, members, kRows): adjoint_i = sum_j coefficient_ij g_j
  std::vector<float> copy;          // (members, padded), one row
  float* dot_of(std::size_t i, std::size_t j) { return dots.data() + (i * members + j) * kRows; }
  float* coefficient_of(std::size_t i, std::size_t j) { return coefficients.data() + (i * members + j) * kRows; }
};

// Coefficients and penalty of kRows rows from their dots.
HWY_INLINE void pair_terms(Workspace& w, float eps, const float* weight, float scale, float* penalty) {
  const Tag d;
  const Vector two = broadcast(2.0F);
  const Vector offset = broadcast(eps);
  for (std::size_t r = 0; r < kRows; r += kLanes) {
    const Vector row_weight = hn::LoadU(d, weight + r);
    const Vector factor = hn::Mul(broadcast(scale), row_weight);
    Vector total = hn::Zero(d);
    for (std::size_t i = 0; i < w.members; ++i) {
      const Vector ni = hn::LoadU(d, w.dot_of(i, i) + r);
      Vector own = hn::Zero(d);
      for (std::size_t j = 0; j < w.members; ++j) {
        if (j == i) continue;
        const Vector dij = hn::LoadU(d, (i < j ? w.dot_of(i, j) : w.dot_of(j, i)) + r);
        const Vector nj = hn::LoadU(d, w.dot_of(j, j) + r);
        const Vector ratio = hn::Div(dij, fma(ni, nj, offset));
        const Vector square = hn::Mul(ratio, dij);
        if (i < j) total = hn::Add(total, square);
        const Vector toward = hn::Mul(two, ratio);
        hn::StoreU(hn::Mul(factor, toward), d, w.coefficient_of(i, j) + r);
        own = fma(hn::Mul(toward, ratio), nj, own);
      }
      hn::StoreU(hn::Neg(hn::Mul(factor, own)), d, w.coefficient_of(i, i) + r);
    }
    hn::StoreU(hn::Mul(row_weight, total), d, penalty + r);
  }
}

// kVectors groups of 16 columns of g_i <- sum over j ascending of coefficient_ij g_j, for one row whose gradients are
// in copy.
template <std::size_t kVectors>
HWY_INLINE void combine_columns(Workspace& w, std::size_t row, std::size_t padded, std::size_t column,
                                float* const* gradients, std::size_t at) {
  for (std::size_t i = 0; i < w.members; ++i) {
    F16 sum[kVectors];
    for (auto& s : sum) s = zero16();
    for (std::size_t j = 0; j < w.members; ++j) {
      const Vector coefficient = broadcast(w.coefficient_of(i, j)[row]);
      const float* g = w.copy.data() + j * padded + column;
      HWY_UNROLL(4)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const F16 x = load16(g + 16 * v);
        for (std::size_t p = 0; p < kParts; ++p) sum[v].part[p] = fma(coefficient, x.part[p], sum[v].part[p]);
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) store16(sum[v], gradients[i] + at + column + 16 * v);
  }
}

HWY_INLINE void combine(Workspace& w, std::size_t row, std::size_t padded, float* const* gradients, std::size_t at) {
  for (std::size_t j = 0; j < w.members; ++j) {
    for (std::size_t d = 0; d < padded; d += 16) store16(load16(gradients[j] + at + d), w.copy.data() + j * padded + d);
  }
  std::size_t column = 0;
  for (; column + 48 <= padded; column += 48) combine_columns<3>(w, row, padded, column, gradients, at);
  for (; column + 32 <= padded; column += 32) combine_columns<2>(w, row, padded, column, gradients, at);
  for (; column < padded; column += 16) combine_columns<1>(w, row, padded, column, gradients, at);
}

void cosine_adjoint(std::size_t members, std::size_t rows, std::size_t features, float* const* gradients,
                    std::size_t stride, float eps, const float* weight, float scale, float* penalty) {
  const std::size_t padded = (features + 15) / 16 * 16;
  Workspace w{members, std::vector<float>(members * members * kRows), std::vector<float>(members * members * kRows),
              std::vector<float>(padded * members)};
  for (std::size_t first = 0; first < rows; first += kRows) {
    const std::size_t count = std::min(kRows, rows - first);
    const std::size_t at = first * stride;
    for (std::size_t i = 0; i < members; ++i) {
      for (std::size_t j = i; j < members; ++j) {
        row_dots(count, padded, gradients[i] + at, gradients[j] + at, stride, w.dot_of(i, j));
      }
    }
    pair_terms(w, eps, weight + first, scale, penalty + first);
    for (std::size_t r = 0; r < count; ++r) combine(w, r, padded, gradients, at + r * stride);
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(cosine_adjoint);

void cosine_adjoint(std::size_t members, std::size_t rows, std::size_t features, float* const* gradients,
                    std::size_t stride, float eps, const float* weight, float scale, float* penalty) {
  HWY_DYNAMIC_DISPATCH(cosine_adjoint)(members, rows, features, gradients, stride, eps, weight, scale, penalty);
}

}  // namespace perpend::kernels
#endif
