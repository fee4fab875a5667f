#include "perpend/kernels/tangents.h"

#include <algorithm>

#include "perpend/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/tangents.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

void project_row(const float* g, const Tangents& tangents, const float* basis, float* p) {
  const std::size_t padded = tangents.stride();
  for (std::size_t k = 0; k < tangents.directions(); ++k, basis += padded) {
    F16 sum = zero16();
    for (std::size_t f = 0; f < padded; f += 16) sum = fma16(load16(basis + f), load16(g + f), sum);
    p[k] = fold16(sum);
  }
  for (std::size_t k = tangents.directions(); k % 16 != 0; ++k) p[k] = 0;
}

void lift_row(const float* p, const Tangents& tangents, const float* basis, float* g) {
  const std::size_t padded = tangents.stride();
  for (std::size_t f = 0; f < padded; f += 16) {
    F16 sum = zero16();
    for (std::size_t k = 0; k < tangents.directions(); ++k) {
      const Vector scale = broadcast(p[k]);
      const F16 along = load16(basis + k * padded + f);
      for (std::size_t i = 0; i < kF16Vectors; ++i) sum.v[i] = fma(scale, along.v[i], sum.v[i]);
    }
    store16(sum, g + f);
  }
}

void project_rows(const Tangents& tangents, std::span<const std::uint32_t> indices, InputsView gradients,
                  MatrixView<float, axis::Row, axis::Feature> projections) {
  for (std::size_t r = 0; r < indices.size(); ++r) {
    project_row(gradients.row(r), tangents, tangents.at(tangents.is_shared() ? 0 : indices[r]), projections.row(r));
  }
}

void lift_rows(const Tangents& tangents, std::span<const std::uint32_t> indices, InputsView projections,
               MatrixView<float, axis::Row, axis::Feature> gradients) {
  for (std::size_t r = 0; r < indices.size(); ++r) {
    lift_row(projections.row(r), tangents, tangents.at(tangents.is_shared() ? 0 : indices[r]), gradients.row(r));
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(project_rows);
HWY_EXPORT(lift_rows);

void project(const Tangents& tangents, std::span<const std::uint32_t> indices, InputsView gradients,
             MatrixView<float, axis::Row, axis::Feature> projections) {
  PERPEND_CHECK(indices.size() <= std::min(gradients.rows(), projections.rows()));
  HWY_DYNAMIC_DISPATCH(project_rows)(tangents, indices, gradients, projections);
}

void lift(const Tangents& tangents, std::span<const std::uint32_t> indices, InputsView projections,
          MatrixView<float, axis::Row, axis::Feature> gradients) {
  PERPEND_CHECK(indices.size() <= std::min(gradients.rows(), projections.rows()));
  HWY_DYNAMIC_DISPATCH(lift_rows)(tangents, indices, projections, gradients);
}

}  // namespace perpend::kernels
#endif
