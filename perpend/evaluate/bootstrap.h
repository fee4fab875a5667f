// How uncertain a metric is because other rows could have been tested.
//
// The metric is computed on `replicates` samples of n rows, which are drawn with replacement from the n rows. The
// interval runs between the quantiles (1 - level) / 2 and (1 + level) / 2 of the results (percentile bootstrap). It
// says nothing about other training runs or other data. Row i of replicate b is below(i, n) of the stream (seed,
// interval, 0, b). So two metrics with the same seed see the same samples and may be compared sample by sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "perpend/records/evaluation.h"

namespace perpend {

struct BootstrapOptions {
  std::uint64_t seed = 0;
  std::size_t replicates = 1000;
  double level = 0.95;
};

struct Interval {
  double low = 0;
  double high = 0;
  std::size_t undefined = 0;  // replicates that were left out, because the metric was undefined in them
};

// metric(rows) computes the number on those rows, which may repeat. The result is undefined without rows, or if the
// metric is undefined in every replicate.
std::optional<Interval> bootstrap_interval(std::size_t rows,
                                           const std::function<Metric(std::span<const std::uint32_t>)>& metric,
                                           const BootstrapOptions& options = {});

}  // namespace perpend
