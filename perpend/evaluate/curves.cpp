#include "perpend/evaluate/curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/quantile.h"

namespace perpend {

std::vector<CurvePoint> roc_curve(std::span<const double> scores, LabelsView labels) {
  PERPEND_CHECK(scores.size() == labels.size());
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  const auto positives = static_cast<double>(std::ranges::count(labels, 1));
  const double negatives = static_cast<double>(labels.size()) - positives;
  if (positives == 0 || negatives == 0) return {};
  std::vector<CurvePoint> curve = {{0, 0}};
  double hits = 0;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    for (; last < order.size() && scores[order[last]] == scores[order[first]]; ++last) {
      hits += labels[order[last]] == 1 ? 1 : 0;
    }
    curve.push_back({(static_cast<double>(last) - hits) / negatives, hits / positives});
  }
  return curve;
}

std::vector<CurvePoint> thinned(std::span<const CurvePoint> points, std::size_t most) {
  const auto step = [](const CurvePoint& a, const CurvePoint& b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); };
  if (points.size() <= most) return {points.begin(), points.end()};
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) length += step(points[i], points[i - 1]);
  std::vector<CurvePoint> kept = {points.front()};
  double since = 0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    since += step(points[i], points[i - 1]);
    if (since < length / static_cast<double>(most)) continue;
    kept.push_back(points[i]);
    since = 0;
  }
  kept.push_back(points.back());
  return kept;
}

Histogram histogram(std::span<const double> values, double low, double high, std::size_t bins) {
  PERPEND_CHECK(bins > 0 && high > low);
  Histogram result{low, high, std::vector<std::size_t>(bins, 0)};
  const double scale = static_cast<double>(bins) / (high - low);
  for (const double value : values) {
    if (!(value >= low && value <= high)) continue;
    ++result.counts[std::min(static_cast<std::size_t>((value - low) * scale), bins - 1)];
  }
  return result;
}

namespace {

double silverman_bandwidth(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double v : values) mean += v / n;
  double variance = 0;
  for (const double v : values) variance += (v - mean) * (v - mean) / n;
  const std::vector<double> quarters = quantiles(values, std::array{0.25, 0.75});
  const double range = (quarters[1] - quarters[0]) / 1.34;
  const double spread = range > 0 ? std::min(std::sqrt(variance), range) : std::sqrt(variance);
  return 0.9 * spread * portable_exp(-portable_log(n) / 5);
}

}  // namespace

std::vector<CurvePoint> kernel_density(std::vector<double> values, std::size_t points) {
  PERPEND_CHECK(!values.empty() && points > 1);
  constexpr std::size_t kBins = 512;
  const std::vector<double> ends = quantiles(values, std::array{0.0, 0.005, 0.995, 1.0});
  if (!(ends[3] > ends[0])) return {{ends[0], 1}};
  const double low = ends[2] > ends[1] ? ends[1] : ends[0];
  const double high = ends[2] > ends[1] ? ends[2] : ends[3];
  const Histogram bins = histogram(values, low, high, kBins);
  const double width = (high - low) / kBins;
  const double bandwidth = std::max(silverman_bandwidth(values), width);
  const double scale = 0.3989422804014327 / (bandwidth * static_cast<double>(values.size()));  // 1 / sqrt(2 pi)
  std::vector<CurvePoint> curve;
  for (std::size_t i = 0; i < points; ++i) {
    const double at = low + (high - low) * static_cast<double>(i) / static_cast<double>(points - 1);
    double sum = 0;
    for (std::size_t b = 0; b < kBins; ++b) {
      const double z = (at - (low + (static_cast<double>(b) + 0.5) * width)) / bandwidth;
      if (bins.counts[b] > 0 && std::abs(z) < 6) sum += static_cast<double>(bins.counts[b]) * portable_exp(-z * z / 2);
    }
    curve.push_back({at, sum * scale});
  }
  return curve;
}

}  // namespace perpend
