#include "perpend/evaluate/column_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "perpend/base/message.h"
#include "perpend/evaluate/home_columns.h"

namespace perpend {

namespace {

// Returns the range at home in encoded units. A category has none.
std::optional<std::array<float, 2>> range_of(const Schema& schema, std::size_t column) {
  const auto& range = schema.columns[column].range;
  if (!range) return std::nullopt;
  const Feature& feature = schema.features[column];
  const auto encoded = [&](double x) { return static_cast<float>((x - feature.mean) / feature.sd); };
  return std::array{encoded(range->low), encoded(range->high)};
}

// Writes a number in the table's own units, and days as a date.
std::string number_of(const Schema& schema, std::size_t column, double encoded) {
  const Feature& feature = schema.features[column];
  // Encoded cells are floats. A difference beyond the fifth digit of a standard deviation is rounding.
  const double grain = feature.sd * 1e-5;
  const double x = std::round((encoded * feature.sd + feature.mean) / grain) * grain + 0.0;
  const Reading& reading = schema.columns[column].reading;
  constexpr double kMostDays = 3e6;
  if (!reading.is_date() || reading.part != Reading::Part::time || !(std::abs(x) < kMostDays)) {
    return fmt::format("{:.4g}", x);
  }
  const std::chrono::year_month_day day{std::chrono::sys_days(std::chrono::days(static_cast<int>(std::floor(x))))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

std::vector<double> shares_of(const std::vector<std::uint32_t>& counts) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> shares;
  for (const std::uint32_t count : counts) shares.push_back(all > 0 ? count / all : 0);
  return shares;
}

// what: "are 'red'", "missing"
std::string shares_text(const std::string& what, double here, double home, const char* was = "was") {
  const auto percent = [](double share) {
    return share > 0 && share < 0.01 ? std::string("less than 1 %") : fmt::format("{:.0f} %", 100 * share);
  };
  return fmt::format("{} {}, {} {}", percent(here), what, was, percent(home));
}

// The most frequent number, how many cells have it, and how many have the next frequent number.
struct Mode {
  float value = 0;
  std::size_t count = 0, next = 0;
};
Mode mode_of(InputsView rows, std::size_t column) {
  std::vector<float> cells;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!std::isnan(rows(r, column))) cells.push_back(rows(r, column));
  }
  std::ranges::sort(cells);
  Mode mode;
  for (auto first = cells.begin(); first != cells.end();) {
    const auto last = std::upper_bound(first, cells.end(), *first);
    const auto count = static_cast<std::size_t>(last - first);
    if (count > mode.count) {
      mode = {*first, count, mode.count};
    } else {
      mode.next = std::max(mode.next, count);
    }
    first = last;
  }
  return mode;
}

// Returns the place of the median of the known cells.
std::optional<std::size_t> middle_place(const std::vector<std::uint32_t>& counts) {
  const double known = std::accumulate(counts.begin(), counts.end() - 1, 0.0);
  double up_to = 0;
  for (std::size_t p = 0; p + 1 < counts.size(); ++p) {
    up_to += counts[p];
    if (counts[p] > 0 && 2 * up_to >= known) return p;
  }
  return std::nullopt;
}

double median_of(InputsView rows, std::size_t column) {
  std::vector<float> cells;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!std::isnan(rows(r, column))) cells.push_back(rows(r, column));
  }
  const auto middle = cells.begin() + static_cast<std::ptrdiff_t>((cells.size() - 1) / 2);
  std::ranges::nth_element(cells, middle);
  return *middle;
}

std::size_t most_changed(const std::vector<double>& here, const std::vector<double>& there) {
  std::size_t most = 0;
  for (std::size_t p = 0; p < here.size(); ++p) {
    if (std::abs(here[p] - there[p]) > std::abs(here[most] - there[most])) most = p;
  }
  return most;
}

// A number with at most this many values has one place per value.
constexpr std::size_t kFewValues = 8;
std::string value_text(const HomeColumn& home, const Schema& schema, std::size_t column,
                       const std::vector<std::uint32_t>& counts) {
  const auto here = shares_of(counts), there = shares_of(home.counts);
  const std::size_t most = most_changed(here, there);
  const bool is_missing = most + 1 == here.size();
  return shares_text(is_missing ? std::string("missing")
                                : "are " + number_of(schema, column, typical_cell(home, schema, column, most)),
                     here[most], there[most]);
}

