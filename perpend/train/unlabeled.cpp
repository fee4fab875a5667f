#include "perpend/train/unlabeled.h"

#include <algorithm>
#include <numeric>

#include "perpend/base/random.h"

namespace perpend {

namespace {

Dataset joined(const Dataset& train, const Inputs& unlabeled) {
  Dataset all;
  all.labels = train.labels;
  all.targets = train.targets;
  all.quantity = train.quantity;
  all.inputs = Inputs(train.rows() + unlabeled.rows(), train.inputs.cols());
  for (std::size_t r = 0; r < all.rows(); ++r) {
    const float* row = r < train.rows() ? train.inputs.row(r) : unlabeled.row(r - train.rows());
    std::copy_n(row, train.inputs.cols(), all.inputs.row(r));
  }
  return all;
}

}  // namespace

UnlabeledSteps::UnlabeledSteps(const Dataset& train, const Inputs* unlabeled, std::size_t batch_rows,
                               const TrainOptions& options)
    : train_(train), batch_rows_(batch_rows), seed_(options.seed), shuffle_(options.shuffle) {
  if (unlabeled == nullptr) return;
  per_step_ = std::min(batch_rows, unlabeled->rows());
  all_ = joined(train, *unlabeled);
}

std::uint32_t UnlabeledSteps::next() {
  if (place_ == order_.size()) {
    order_.resize(all_.rows() - train_.rows());
    std::iota(order_.begin(), order_.end(), 0U);
    if (shuffle_) {
      const Stream stream({.seed = seed_, .purpose = Purpose::unlabeled, .member = 0, .step = passes_});
      order_ = stream.permutation(order_.size());
    }
    ++passes_;
    place_ = 0;
  }
  return static_cast<std::uint32_t>(train_.rows()) + order_[place_++];
}

const std::vector<RowList>& UnlabeledSteps::mixed(const std::vector<RowList>& lists) {
  if (per_step_ == 0) return lists;
  mixed_.assign(1, {});
  for (std::size_t first = 0; first < train_.rows(); first += batch_rows_) {
    const std::size_t end = std::min(first + batch_rows_, train_.rows());
    for (std::size_t i = first; i < end; ++i) mixed_[0].push_back(lists[0][i]);
    for (std::size_t i = 0; i < per_step_; ++i) mixed_[0].push_back(next());
  }
  return mixed_;
}

}  // namespace perpend
