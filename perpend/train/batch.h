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
  void gather(const Dataset& data, std::span<const std::uint32_t> order, bool with_packed);
};

}  // namespace perpend
