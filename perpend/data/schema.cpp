#include "perpend/data/schema.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"
#include "perpend/data/pooled_levels.h"

namespace perpend {

// JSON names of the enumerations. An unknown name would become the first one. So schema_from_json writes the schema
// again and compares the texts.
NLOHMANN_JSON_SERIALIZE_ENUM(ColumnKind, {{ColumnKind::numeric, "numeric"}, {ColumnKind::categorical, "categorical"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Missing,
                             {{Missing::error, "error"}, {Missing::mean, "mean"}, {Missing::indicator, "indicator"}})

NLOHMANN_JSON_SERIALIZE_ENUM(Reading::Form, {{Reading::Form::plain, "plain"},
                                             {Reading::Form::decimal_point, "decimal point"},
                                             {Reading::Form::decimal_comma, "decimal comma"},
                                             {Reading::Form::year_first, "year first"},
                                             {Reading::Form::day_first, "day first"},
                                             {Reading::Form::month_first, "month first"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Reading::Part, {{Reading::Part::time, "time"},
                                             {Reading::Part::month, "month"},
                                             {Reading::Part::weekday, "weekday"},
                                             {Reading::Part::hour, "hour"}})

void to_json(nlohmann::json& json, const Reading& reading) {
  json = {{"form", reading.form}};
  if (reading.is_date()) {
    json["part"] = reading.part;
  } else {
    json["unit"] = reading.unit;
  }
}
void from_json(const nlohmann::json& json, Reading& reading) {
  json.at("form").get_to(reading.form);
  if (reading.is_date()) {
    json.at("part").get_to(reading.part);
  } else {
    json.at("unit").get_to(reading.unit);
  }
}

void to_json(nlohmann::json& json, const NumberRange& range) { json = {range.low, range.high}; }
void from_json(const nlohmann::json& json, NumberRange& range) {
  json.at(0).get_to(range.low);
  json.at(1).get_to(range.high);
}

// Properties that a column lacks are not written, so that files of earlier versions keep their bytes.
void to_json(nlohmann::json& json, const InputColumn& column) {
  json = {{"name", column.name}, {"kind", column.kind}, {"levels", column.levels}};
  if (!column.reading.is_plain()) json["reading"] = column.reading;
  if (column.pooled > 0) json["pooled"] = column.pooled;
  if (!column.pooled_marks.empty()) json["pooled_marks"] = text_of_marks(column.pooled_marks);
  if (column.range) json["range"] = *column.range;
}
void from_json(const nlohmann::json& json, InputColumn& column) {
  json.at("name").get_to(column.name);
  json.at("kind").get_to(column.kind);
  json.at("levels").get_to(column.levels);
  if (json.contains("reading")) json.at("reading").get_to(column.reading);
  if (json.contains("pooled")) json.at("pooled").get_to(column.pooled);
  if (json.contains("pooled_marks")) {
    column.pooled_marks = marks_in(json.at("pooled_marks").get_ref<const std::string&>());
  }
  if (json.contains("range")) column.range = json.at("range").get<NumberRange>();
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Feature, name, column, level, fill, mean, sd)

NLOHMANN_JSON_SERIALIZE_ENUM(RegressionLoss::Kind, {{RegressionLoss::Kind::squared, "squared"},
                                                    {RegressionLoss::Kind::absolute, "absolute"},
                                                    {RegressionLoss::Kind::quantile, "quantile"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RegressionLoss, kind, q)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NumberTarget, mean, sd, loss)

// by_column and the keys behind it are written only if they hold, so that other files keep their bytes.
void to_json(nlohmann::json& json, const Schema& s) {
  json = {{"target", s.target},     {"classes", s.classes}, {"columns", s.columns},
          {"features", s.features}, {"ignored", s.ignored}, {"sample_weight", s.sample_weight},
          {"missing", s.missing}};
  if (s.by_column) json["by_column"] = true;
  if (s.quantity) json["quantity"] = *s.quantity;
  if (!s.target_reading.is_plain()) json["target_reading"] = s.target_reading;
}
void from_json(const nlohmann::json& json, Schema& s) {
  json.at("target").get_to(s.target);
  json.at("classes").get_to(s.classes);
  json.at("columns").get_to(s.columns);
  json.at("features").get_to(s.features);
  json.at("ignored").get_to(s.ignored);
  json.at("sample_weight").get_to(s.sample_weight);
  json.at("missing").get_to(s.missing);
  s.by_column = json.contains("by_column");
  if (json.contains("quantity")) s.quantity = json["quantity"].get<NumberTarget>();
  if (json.contains("target_reading")) json["target_reading"].get_to(s.target_reading);
}

namespace {

constexpr std::size_t kLargestSchema = std::size_t{1} << 20;  // the same as for the header of a model file

[[noreturn]] void bad_schema(const std::string& what) {
  throw ModelFileError("the model's schema is damaged: " + what);
}

// The JSON library converts any number to the type that is asked for, even -3e38 to an int.
void check_whole_numbers(const nlohmann::json& schema) {
  for (const auto& feature : schema.at("features")) {
    const auto& level = feature.at("level");
    const bool fits = level.is_number_integer() && level.get<std::int64_t>() >= Feature::kLevels &&
                      level.get<std::int64_t>() <= std::numeric_limits<std::int32_t>::max();
    if (!feature.at("column").is_number_unsigned() || !fits)
      bad_schema("a feature's column or level is no whole number");
  }
}

// The name that fit_schema gives. Any other name could say something wrong.
std::string name_of(const Feature& feature, const InputColumn& column) {
  if (feature.level == Feature::kNumber || feature.level == Feature::kLevels) return column.name;
  if (feature.level == Feature::kMissing) return column.name + "=missing";
  return column.name + "=" + column.levels[static_cast<std::size_t>(feature.level)];
}

bool in_float_range(double x) { return std::abs(x) <= std::numeric_limits<float>::max(); }

// Means must be possible for cells, which are floats. For a level or a missing cell (x is 0 or 1) the encoded numbers
// must be floats, too. The encoded number of a numeric cell depends on the cell, so the encoder checks each.
bool possible_statistics(const Feature& feature) {
  if (!std::isfinite(feature.sd) || feature.sd <= 0) return false;
  if (!in_float_range(feature.fill / 2) || !in_float_range(feature.mean / 2)) return false;
  const auto encoded = [&](double x) { return in_float_range((x - feature.mean) / feature.sd); };
  return feature.level == Feature::kNumber || (encoded(0) && encoded(1) && encoded(feature.fill));
}

void check_feature(const Feature& feature, const Schema& schema) {
  if (feature.column >= schema.columns.size()) bad_schema("feature " + quote(feature.name) + " has no column");
  const InputColumn& column = schema.columns[feature.column];
  const bool numeric = column.kind == ColumnKind::numeric;
  const bool level = feature.level >= 0 && feature.level < static_cast<std::int64_t>(column.levels.size());
  const bool known = schema.by_column
                         ? feature.level == (numeric ? Feature::kNumber : Feature::kLevels)
                         : feature.level == Feature::kMissing || (numeric ? feature.level == Feature::kNumber : level);
  if (!known) bad_schema("feature " + quote(feature.name) + " has no level");
  if (feature.name != name_of(feature, column)) {
    bad_schema("feature " + quote(feature.name) + " should be called " + quote(name_of(feature, column)));
  }
  if (!possible_statistics(feature)) bad_schema("feature " + quote(feature.name) + " has impossible statistics");
}

// The order within a column: the number, the levels in their order, the missing cell.
std::pair<std::size_t, std::int64_t> place_of(const Feature& feature) {
  const bool last = feature.level == Feature::kMissing;
  return {feature.column, last ? std::numeric_limits<std::int64_t>::max() : feature.level};
}

void check_unit(const Reading& reading) {
  if (!reading.unit.empty() && !is_unit(reading.unit)) bad_schema("the unit " + quote(reading.unit) + " of no number");
}

void check_column(const InputColumn& column) {
  if (std::ranges::adjacent_find(column.levels, std::ranges::greater_equal{}) != column.levels.end()) {
    bad_schema("levels of " + quote(column.name) + " out of order");
  }
  if (column.kind == ColumnKind::numeric && !column.levels.empty()) {
    bad_schema("column " + quote(column.name) + " of numbers has levels");
  }
  if (column.kind == ColumnKind::numeric && column.pooled > 0) {
    bad_schema("column " + quote(column.name) + " of numbers has pooled levels");
  }
  if (column.pooled_marks.size() > column.pooled ||
      std::ranges::adjacent_find(column.pooled_marks, std::ranges::greater_equal{}) != column.pooled_marks.end()) {
    bad_schema("pooled levels of " + quote(column.name) + " are too many or out of order");
  }
  if (column.range && (column.kind != ColumnKind::numeric || !(column.range->low <= column.range->high) ||
                       !in_float_range(column.range->low / 2) || !in_float_range(column.range->high / 2))) {
    bad_schema("column " + quote(column.name) + " has an impossible range");
  }
  if (column.kind != ColumnKind::numeric && !column.reading.is_plain()) {
    bad_schema("column " + quote(column.name) + " of words is read as numbers");
  }
  if (!column.name.ends_with(ending_of(column.reading.part))) {
    bad_schema("column " + quote(column.name) + " is not called like its part of a date");
  }
  check_unit(column.reading);
}

// Every column must have a feature, and a column of numbers must have the number itself.
void check_every_column_is_encoded(const Schema& schema) {
  std::vector<const Feature*> first(schema.columns.size(), nullptr);
  std::vector<std::size_t> features(schema.columns.size(), 0), gaps(schema.columns.size(), 0);
  for (const Feature& feature : schema.features) {
    if (first[feature.column] == nullptr) first[feature.column] = &feature;
    ++features[feature.column];
    gaps[feature.column] += feature.level == Feature::kMissing ? 1 : 0;
  }
  for (std::size_t c = 0; c < first.size(); ++c) {
    const InputColumn& column = schema.columns[c];
    const bool number = column.kind == ColumnKind::numeric;
    if (first[c] == nullptr || (number && first[c]->level != Feature::kNumber)) {
      bad_schema("column " + quote(column.name) + " has no feature");
    }
    // Each level has a feature, and so has a missing cell that is one more level. If there are only two of these, they
    // share one feature.
    const std::size_t states = column.levels.size() + gaps[c];
    if (!number && !schema.by_column && states > 2 && features[c] != states) {
      bad_schema("column " + quote(column.name) + " has " + counted(column.levels.size(), "level") + " and " +
                 counted(features[c], "feature"));
    }
  }
}

void check_target(const Schema& schema) {
  if (!schema.quantity) {
    if (schema.classes.size() < 2) bad_schema("fewer than two classes");
    if (!schema.target_reading.is_plain()) bad_schema("a target of classes is read as numbers");
    return;
  }
  if (schema.target_reading.is_date()) bad_schema("a target of dates");
  check_unit(schema.target_reading);
  const NumberTarget& target = *schema.quantity;
  const bool possible = in_float_range(target.mean) && in_float_range(target.sd) && target.sd > 0;
  if (!schema.classes.empty() || !possible) bad_schema("a target that is neither classes nor a number");
  if (!(target.loss.q > 0 && target.loss.q < 1)) bad_schema("a quantile that is not between 0 and 1");
}

void check_schema(const Schema& schema) {
  check_target(schema);
  if (schema.features.empty()) bad_schema("no features");
  std::unordered_set<std::string_view> names;
  for (const InputColumn& column : schema.columns) {
    check_column(column);
    if (!names.insert(column.name).second) bad_schema("two columns are called " + quote(column.name));
  }
  for (const Feature& feature : schema.features) check_feature(feature, schema);
  const auto not_before = [](const Feature& a, const Feature& b) { return place_of(a) >= place_of(b); };
  if (std::ranges::adjacent_find(schema.features, not_before) != schema.features.end())
    bad_schema("features out of order");
  check_every_column_is_encoded(schema);
}

}  // namespace

std::vector<std::string> Schema::feature_names() const {
  std::vector<std::string> names;
  names.reserve(features.size());
  for (const Feature& feature : features) names.push_back(feature.name);
  return names;
}

std::vector<std::size_t> Schema::level_counts() const {
  std::vector<std::size_t> counts;
  for (const Feature& feature : features) {
    counts.push_back(feature.level == Feature::kLevels ? columns[feature.column].levels.size() : 0);
  }
  return counts;
}

std::string first_difference(const Schema& there, const Schema& here) {
  const auto compared = [](const std::string& what, const std::vector<std::string>& theirs,
                           const std::vector<std::string>& ours) -> std::string {
    const auto at = [](const std::vector<std::string>& names, std::size_t i) {
      return i < names.size() ? quote(names[i]) : "absent";
    };
    const auto differ = std::ranges::mismatch(theirs, ours);
    if (differ.in1 == theirs.end() && differ.in2 == ours.end()) return "";
    const auto i = static_cast<std::size_t>(differ.in1 - theirs.begin());
    return what + " " + thousands(i + 1) + " is " + at(theirs, i) + " there and " + at(ours, i) + " here";
  };
  if (there.by_column != here.by_column) {
    return std::string("networks see ") + (there.by_column ? "whole columns there and encoded features here"
                                                           : "encoded features there and whole columns here");
  }
  const std::string column = compared("encoded column", there.feature_names(), here.feature_names());
  for (std::size_t c = 0; column.empty() && here.by_column && c < here.columns.size(); ++c) {
    const std::string level =
        compared("level of column " + quote(here.columns[c].name), there.columns[c].levels, here.columns[c].levels);
    if (!level.empty()) return level;
  }
  if (!column.empty()) return column;
  if (there.quantity.has_value() != here.quantity.has_value()) {
    return there.quantity ? "the target is a number there and a class here"
                          : "the target is a class there and a number here";
  }
  return compared("class", there.classes, here.classes);
}

std::string schema_to_json(const Schema& schema) { return nlohmann::json(schema).dump(); }

Schema schema_from_json(const std::string& text) {
  try {
    if (const auto problem = json_problem(text, kLargestSchema)) bad_schema("it has " + *problem);
    const auto json = nlohmann::json::parse(text);
    check_whole_numbers(json);
    auto schema = json.get<Schema>();
    check_schema(schema);
    // Unknown and doubled keys are lost when the schema is written again.
    if (schema_to_json(schema) != text) bad_schema("unknown or doubled keys, or values that perpend does not write");
    return schema;
  } catch (const nlohmann::json::exception& error) {
    bad_schema(error.what());
  }
}

}  // namespace perpend
