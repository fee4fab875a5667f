#include "perpend/data/schema.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perpend/base/error.h"

namespace perpend {

// JSON names of the enumerations; an unknown name would become the first one, so schema_from_json compares both ways.
NLOHMANN_JSON_SERIALIZE_ENUM(ColumnKind, {{ColumnKind::numeric, "numeric"}, {ColumnKind::categorical, "categorical"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Missing,
                             {{Missing::error, "error"}, {Missing::mean, "mean"}, {Missing::indicator, "indicator"}})

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InputColumn, name, kind, levels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Feature, name, column, level, fill, mean, sd)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Schema, target, classes, columns, features, ignored, sample_weight, missing)

namespace {

[[noreturn]] void bad_schema(const std::string& what) {
  throw ModelFileError("the model's schema is damaged: " + what);
}

void check_feature(const Feature& feature, const Schema& schema) {
  if (feature.column >= schema.columns.size()) bad_schema("feature " + feature.name + " has no column");
  const InputColumn& column = schema.columns[feature.column];
  const bool numeric = column.kind == ColumnKind::numeric;
  const bool level = feature.level >= 0 && feature.level < static_cast<std::int64_t>(column.levels.size());
  const bool known = feature.level == Feature::kMissing || (numeric ? feature.level == Feature::kNumber : level);
  if (!known) bad_schema("feature " + feature.name + " has no level");
  const bool finite = std::isfinite(feature.fill) && std::isfinite(feature.mean) && std::isfinite(feature.sd);
  if (!finite || feature.sd <= 0) bad_schema("feature " + feature.name + " has impossible statistics");
}

void check_schema(const Schema& schema) {
  if (schema.classes.size() < 2) bad_schema("fewer than two classes");
  if (schema.features.empty()) bad_schema("no features");
  const auto by_column = [](const Feature& a, const Feature& b) { return a.column < b.column; };
  if (!std::is_sorted(schema.features.begin(), schema.features.end(), by_column)) bad_schema("features out of order");
  for (const Feature& feature : schema.features) check_feature(feature, schema);
  for (const InputColumn& column : schema.columns) {
    if (!std::is_sorted(column.levels.begin(), column.levels.end()))
      bad_schema("levels of " + column.name + " unsorted");
  }
}

}  // namespace

std::vector<std::string> Schema::feature_names() const {
  std::vector<std::string> names;
  names.reserve(features.size());
  for (const Feature& feature : features) names.push_back(feature.name);
  return names;
}

std::string schema_to_json(const Schema& schema) { return nlohmann::json(schema).dump(); }

Schema schema_from_json(const std::string& text) {
  try {
    auto schema = nlohmann::json::parse(text).get<Schema>();
    check_schema(schema);
    // Unknown and doubled keys do not survive the way back.
    if (schema_to_json(schema) != text) bad_schema("unknown or doubled keys, or values that perpend does not write");
    return schema;
  } catch (const nlohmann::json::exception& error) {
    std::string reason = error.what();
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    bad_schema(reason);
  }
}

}  // namespace perpend
