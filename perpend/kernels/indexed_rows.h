// Rows of a matrix that are selected by index.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perpend::kernels {

// Row r is row indices[r] of a row-major matrix, or row r if there are no indices. In this way a batch reads its rows
// where they lie in the data, without a copy. Each row is padded with zeros to 16 columns.
struct IndexedRows {
  const float* data = nullptr;
  std::size_t stride = 0;
  const std::uint32_t* indices = nullptr;

  const float* row(std::size_t r) const { return data + (indices == nullptr ? r : indices[r]) * stride; }
  IndexedRows from(std::size_t first) const {
    if (indices == nullptr) return {.data = row(first), .stride = stride};
    return {.data = data, .stride = stride, .indices = indices + first};
  }
};

}  // namespace perpend::kernels
