// The rows of one step, laid out as the kernels read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perpend/base/aligned.h"
#include "perpend/data/dataset.h"

namespace perpend {

struct Batch {
  std::size_t rows = 0;
  Inputs inputs;                       // the first `rows` rows
  AlignedVector<float> packed;         // groups of 64 rows as (features, 64), kernels::pack_group
  AlignedVector<std::int32_t> labels;  // padded with zeros to 64
  AlignedVector<float> weights;        // summing to 1, padded with zeros to 64
  std::uint32_t step = 0;

  Batch(std::size_t max_rows, std::size_t features);
  InputsView view() const { return inputs.view().middle_rows(0, rows); }
  // Takes these rows of the data. packed is filled only when asked for.
  void gather(const Dataset& data, std::span<const std::uint32_t> order, bool with_packed) {
    gather(data, data.weights, order, with_packed);
  }
  // The same with other weights of the data's rows; empty: every row counts once.
  void gather(const Dataset& data, std::span<const float> row_weights, std::span<const std::uint32_t> order,
              bool with_packed);
};

// What the members see in a step: one batch for all of them, or a batch for each, equal in rows and step.
class Batches {
 public:
  Batches(const Batch& shared) : first_(&shared) {}  // NOLINT(google-explicit-constructor): the usual case
  // One batch, or one a member.
  explicit Batches(std::span<const Batch> batches) : first_(batches.data()), shared_(batches.size() == 1) {}
  const Batch& operator[](std::size_t member) const { return first_[shared_ ? 0 : member]; }
  bool shared() const { return shared_; }
  std::size_t rows() const { return first_->rows; }
  std::uint32_t step() const { return first_->step; }

 private:
  const Batch* first_;
  bool shared_ = true;
};

}  // namespace perpend