std::string number_text(const HomeColumn& home, const Schema& schema, std::size_t column, InputsView rows,
                        const std::vector<std::uint32_t>& counts) {
  const double missing = shares_of(counts).back(), missing_home = shares_of(home.counts).back();
  if (const auto gap = possible_gap(home, schema, column, rows)) {
    return shares_text("are " + gap->value, gap->share, gap->home_most, gap->home_most > 0 ? "was at most" : "was");
  }
  const auto here = middle_place(counts), there = middle_place(home.counts);
  if (!here || !there || std::abs(missing - missing_home) > 0.2) {
    return shares_text("missing", missing, missing_home);
  }
  if (home.edges.size() < kFewValues) return value_text(home, schema, column, counts);
  const std::string now = number_of(schema, column, median_of(rows, column));
  const std::string was = number_of(schema, column, typical_cell(home, schema, column, *there));
  if (*here != *there) return fmt::format("median {}, was {}", now, was);
  std::size_t beyond = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) beyond += is_beyond(schema, column, rows(r, column)) ? 1 : 0;
  const double share = static_cast<double>(beyond) / static_cast<double>(rows.rows());
  if (share > 0.02) return fmt::format("{:.0f} % outside the range at home", 100 * share);
  return fmt::format("other spread, median {} as before", now);
}

std::string category_text(const HomeColumn& home, const Schema& schema, std::size_t column,
                          const std::vector<std::uint32_t>& counts) {
  const auto here = shares_of(counts), there = shares_of(home.counts);
  const std::size_t most = most_changed(here, there);
  const auto& levels = schema.columns[column].levels;
  const std::string what = most < levels.size()    ? "are " + quote(levels[most])
                           : most == levels.size() ? std::string("missing")
                                                   : std::string("have a level that training never saw, or a rare one");
  return shares_text(what, here[most], there[most]);
}

}  // namespace

float typical_cell(const HomeColumn& home, const Schema& schema, std::size_t column, std::size_t place) {
  const InputColumn& input = schema.columns[column];
  if (input.kind == ColumnKind::categorical) {
    return place <= input.levels.size() ? static_cast<float>(place) : -1.0F;
  }
  const auto& edges = home.edges;
  if (place > edges.size()) return std::numeric_limits<float>::quiet_NaN();
  if (place < edges.size()) return edges[place];  // which is a value of the column
  const auto range = range_of(schema, column);
  if (edges.empty()) return range ? (*range)[0] : 0.0F;
  const float high = range ? (*range)[1] : edges.back();
  // The last place of a column of few values is its largest value. Otherwise the typical cell lies half the way to the
  // largest value, because tails are long.
  const double all = std::accumulate(home.counts.begin(), home.counts.end(), 0.0);
  const bool is_value = home.counts[place] > 2 * all / static_cast<double>(kHomeBins);
  return is_value ? high : edges.back() + (high - edges.back()) / 2;
}

bool is_beyond(const Schema& schema, std::size_t column, float cell) {
  if (schema.columns[column].kind == ColumnKind::categorical) return cell < 0;
  const auto range = range_of(schema, column);
  return range && (cell < (*range)[0] || cell > (*range)[1]);
}

std::optional<PossibleGap> possible_gap(const HomeColumn& home, const Schema& schema, std::size_t column,
                                        InputsView rows) {
  constexpr double kLeastShare = 0.1, kTimes = 5;
  const InputColumn& input = schema.columns[column];
  if (input.kind == ColumnKind::categorical || input.reading.is_date()) return std::nullopt;
  if (home.edges.size() < kFewValues || rows.rows() == 0) return std::nullopt;
  const Mode mode = mode_of(rows, column);
  const double share = static_cast<double>(mode.count) / static_cast<double>(rows.rows());
  const std::size_t place = place_of(home, 0, mode.value);
  const double home_most = is_beyond(schema, column, mode.value) ? 0 : shares_of(home.counts)[place];
  const bool stands_out = share >= kLeastShare && share >= kTimes * home_most &&
                          static_cast<double>(mode.count) >= kTimes * static_cast<double>(mode.next);
  if (!stands_out) return std::nullopt;
  return PossibleGap{number_of(schema, column, mode.value), share, home_most};
}

std::string change_text(const HomeColumn& home, const Schema& schema, std::size_t column, InputsView rows) {
  const auto counts = count_places(home, schema.level_counts()[column], rows, column);
  return schema.columns[column].kind == ColumnKind::categorical ? category_text(home, schema, column, counts)
                                                                : number_text(home, schema, column, rows, counts);
}

}  // namespace perpend
