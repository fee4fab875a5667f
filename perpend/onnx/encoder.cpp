#include "perpend/onnx/encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/base/error.h"
#include "perpend/data/table.h"
#include "perpend/onnx/operators.h"

namespace perpend::onnx {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string name_of(std::size_t column) { return "column_" + std::to_string(column); }

// perpend reads the code 1 from the cells 1, 1.0 and 1e0, but a graph compares texts. Programs that keep whole numbers
// as floats write 1.0, so the graph knows that spelling too.
void add_spellings(const std::vector<std::string>& levels, std::vector<std::string>& keys,
                   std::vector<std::int64_t>& codes) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto number = as_number(levels[i]);
    const bool whole = number && std::trunc(*number) == *number && number_name(*number) == levels[i];
    const std::string spelling = levels[i] + ".0";
    if (!whole || levels[i].find_first_not_of("-0123456789") != std::string::npos) continue;
    if (std::ranges::find(levels, spelling) != levels.end()) continue;
    keys.push_back(spelling);
    codes.push_back(static_cast<std::int64_t>(i));
  }
}

}  // namespace

Encoder::Encoder(Graph& graph, const Schema& schema) : graph_(graph), schema_(schema) {
  for (const InputColumn& column : schema_.columns) {
    const bool is_number = column.kind == ColumnKind::numeric;
    inputs_.push_back(graph_.input(column.name, is_number ? Type::float64 : Type::text, {kRows, 1}));
    if (is_number) numeric_.push_back(inputs_.back());
  }
}

// Numeric columns are one matrix. The code of a categorical column is compared with the level of each of its features.
std::string Encoder::features() {
  if (!numeric_.empty()) encode_numbers();
  for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
    if (schema_.columns[c].kind == ColumnKind::categorical) encode_levels(c);
  }
  const std::string blocks = concat(graph_, "feature_blocks", blocks_, 1);
  std::vector<std::int64_t> places(schema_.features.size());
  for (std::size_t at = 0; at < order_.size(); ++at) places[order_[at]] = static_cast<std::int64_t>(at);
  return gather(graph_, "features", blocks, indices(graph_, "feature_places", places));
}

EncodedColumns Encoder::columns() {
  EncodedColumns encoded;
  if (!numeric_.empty()) {
    encode_numbers();
    encoded.numbers = blocks_.front();
  }
  std::vector<std::string> codes;
  for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
    if (schema_.columns[c].kind == ColumnKind::categorical) codes.push_back(code_of(c));
  }
  if (!codes.empty()) encoded.codes = cast(graph_, "codes", concat(graph_, "whole_codes", codes, 1), Type::float32);
  return encoded;
}

std::vector<std::size_t> Encoder::features_of(std::size_t column) const {
  std::vector<std::size_t> own;
  for (std::size_t f = 0; f < schema_.features.size(); ++f) {
    if (schema_.features[f].column == column) own.push_back(f);
  }
  return own;
}

void Encoder::add_block(const std::string& value, const std::vector<std::size_t>& features) {
  blocks_.push_back(value);
  order_.insert(order_.end(), features.begin(), features.end());
}

// (x - mean) / sd of these features, rounded as perpend rounds.
std::string Encoder::standardized(const std::string& name, const std::string& values,
                                  const std::vector<std::size_t>& features) {
  std::vector<double> mean, sd;
  for (const std::size_t f : features) {
    mean.push_back(schema_.features[f].mean);
    sd.push_back(schema_.features[f].sd);
  }
  const std::string moved = graph_.node(name + "_moved", "Sub", {values, row(graph_, name + "_mean", mean)});
  const std::string scaled = graph_.node(name + "_scaled", "Div", {moved, row(graph_, name + "_sd", sd)});
  return cast(graph_, name, scaled, Type::float32);
}

// What replaces a missing number. By column a missing cell stays missing, because views handle it.
double Encoder::fill_of(const Feature& feature) const {
  const bool stays_missing =
      schema_.missing == Missing::error || (schema_.by_column && schema_.missing == Missing::indicator);
  return stays_missing ? kNan : feature.fill;
}

