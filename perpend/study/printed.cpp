#include "perpend/study/printed.h"

#include <charconv>
#include <cmath>

namespace perpend {

namespace {

Metric number(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? Metric(value) : Metric();
}

}  // namespace

Metric PrintedFigure::mean() const { return number(mean_text); }
Metric PrintedFigure::sd() const { return number(sd_text); }

double PrintedFigure::half_unit() const {
  const auto point = mean_text.find('.');
  const std::size_t digits = point == mean_text.npos ? 1 : mean_text.size() - point - 1;
  return digits == 1 ? 0.05 : 0.005;
}

Difference difference_of(const Summary& ours, const PrintedFigure& printed, int printed_restarts) {
  const Metric mean = printed.mean();
  if (!ours.mean || !mean) return Difference::absent;
  if (!ours.standard_error) return Difference::unknown;
  const double sd = printed.sd().value_or(0);
  const double chance = 2 * std::sqrt(*ours.standard_error * *ours.standard_error + sd * sd / printed_restarts);
  return std::abs(*ours.mean - *mean) > chance + printed.half_unit() ? Difference::differs : Difference::none;
}

}  // namespace perpend
