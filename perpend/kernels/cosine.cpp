#include "perpend/kernels/cosine.h"

#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/cosine.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

HWY_INLINE float dot(std::size_t padded, const float* a, const float* b) {
  F16 sum = zero16();
  for (std::size_t d = 0; d < padded; d += 16) sum = fma16(load16(a + d), load16(b + d), sum);
  return fold16(sum);
}

// Sixteen rows at a time: dots[pair][row], so that the arithmetic on pairs runs over rows.
constexpr std::size_t kRows = 16;

struct Workspace {
  std::size_t members;
  std::vector<float> dots;          // (members, members, kRows), the upper triangle
  std::vector<float> coefficients;  // (members, members, kRows): adjoint_i = sum_j coefficient_ij g_j
  std::vector<float> copy;          // (members, 16)
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

// g_i <- sum over j ascending of coefficient_ij g_j, for one row.
HWY_INLINE void combine(Workspace& w, std::size_t row, std::size_t padded, float* const* gradients, std::size_t at) {
  for (std::size_t d = 0; d < padded; d += 16) {
    for (std::size_t j = 0; j < w.members; ++j) store16(load16(gradients[j] + at + d), w.copy.data() + 16 * j);
    for (std::size_t i = 0; i < w.members; ++i) {
      F16 sum = zero16();
      for (std::size_t j = 0; j < w.members; ++j) {
        F16 coefficient;
        for (auto& part : coefficient.part) part = broadcast(w.coefficient_of(i, j)[row]);
        sum = fma16(coefficient, load16(w.copy.data() + 16 * j), sum);
      }
      store16(sum, gradients[i] + at + d);
    }
  }
}

void cosine_adjoint(std::size_t members, std::size_t rows, std::size_t features, float* const* gradients,
                    std::size_t stride, float eps, const float* weight, float scale, float* penalty) {
  const std::size_t padded = (features + 15) / 16 * 16;
  Workspace w{members, std::vector<float>(members * members * kRows), std::vector<float>(members * members * kRows),
              std::vector<float>(16 * members)};
  for (std::size_t first = 0; first < rows; first += kRows) {
    const std::size_t count = std::min(kRows, rows - first);
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t at = (first + r) * stride;
      for (std::size_t i = 0; i < members; ++i) {
        for (std::size_t j = i; j < members; ++j) w.dot_of(i, j)[r] = dot(padded, gradients[i] + at, gradients[j] + at);
      }
    }
    pair_terms(w, eps, weight + first, scale, penalty + first);
    for (std::size_t r = 0; r < count; ++r) combine(w, r, padded, gradients, (first + r) * stride);
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