void Encoder::encode_numbers() {
  std::vector<std::size_t> numbers, gaps;
  std::vector<std::int64_t> gap_columns;
  std::vector<double> fill;
  for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
    if (schema_.columns[c].kind != ColumnKind::numeric) continue;
    for (const std::size_t f : features_of(c)) {
      if (schema_.features[f].level == Feature::kMissing) {
        PERPEND_CHECK(!numbers.empty() && schema_.features[numbers.back()].column == c);  // the number comes first
        gaps.push_back(f);
        gap_columns.push_back(static_cast<std::int64_t>(numbers.size()) - 1);
        continue;
      }
      numbers.push_back(f);
      fill.push_back(fill_of(schema_.features[f]));
    }
  }
  const std::string raw = concat(graph_, "raw_numbers", numeric_, 1);
  const std::string missing =
      graph_.node("missing", "Or", {graph_.node("is_nan", "IsNaN", {raw}), graph_.node("is_infinite", "IsInf", {raw})});
  const std::string filled = graph_.node("filled_numbers", "Where", {missing, row(graph_, "fill", fill), raw});
  add_block(standardized("numbers", filled, numbers), numbers);
  if (gaps.empty()) return;
  const std::string ones = cast(graph_, "missing_numbers", missing, Type::float64);
  const std::string of_columns = gather(graph_, "gap_columns", ones, indices(graph_, "gap_places", gap_columns));
  add_block(standardized("gaps", of_columns, gaps), gaps);
}

// One row with the encoded features of the column. x(feature) is the number before it is standardised.
template <class Value>
std::string Encoder::feature_row(const std::string& name, const std::vector<std::size_t>& features, const Value& x) {
  std::vector<float> values;
  for (const std::size_t f : features) {
    const Feature& feature = schema_.features[f];
    values.push_back(static_cast<float>((x(feature) - feature.mean) / feature.sd));
  }
  return row(graph_, name, values);
}

double Encoder::missing_value(const Feature& feature) const {
  if (schema_.missing == Missing::error) return kNan;
  return feature.level == Feature::kMissing ? 1 : feature.fill;
}

// The code of a cell is the number of its level. The next number means missing, and the one after it never seen, which
// no feature has.
std::string Encoder::code_of(std::size_t column) {
  const std::vector<std::string>& levels = schema_.columns[column].levels;
  const auto missing = static_cast<std::int64_t>(levels.size());
  std::vector<std::string> keys = levels;
  keys.emplace_back();
  std::vector<std::int64_t> codes;
  for (std::size_t i = 0; i < keys.size(); ++i) codes.push_back(static_cast<std::int64_t>(i));
  add_spellings(levels, keys, codes);
  return graph_.node(name_of(column) + "_code", "LabelEncoder", {inputs_[column]},
                     {Attribute::of("keys_strings", std::span<const std::string>(keys)),
                      Attribute::of("values_int64s", std::span<const std::int64_t>(codes)),
                      Attribute::of("default_int64", missing + 1)},
                     "ai.onnx.ml");
}

void Encoder::encode_levels(std::size_t column) {
  const std::vector<std::size_t> features = features_of(column);
  const auto missing = static_cast<std::int64_t>(schema_.columns[column].levels.size());
  const std::string name = name_of(column);
  const std::string code = code_of(column);
  std::vector<std::int64_t> own;
  for (const std::size_t f : features)
    own.push_back(schema_.features[f].level >= 0 ? schema_.features[f].level : missing);
  const std::string is_level = graph_.node(name + "_is_level", "Equal", {code, indices(graph_, name + "_own", own)});
  const std::string known =
      graph_.node(name + "_known", "Where",
                  {is_level, feature_row(name + "_on", features, [](const Feature&) { return 1.0; }),
                   feature_row(name + "_off", features, [](const Feature&) { return 0.0; })});
  const std::string is_missing =
      graph_.node(name + "_is_missing", "Equal", {code, indices(graph_, name + "_missing_code", {missing})});
  const std::string gap =
      feature_row(name + "_gap", features, [this](const Feature& feature) { return missing_value(feature); });
  add_block(graph_.node(name + "_features", "Where", {is_missing, gap, known}), features);
}

}  // namespace perpend::onnx
