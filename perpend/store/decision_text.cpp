#include "perpend/store/decision_text.h"

#include <array>
#include <charconv>
#include <string_view>

namespace perpend {

namespace {

constexpr std::string_view kTemperature = "temperature ";
constexpr std::string_view kIsotonic = "isotonic";
constexpr std::string_view kAbove = "above ";

std::string digits_of(double x) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}

// The number at the start of the text, which loses it; 0 where there is none, which no caller writes alone.
double take_number(std::string_view& text) {
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

ProbabilityMap isotonic_from(std::string_view rest) {
  ProbabilityMap map{.kind = Calibrator::isotonic};
  while (map.knots.size() <= kMostKnots && take(rest, " ")) {
    Knot knot;
    knot.from = take_number(rest);
    if (!take(rest, ":")) break;
    knot.to = take_number(rest);
    map.knots.push_back(knot);
  }
  return map;
}

}  // namespace

std::string text_of(const ProbabilityMap& map) {
  if (map.kind == Calibrator::temperature) return std::string(kTemperature) + digits_of(map.temperature);
  std::string text(kIsotonic);
  for (const Knot& knot : map.knots) text += " " + digits_of(knot.from) + ":" + digits_of(knot.to);
  return text;
}

std::optional<ProbabilityMap> map_from_text(const std::string& text) {
  std::string_view rest = text;
  ProbabilityMap map{.kind = Calibrator::temperature};
  if (take(rest, kTemperature)) {
    map.temperature = take_number(rest);
  } else if (take(rest, kIsotonic)) {
    map = isotonic_from(rest);
  } else {
    return std::nullopt;
  }
  if (text_of(map) != text) return std::nullopt;
  return map;
}

std::string threshold_text(double threshold) { return std::string(kAbove) + digits_of(threshold); }

std::optional<double> threshold_from_text(const std::string& text) {
  std::string_view rest = text;
  if (!take(rest, kAbove)) return std::nullopt;
  const double threshold = take_number(rest);
  if (threshold_text(threshold) != text) return std::nullopt;
  return threshold;
}

}  // namespace perpend
