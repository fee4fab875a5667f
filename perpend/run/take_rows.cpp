#include "perpend/run/take_rows.h"

#include <algorithm>

#include "perpend/base/random.h"

namespace perpend {

Dataset some_rows(const Dataset& data, std::size_t most, std::uint64_t seed) {
  if (data.rows() <= most) return data;
  auto order = Stream({.seed = seed, .purpose = Purpose::split, .member = 0, .step = 4}).permutation(data.rows());
  order.resize(most);
  std::ranges::sort(order);
  Dataset some{.inputs = Inputs(most, data.inputs.cols()),
               .labels = {},
               .classes = data.classes,
               .features = data.features,
               .weights = {},
               .columns = data.columns,
               .quantity = data.quantity};
  for (std::size_t i = 0; i < most; ++i) {
    std::copy_n(data.inputs.row(order[i]), data.inputs.stride(), some.inputs.row(i));
    if (data.quantity) {
      some.targets.push_back(data.targets[order[i]]);
    } else {
      some.labels.push_back(data.labels[order[i]]);
    }
    if (!data.weights.empty()) some.weights.push_back(data.weights[order[i]]);
  }
  return some;
}

Dataset joined(const Dataset& first, const Dataset& second) {
  Dataset all = first;
  all.inputs = Inputs(first.rows() + second.rows(), first.inputs.cols());
  for (std::size_t r = 0; r < all.rows(); ++r) {
    const float* from = r < first.rows() ? first.inputs.row(r) : second.inputs.row(r - first.rows());
    std::copy_n(from, first.inputs.cols(), all.inputs.row(r));
  }
  all.labels.insert(all.labels.end(), second.labels.begin(), second.labels.end());
  all.targets.insert(all.targets.end(), second.targets.begin(), second.targets.end());
  if (!first.weights.empty()) all.weights.insert(all.weights.end(), second.weights.begin(), second.weights.end());
  return all;
}

}  // namespace perpend
