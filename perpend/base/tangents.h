// Directions along which data may move: a tangent basis J(x) for each row, or one that serves all rows.
//
// J is (features, directions) and has one tangent vector per column. The slope of a score along the data is J^T g,
// where g is the score's input gradient (kernels/tangents.h). The vectors need be neither orthogonal nor of length 1,
// so the Jacobian of a map will do. But cos^2 of J^T g depends on their lengths and angles.
//
// Memory: features * directions floats per row. One basis for all rows costs nothing. One basis per row, for 100,000
// rows of 100 features in 10 directions, takes 450 MB.
#pragma once

#include <algorithm>
#include <cstddef>

#include "perpend/base/aligned.h"
#include "perpend/base/checked_size.h"
#include "perpend/base/error.h"

namespace perpend {

// With larger numbers in a tangent vector, J^T g could leave the range of float.
constexpr float kLargestTangent = 1e15F;

class Tangents {
 public:
  Tangents() = default;  // none: the whole input space

  static Tangents shared(std::size_t features, std::size_t directions) { return {1, features, directions, true}; }
  static Tangents per_row(std::size_t rows, std::size_t features, std::size_t directions) {
    return {rows, features, directions, false};
  }

  // The bases of a's rows, then those of b's rows.
  static Tangents joined(const Tangents& a, const Tangents& b) {
    PERPEND_CHECK(!a.shared_ && !b.shared_ && a.features_ == b.features_ && a.directions_ == b.directions_);
    Tangents all = per_row(a.bases_ + b.bases_, a.features_, a.directions_);
    std::copy(b.data_.begin(), b.data_.end(), std::copy(a.data_.begin(), a.data_.end(), all.data_.begin()));
    return all;
  }

  bool empty() const { return directions_ == 0; }
  bool is_shared() const { return shared_; }
  std::size_t bases() const { return bases_; }  // 1 when shared, else the number of rows
  std::size_t features() const { return features_; }
  std::size_t directions() const { return directions_; }

  // The tangent vectors at a row, `stride()` floats apart: J^T (directions, features), padded with zeros to 16 columns.
  const float* at(std::size_t row) const { return data_.data() + (shared_ ? 0 : row) * directions_ * stride_; }
  float* at(std::size_t row) { return data_.data() + (shared_ ? 0 : row) * directions_ * stride_; }
  std::size_t stride() const { return stride_; }
  float* direction(std::size_t row, std::size_t k) { return at(row) + k * stride_; }
  const float* direction(std::size_t row, std::size_t k) const { return at(row) + k * stride_; }

 private:
  Tangents(std::size_t bases, std::size_t features, std::size_t directions, bool shared)
      : bases_(bases),
        features_(features),
        directions_(directions),
        stride_(round_up(features, 16)),
        shared_(shared),
        data_(checked_product(checked_product(bases, directions), stride_), 0.0F) {
    PERPEND_CHECK(features > 0 && directions > 0);
  }

  std::size_t bases_ = 0, features_ = 0, directions_ = 0, stride_ = 0;
  bool shared_ = false;
  AlignedVector<float> data_;
};

}  // namespace perpend
