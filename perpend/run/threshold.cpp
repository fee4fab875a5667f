#include "perpend/run/threshold.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/model/decision.h"

namespace perpend {

namespace {

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Aim> share_aim(Aim::Kind kind, std::string_view text) {
  const auto share = number_in(text);
  if (!share || !(*share > 0 && *share <= 1)) return std::nullopt;
  return Aim{.kind = kind, .value = *share};
}

std::optional<Aim> cost_aim(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto false_alarm = number_in(text.substr(0, colon));
  const auto miss = number_in(text.substr(colon + 1));
  const auto is_cost = [](const std::optional<double>& cost) { return cost && *cost > 0 && *cost <= 1e9; };
  if (!is_cost(false_alarm) || !is_cost(miss)) return std::nullopt;
  return Aim{.kind = Aim::Kind::cost, .value = 0, .false_alarm = *false_alarm, .miss = *miss};
}

// Larger is better, and the first number counts most: whether the aim is reached, then what it asks for, then how near
// the threshold is to one half.
using Merit = std::array<double, 4>;

Merit merit_of(const Aim& aim, const ThresholdCounts& counts) {
  const double recall = counts.recall().value_or(0);
  const double precision = counts.precision().value_or(0);
  const double middle = -std::abs(counts.threshold - 0.5);
  switch (aim.kind) {
    case Aim::Kind::number:
      break;
    case Aim::Kind::f1:
      return {counts.f1().value_or(0), middle};
    case Aim::Kind::recall:
      if (recall < aim.value) return {0, recall, precision, middle};
      return {1, precision, recall, middle};
    case Aim::Kind::precision:
      if (precision < aim.value) return {0, precision, recall, middle};
      return {1, recall, precision, middle};
    case Aim::Kind::cost:
      return {-mean_cost(aim, counts).value_or(0), middle};
  }
  return {};
}

// Returns a number between two neighbouring probabilities: at least the lower one and below the upper one.
double between(double low, double high) {
  const double middle = low + (high - low) / 2;
  return middle < high ? middle : low;
}

}  // namespace

std::string aim_forms() { return "a number above 0 and below 1, f1, recall=0.9, precision=0.8 or cost=1:5"; }

std::optional<Aim> parse_aim(const std::string& text) {
  if (text == "f1") return Aim{.kind = Aim::Kind::f1, .value = 0};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    const auto threshold = number_in(text);
    if (!threshold || !is_threshold(*threshold)) return std::nullopt;
    return Aim{.kind = Aim::Kind::number, .value = *threshold};
  }
  const std::string word = text.substr(0, equals);
  const std::string_view rest = std::string_view(text).substr(equals + 1);
  if (word == "recall") return share_aim(Aim::Kind::recall, rest);
  if (word == "precision") return share_aim(Aim::Kind::precision, rest);
  return word == "cost" ? cost_aim(rest) : std::nullopt;
}

std::string text_of(const Aim& aim) {
  switch (aim.kind) {
    case Aim::Kind::number:
      return fmt::format("{}", aim.value);
    case Aim::Kind::f1:
      return "f1";
    case Aim::Kind::recall:
      return fmt::format("recall={}", aim.value);
    case Aim::Kind::precision:
      return fmt::format("precision={}", aim.value);
    case Aim::Kind::cost:
      return fmt::format("cost={}:{}", aim.false_alarm, aim.miss);
  }
  return "";
}

Metric mean_cost(const Aim& aim, const ThresholdCounts& counts) {
  const std::size_t rows =
      counts.true_positives + counts.false_positives + counts.false_negatives + counts.true_negatives;
  if (aim.kind != Aim::Kind::cost || rows == 0) return std::nullopt;
  return (aim.false_alarm * static_cast<double>(counts.false_positives) +
          aim.miss * static_cast<double>(counts.false_negatives)) /
         static_cast<double>(rows);
}

double choose_threshold(const Aim& aim, std::span<const double> probabilities, std::span<const std::int32_t> labels) {
  PERPEND_CHECK(!labels.empty() && probabilities.size() == labels.size());
  if (aim.kind == Aim::Kind::number) return aim.value;
  std::vector<std::pair<double, std::int32_t>> rows;
  ThresholdCounts counts;  // begins with every row answered as the second class
  for (std::size_t r = 0; r < labels.size(); ++r) {
    rows.emplace_back(probabilities[r], labels[r]);
    ++(labels[r] == 1 ? counts.true_positives : counts.false_positives);
  }
  std::ranges::sort(rows);
  double best = 0.5;
  std::optional<Merit> most;
  double below = 0;
  for (std::size_t i = 0; i <= rows.size();) {
    const double above = i < rows.size() ? rows[i].first : 1;
    counts.threshold = between(below, above);
    if (is_threshold(counts.threshold) && counts.threshold < above) {
      const Merit merit = merit_of(aim, counts);
      if (!most || merit > *most) {
        most = merit;
        best = counts.threshold;
      }
    }
    if (i == rows.size()) break;
    for (below = above; i < rows.size() && rows[i].first == below; ++i) {
      const bool positive = rows[i].second == 1;
      --(positive ? counts.true_positives : counts.false_positives);
      ++(positive ? counts.false_negatives : counts.true_negatives);
    }
  }
  return best;
}

bool is_reached(const Aim& aim, const ThresholdCounts& counts) {
  if (aim.kind == Aim::Kind::recall) return counts.recall().value_or(0) >= aim.value;
  if (aim.kind == Aim::Kind::precision) return counts.precision().value_or(0) >= aim.value;
  return true;
}

}  // namespace perpend
