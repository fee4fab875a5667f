#include "perpend/kernels/tangents.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/tangents.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

void project_row(const Tangents& tangents, const float* basis, const float* g, float* p) {
  const std::size_t padded = tangents.stride();
  for (std::size_t k = 0; k < tangents.directions(); ++k, basis += padded) {
    F16 sum = zero16();
    for (std::size_t f = 0; f < padded; f += 16) sum = fma16(load16(basis + f), load16(g + f), sum);
    p[k] = fold16(sum);
  }
  for (std::size_t k = tangents.directions(); k % 16 != 0; ++k) p[k] = 0;
}

void lift_row(const Tangents& tangents, const float* basis, const float* p, float* g) {
  const std::size_t padded = tangents.stride();
  for (std::size_t f = 0; f < padded; f += 16) {
    F16 sum = zero16();
    for (std::size_t k = 0; k < tangents.directions(); ++k) {
      const Vector scale = broadcast(p[k]);
      const F16 along = load16(basis + k * padded + f);
      for (std::size_t i = 0; i < kParts; ++i) sum.part[i] = fma(scale, along.part[i], sum.part[i]);
    }
    store16(sum, g + f);
  }
}

void project_rows(const Tangents& tangents, std::size_t rows, const std::uint32_t* rows_at, const float* gradients,
                  std::size_t stride, float* projections, std::size_t p_stride) {
  for (std::size_t r = 0; r < rows; ++r) {
    project_row(tangents, tangents.at(tangents.is_shared() ? 0 : rows_at[r]), gradients + r * stride,
                projections + r * p_stride);
  }
}

void lift_rows(const Tangents& tangents, std::size_t rows, const std::uint32_t* rows_at, const float* projections,
               std::size_t p_stride, float* gradients, std::size_t stride) {
  for (std::size_t r = 0; r < rows; ++r) {
    lift_row(tangents, tangents.at(tangents.is_shared() ? 0 : rows_at[r]), projections + r * p_stride,
             gradients + r * stride);
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(project_rows);
HWY_EXPORT(lift_rows);

void project(const Tangents& tangents, std::size_t rows, const std::uint32_t* rows_at, const float* gradients,
             std::size_t stride, float* projections, std::size_t p_stride) {
  HWY_DYNAMIC_DISPATCH(project_rows)(tangents, rows, rows_at, gradients, stride, projections, p_stride);
}

void lift(const Tangents& tangents, std::size_t rows, const std::uint32_t* rows_at, const float* projections,
          std::size_t p_stride, float* gradients, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(lift_rows)(tangents, rows, rows_at, projections, p_stride, gradients, stride);
}

}  // namespace perpend::kernels
#endif
