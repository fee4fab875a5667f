#include "perpend/run/directions.h"

#include <algorithm>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/need_column.h"

namespace perpend {

namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

struct NamedColumn {
  std::string name;
  Direction direction;
  std::string option;  // as it is mentioned
};

std::vector<NamedColumn> named_columns(const RunOptions& options) {
  std::vector<NamedColumn> named;
  for (const auto& name : options.increasing) {
    named.push_back({name, Direction::increasing, option_mention("increasing")});
  }
  for (const auto& name : options.decreasing) {
    named.push_back({name, Direction::decreasing, option_mention("decreasing")});
  }
  return named;
}

// Says what a column is if it is not an input. Empty: it may be an input.
std::string role_of(const std::string& name, const RunOptions& options) {
  if (name == options.schema.target) return "the target";
  if (name == options.schema.sample_weight) return "the sample weight";
  if (name == options.group) return "the group";
  if (name == options.domain) return "the domain";
  if (options.split.kind == SplitKind::labels && name == options.split_column) return "the split";
  return has(options.schema.drop, name) ? "dropped" : "";
}

}  // namespace

std::vector<std::string> direction_problems(const RunOptions& options) {
  std::vector<std::string> problems;
  const auto named = named_columns(options);
  for (const auto& [name, direction, option] : named) {
    const std::string role = role_of(name, options);
    if (!role.empty()) {
      problems.push_back("column " + quote(name) + " is " + role + " and no input; leave it out of " + option);
    } else if (direction == Direction::increasing && has(options.decreasing, name)) {
      problems.push_back("column " + quote(name) + " is in " + option + " and in " + option_mention("decreasing") +
                         "; leave it out of one of them");
    } else if (has(options.schema.categorical, name)) {
      problems.push_back("column " + quote(name) + " is in " + option + " and in " + option_mention("categorical") +
                         ", but categories have no order; leave it out of one of them");
    }
  }
  if (!named.empty() && options.train.hidden.size() > 1) {
    problems.push_back(named[0].option + " needs one hidden layer, and " + option_mention("hidden") + " has " +
                       std::to_string(options.train.hidden.size()) + "; give one, or leave it out");
  }
  return problems;
}

void check_directions(const Table& table, const Schema& schema, const RunOptions& options) {
  for (const auto& [name, direction, option] : named_columns(options)) {
    need_column(table, name, ", which " + option + " names");
    if (schema.classes.size() > 2) {
      throw ConfigError(option + " is for two classes, and " + quote(schema.target) + " has " +
                        thousands(schema.classes.size()));
    }
    if (schema.quantity && schema.quantity->loss.kind != RegressionLoss::Kind::squared) {
      throw ConfigError(option + " is for " + option_mention("loss", "squared") +
                        ", because trees of other losses set the values of their leaves anew; leave one of them out");
    }
    const auto column = std::ranges::find(schema.columns, name, &InputColumn::table_column);
    if (column == schema.columns.end()) continue;
    if (column->kind == ColumnKind::categorical) {
      throw ConfigError("column " + quote(name) + " is a category, and categories have no order; leave it out of " +
                        option);
    }
    if (column->reading.is_date()) {
      throw ConfigError("column " + quote(name) +
                        " is a date, which becomes several inputs such as its month; leave it out of " + option);
    }
  }
}

Directions directions_of(const Schema& schema, const RunOptions& options) {
  Directions directions(schema.features.size(), Direction::none);
  for (const auto& [name, direction, option] : named_columns(options)) {
    for (std::size_t f = 0; f < schema.features.size(); ++f) {
      const Feature& feature = schema.features[f];
      if (feature.level == Feature::kNumber && schema.columns[feature.column].name == name) directions[f] = direction;
    }
  }
  return has_direction(directions) ? directions : Directions();
}

}  // namespace perpend
