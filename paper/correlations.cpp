#include "paper/correlations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "perpend/base/message.h"

namespace perpend::paper {

namespace {

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (std::size_t i = first; i < end; ++i) ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
  }
  return ranks;
}

constexpr std::pair<const char*, Metric StudyMarker::*> kErrorMeasures[] = {
    {"rho", &StudyMarker::rho_av}, {"Q", &StudyMarker::q_av}, {"kappa", &StudyMarker::kappa}};

template <class Takes>
void add_correlations(const StudyView& view, const std::string& trials, const Takes& takes,
                      std::vector<Correlation>& to) {
  for (const auto& [measure, value] : kErrorMeasures) {
    std::vector<double> x, y;
    for (const auto& marker : view.markers) {
      if (!takes(marker) || !marker.grad_cos2 || !(marker.*value)) continue;
      x.push_back(*marker.grad_cos2);
      y.push_back(*(marker.*value));
    }
    to.push_back({trials, measure, x.size(), pearson(x, y), spearman(x, y)});
  }
}

std::string correlation_text(const Metric& value) {
  if (!value) return "-";
  return fmt::format("{:.2f}", std::abs(*value) < 0.005 ? 0.0 : *value);  // no sign of a zero
}

}  // namespace

Metric pearson(std::span<const double> x, std::span<const double> y) {
  if (x.size() < 3) return {};
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? Metric(xy / std::sqrt(xx * yy)) : Metric();
}

Metric spearman(std::span<const double> x, std::span<const double> y) { return pearson(ranks_of(x), ranks_of(y)); }

std::vector<Correlation> correlations(const StudyView& view) {
  std::vector<Correlation> found;
  const auto is_lit = [&](const StudyMarker& marker) { return view.methods[marker.method] == "LIT"; };
  add_correlations(
      view, "all", [](const StudyMarker&) { return true; }, found);
  add_correlations(
      view, "all but LIT", [&](const StudyMarker& marker) { return !is_lit(marker); }, found);
  for (std::size_t m = 0; m < view.methods.size(); ++m) {
    add_correlations(
        view, view.methods[m], [&](const StudyMarker& marker) { return marker.method == m; }, found);
  }
  return found;
}

std::string correlation_table(const std::vector<Correlation>& found) {
  std::string text = "| trials | cos² with | number | Pearson | Spearman |\n|---|---|---|---|---|\n";
  for (const auto& one : found) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", one.trials, one.measure, thousands(one.count),
                        correlation_text(one.pearson), correlation_text(one.spearman));
  }
  return text;
}

}  // namespace perpend::paper
