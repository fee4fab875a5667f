#include "perpend/train/batch.h"

#include <algorithm>

#include "perpend/base/error.h"

namespace perpend {

Batch::Batch(std::size_t max_rows, std::size_t features, BatchLayout layout)
    : labels(round_up(max_rows, kRowsPerGroup), 0), weights(labels.size(), 0.0F) {
  if (layout == BatchLayout::copied) inputs = Inputs(labels.size(), features);
  if (layout == BatchLayout::packed) packed.assign(labels.size() * features, 0.0F);
  if (layout == BatchLayout::quantized) {
    quantized.assign(labels.size() * 2 * kernels::quantized_pairs(features), 0);
  }
}

void Batch::gather(const Dataset& data, const std::int16_t* quantized_rows, std::span<const float> row_weights,
                   std::span<const std::uint32_t> order) {
  rows = order.size();
  indices = order;
  in_data = {.data = data.inputs.data(), .stride = data.inputs.stride(), .indices = order.data()};
  labelled = rows;
  while (labelled > 0 && order[labelled - 1] >= data.labelled()) --labelled;
  if (data.quantity) {
    targets.assign(labels.size(), 0.0F);
    for (std::size_t i = 0; i < labelled; ++i) targets[i] = data.targets[order[i]];
  } else {
    for (std::size_t i = 0; i < labelled; ++i) labels[i] = data.labels[order[i]];
    std::fill(labels.begin() + static_cast<std::ptrdiff_t>(labelled), labels.end(), 0);
  }
  gather_weights(row_weights);
  const std::size_t features = data.inputs.cols();
  for (std::size_t i = 0; i < rows && inputs.rows() > 0; ++i)
    std::copy_n(in_data.row(i), inputs.stride(), inputs.row(i));
  if (inputs.rows() > 0 || (packed.empty() && quantized.empty())) return;
  for (std::size_t i = 0; i < rows; i += kRowsPerGroup) {
    const std::size_t count = std::min(kRowsPerGroup, rows - i);
    if (quantized.empty()) {
      kernels::pack_group(count, features, in_data.from(i), packed.data() + i * features);
    } else {
      kernels::pack_quantized(
          {.rows = count, .features = features, .quantized = quantized_rows, .indices = order.data() + i},
          quantized.data() + i * 2 * kernels::quantized_pairs(features));
    }
  }
}

void Batch::gather_weights(std::span<const float> row_weights) {
  const auto weight = [&](std::size_t i) { return static_cast<double>(row_weights[indices[i]]); };
  std::fill(weights.begin() + static_cast<std::ptrdiff_t>(labelled), weights.end(), 0.0F);
  if (row_weights.empty()) {
    std::fill_n(weights.begin(), labelled, static_cast<float>(1 / static_cast<double>(labelled)));
  } else {
    double total = 0;
    for (std::size_t i = 0; i < labelled; ++i) total += weight(i);
    const double scale = total > 0 ? 1 / total : 0;
    for (std::size_t i = 0; i < labelled; ++i) weights[i] = static_cast<float>(weight(i) * scale);
  }
  unlabeled_weights.assign(labelled == rows ? 0 : weights.size(), 0.0F);
  if (labelled == rows) return;
  const auto share = static_cast<float>(static_cast<double>(labelled) / static_cast<double>(rows));
  for (std::size_t i = 0; i < labelled; ++i) unlabeled_weights[i] = weights[i] * share;
  for (std::size_t i = labelled; i < rows; ++i) unlabeled_weights[i] = 1.0F / static_cast<float>(rows);
}

Batches::Batches(const Dataset& data, std::size_t max_rows, std::size_t lists, BatchLayout layout,
                 const Threads& threads)
    : data_(data),
      threads_(threads),
      max_rows_(max_rows),
      shared_(lists == 1),
      is_gathered_(shared_ ? static_cast<std::size_t>(threads.count()) : lists, 0) {
  lay_out(layout);
}

void Batches::lay_out(BatchLayout layout) {
  const std::size_t features = data_.inputs.cols();
  layout_ = layout;
  batches_.assign(is_gathered_.size(), Batch(max_rows_, features, layout));
  const std::size_t size = 2 * kernels::quantized_pairs(features);
  quantized_rows_.resize(layout == BatchLayout::quantized ? data_.inputs.rows() * size : 0);
  if (quantized_rows_.empty()) return;
  const AlignedVector<float> ones(round_up(data_.inputs.rows(), 16), 1.0F);
  kernels::quantize({.count = data_.inputs.rows(),
                     .features = features,
                     .x = data_.inputs.data(),
                     .stride = data_.inputs.stride(),
                     .last = ones.data()},
                    quantized_rows_.data());
}

void Batches::begin(std::span<const RowList> lists, std::size_t first, std::size_t count,
                    std::span<const float> row_weights, std::uint32_t step) {
  PERPEND_CHECK(lists.size() == (shared_ ? 1 : batches_.size()));
  lists_ = lists;
  row_weights_ = row_weights;
  first_ = first;
  count_ = count;
  step_ = step;
  gather_own();
}

void Batches::use(BatchLayout layout) {
  if (layout == layout_) return;
  lay_out(layout);
  gather_own();
}

// Members' own batches are gathered at once, a shared one when it is asked for.
void Batches::gather_own() {
  std::fill(is_gathered_.begin(), is_gathered_.end(), 0);
  if (!shared_) threads_.for_each(batches_.size(), [&](std::size_t i) { gather(i); });
}

void Batches::gather(std::size_t i) {
  batches_[i].gather(data_, quantized_rows_.data(), row_weights_,
                     std::span(lists_[shared_ ? 0 : i]).subspan(first_, count_));
  is_gathered_[i] = 1;
}

const Batch& Batches::of(std::size_t member, std::size_t piece) {
  const std::size_t i = shared_ ? piece % batches_.size() : member;
  if (is_gathered_[i] == 0) gather(i);
  return batches_[i];
}

}  // namespace perpend
