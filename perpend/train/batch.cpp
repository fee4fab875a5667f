#include "perpend/train/batch.h"

#include <algorithm>

#include "perpend/base/error.h"
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
  indices = order;
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

Batches::Batches(const Dataset& data, std::size_t max_rows, std::size_t lists, bool with_packed, const Threads& threads)
    : data_(data),
      threads_(threads),
      shared_(lists == 1),
      with_packed_(with_packed),
      batches_(shared_ ? static_cast<std::size_t>(threads.count()) : lists, Batch(max_rows, data.inputs.cols())),
      is_gathered_(batches_.size(), 0) {}

void Batches::begin(std::span<const RowList> lists, std::size_t first, std::size_t count,
                    std::span<const float> row_weights, std::uint32_t step) {
  PERPEND_CHECK(lists.size() == (shared_ ? 1 : batches_.size()));
  lists_ = lists;
  row_weights_ = row_weights;
  first_ = first;
  count_ = count;
  step_ = step;
  std::fill(is_gathered_.begin(), is_gathered_.end(), 0);
  if (!shared_) threads_.for_each(batches_.size(), [&](std::size_t i) { gather(i); });
}

void Batches::gather(std::size_t i) {
  batches_[i].gather(data_, row_weights_, std::span(lists_[shared_ ? 0 : i]).subspan(first_, count_), with_packed_);
  is_gathered_[i] = 1;
}

const Batch& Batches::of(std::size_t member, std::size_t piece) {
  const std::size_t i = shared_ ? piece % batches_.size() : member;
  if (is_gathered_[i] == 0) gather(i);
  return batches_[i];
}

}  // namespace perpend
