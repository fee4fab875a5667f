#include "perpend/train/batch.h"

#include <algorithm>

#include "perpend/kernels/collapsed.h"

namespace perpend {

Batch::Batch(std::size_t max_rows, std::size_t features)
    : inputs(round_up(max_rows, kRowsPerGroup), features),
      packed(inputs.rows() * features, 0.0F),
      labels(inputs.rows(), 0),
      weights(inputs.rows(), 0.0F) {}

void Batch::gather(const Dataset& data, std::span<const float> row_weights, std::span<const std::uint32_t> order,
                   bool with_packed) {
  rows = order.size();
  const auto weight = [&](std::uint32_t r) { return row_weights.empty() ? 1.0 : static_cast<double>(row_weights[r]); };
  double total = 0;
  for (const auto r : order) total += weight(r);
  const double scale = total > 0 ? 1 / total : 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(data.inputs.row(order[i]), inputs.stride(), inputs.row(i));
    labels[i] = data.labels[order[i]];
    weights[i] = static_cast<float>(weight(order[i]) * scale);
  }
  std::fill(labels.begin() + static_cast<std::ptrdiff_t>(rows), labels.end(), 0);
  std::fill(weights.begin() + static_cast<std::ptrdiff_t>(rows), weights.end(), 0.0F);
  for (std::size_t first = 0; with_packed && first < rows; first += kRowsPerGroup) {
    kernels::pack_group(std::min(kRowsPerGroup, rows - first), inputs.cols(), inputs.row(first), inputs.stride(),
                        packed.data() + first * inputs.cols());
  }
}

}  // namespace perpend
