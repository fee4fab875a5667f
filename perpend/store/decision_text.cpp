#include "perpend/store/decision_text.h"

#include <array>
#include <charconv>
#include <string_view>

namespace perpend {

namespace {

constexpr std::string_view kTemperature = "temperature ";
constexpr std::string_view kIsotonic = "isotonic";
constexpr std::string_view kAbove = "above ";
constexpr std::string_view kBias = "bias";
constexpr std::string_view kPull = " pull";
constexpr std::string_view kCentre = "centre ";
constexpr std::string_view kScale = " scale ";
constexpr std::string_view kTheta = " theta";

std::string digits_of(double x) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}

// Removes the number at the start of the text and returns it. Returns 0 if there is none. The caller notices, because
// the text would be written differently.
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

std::string list_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += " " + digits_of(x);
  return text;
}

// Takes numbers with a space before each, up to the first word.
std::vector<double> take_list(std::string_view& text) {
  std::vector<double> numbers;
  while (text.starts_with(" ") && !text.starts_with(kPull)) {
    text.remove_prefix(1);
    numbers.push_back(take_number(text));
  }
  return numbers;
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

std::string text_of(const Correction& correction) {
  return std::string(kBias) + list_text(correction.bias) + std::string(kPull) + list_text(correction.pull);
}

std::optional<Correction> correction_from_text(const std::string& text) {
  std::string_view rest = text;
  Correction correction;
  if (!take(rest, kBias)) return std::nullopt;
  correction.bias = take_list(rest);
  if (!take(rest, kPull)) return std::nullopt;
  correction.pull = take_list(rest);
  if (text_of(correction) != text) return std::nullopt;
  return correction;
}

std::string text_of(const Gate& gate) {
  return std::string(kCentre) + digits_of(gate.centre) + std::string(kScale) + digits_of(gate.scale) +
         std::string(kTheta) + list_text(gate.theta);
}

std::optional<Gate> gate_from_text(const std::string& text) {
  std::string_view rest = text;
  Gate gate;
  if (!take(rest, kCentre)) return std::nullopt;
  gate.centre = take_number(rest);
  if (!take(rest, kScale)) return std::nullopt;
  gate.scale = take_number(rest);
  if (!take(rest, kTheta)) return std::nullopt;
  gate.theta = take_list(rest);
  if (text_of(gate) != text) return std::nullopt;
  return gate;
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
