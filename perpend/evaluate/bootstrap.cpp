#include "perpend/evaluate/bootstrap.h"

#include <vector>

#include "perpend/base/error.h"
#include "perpend/base/quantile.h"
#include "perpend/base/random.h"

namespace perpend {

std::optional<Interval> bootstrap_interval(std::size_t rows,
                                           const std::function<Metric(std::span<const std::uint32_t>)>& metric,
                                           const BootstrapOptions& options) {
  PERPEND_CHECK(options.level > 0 && options.level < 1);
  if (rows == 0) return std::nullopt;
  Interval interval;
  std::vector<double> values;
  std::vector<std::uint32_t> sample(rows);
  for (std::size_t b = 0; b < options.replicates; ++b) {
    const Stream stream(
        {.seed = options.seed, .purpose = Purpose::interval, .member = 0, .step = static_cast<std::uint32_t>(b)});
    for (std::size_t i = 0; i < rows; ++i) sample[i] = static_cast<std::uint32_t>(stream.below(i, rows));
    if (const Metric value = metric(sample)) {
      values.push_back(*value);
    } else {
      ++interval.undefined;
    }
  }
  if (values.empty()) return std::nullopt;
  interval.low = quantile(values, (1 - options.level) / 2);
  interval.high = quantile(values, (1 + options.level) / 2);
  return interval;
}

}  // namespace perpend
