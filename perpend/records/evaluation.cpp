#include "perpend/records/evaluation.h"

namespace perpend {

namespace {

Metric share(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Metric ThresholdCounts::recall() const { return share(true_positives, true_positives + false_negatives); }

Metric ThresholdCounts::precision() const { return share(true_positives, true_positives + false_positives); }

Metric ThresholdCounts::f1() const {
  return share(2 * true_positives, 2 * true_positives + false_positives + false_negatives);
}

}  // namespace perpend
