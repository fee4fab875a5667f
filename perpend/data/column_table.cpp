#include "perpend/data/column_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "perpend/base/error.h"

namespace perpend {

namespace {

constexpr std::array<std::pair<View, std::string_view>, 4> kViews = {
    {{View::linear, "linear"}, {View::piecewise, "piecewise"}, {View::logistic, "logistic"}, {View::trees, "trees"}}};

// The edges are the first and the last known value, and quantiles between them. A column with at most bins + 1 values
// has an edge at each.
std::vector<float> edges_of(const std::vector<float>& sorted, int bins) {
  if (sorted.empty()) return {};
  std::vector<float> values(sorted);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<float> wanted = values;
  const auto k = static_cast<std::size_t>(bins);
  if (values.size() > k + 1) {
    wanted.clear();
    for (std::size_t i = 0; i <= k; ++i) wanted.push_back(sorted[i * (sorted.size() - 1) / k]);
  }
  // The outer edges stay. An inner edge is dropped if it is too near to the one before it, or to the last.
  std::vector<float> edges = {wanted.front()};
  for (std::size_t i = 1; i + 1 < wanted.size(); ++i) {
    const bool far = wanted[i] - edges.back() >= kNarrowestBin && wanted.back() - wanted[i] >= kNarrowestBin;
    if (far) edges.push_back(wanted[i]);
  }
  if (wanted.back() > edges.back()) edges.push_back(wanted.back());
  return edges;
}

// The mean of each ramp over the known cells.
std::vector<float> ramp_means(const std::vector<float>& sorted, const std::vector<float>& edges) {
  std::vector<float> means;
  for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
    const double width = static_cast<double>(edges[k + 1]) - edges[k];
    double sum = 0;
    for (const float z : sorted) sum += std::clamp((static_cast<double>(z) - edges[k]) / width, 0.0, 1.0);
    means.push_back(static_cast<float>(sum / static_cast<double>(sorted.size())));
  }
  return means;
}

ColumnTable fit_numbers(InputsView rows, std::size_t column, int bins) {
  std::vector<float> known;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!std::isnan(rows(r, column))) known.push_back(rows(r, column));
  }
  std::sort(known.begin(), known.end());
  ColumnTable table;
  table.missing =
      static_cast<float>(static_cast<double>(rows.rows() - known.size()) / static_cast<double>(rows.rows()));
  table.edges = edges_of(known, bins);
  if (table.has_ramps()) {
    table.means = ramp_means(known, table.edges);
  } else {
    table.edges.clear();
  }
  return table;
}

ColumnTable fit_levels(InputsView rows, std::size_t column, std::size_t levels) {
  std::vector<std::size_t> counts(levels + 1, 0);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const float code = rows(r, column);
    if (code >= 0) ++counts[static_cast<std::size_t>(code)];
  }
  const auto share = [&](std::size_t count) {
    return static_cast<float>(static_cast<double>(count) / static_cast<double>(rows.rows()));
  };
  ColumnTable table;
  table.is_category = true;
  for (std::size_t level = 0; level < levels; ++level) table.means.push_back(share(counts[level]));
  table.missing = share(counts[levels]);
  return table;
}

}  // namespace

std::string_view word_of(View view) {
  return std::ranges::find(kViews, view, [](const auto& known) { return known.first; })->second;
}

const View* find_view(std::string_view word) {
  const auto* found = std::ranges::find(kViews, word, [](const auto& known) { return known.second; });
  return found == kViews.end() ? nullptr : &found->first;
}

std::string words_of(const std::vector<View>& views) {
  std::string words;
  for (const View view : views) words += (words.empty() ? "" : ",") + std::string(word_of(view));
  return words;
}

bool is_for_networks(View view) { return view == View::linear || view == View::piecewise; }

bool has_view(const std::vector<View>& views, View view) { return std::ranges::find(views, view) != views.end(); }

std::vector<View> member_views(const std::vector<View>& views, std::size_t members) {
  std::vector<View> of_networks, single;
  std::ranges::copy_if(views, std::back_inserter(of_networks), is_for_networks);
  for (const View view : {View::logistic, View::trees}) {
    if (has_view(views, view)) single.push_back(view);
  }
  if (single.empty()) return views;
  std::vector<View> all;
  while (all.size() + single.size() < members) {
    PERPEND_CHECK(!of_networks.empty());
    all.push_back(of_networks[all.size() % of_networks.size()]);
  }
  all.insert(all.end(), single.begin(), single.end());
  return all;
}

std::vector<ColumnTable> fit_columns(InputsView rows, std::span<const std::size_t> levels, int bins) {
  PERPEND_CHECK(levels.size() == rows.cols() && rows.rows() > 0 && bins >= 1);
  std::vector<ColumnTable> tables;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    tables.push_back(levels[c] > 0 ? fit_levels(rows, c, levels[c]) : fit_numbers(rows, c, bins));
  }
  return tables;
}

int default_bins(std::size_t rows) { return rows < 2500 ? 8 : 16; }

}  // namespace perpend
