#include "perpend/data/find_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/cells.h"
#include "perpend/data/find_classes.h"
#include "perpend/data/moments.h"

namespace perpend {

namespace {

bool looks_like_a_quantity(const Table& table, const Column& target, const Reading& reading) {
  if (target.nominal || reading.is_date()) return false;
  const NumericCells cells(target, reading);
  std::unordered_set<double> values;
  bool fractions = false;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const auto meaning = cells.meaning(row);
    if (meaning == NumericCells::Meaning::missing) continue;
    if (meaning != NumericCells::Meaning::number) return false;
    const double y = cells.number(row);
    fractions = fractions || y != std::trunc(y);
    if (values.size() <= kMostNumberClasses) values.insert(y);
  }
  return values.size() > kMostNumberClasses || (fractions && values.size() > 2 && 2 * values.size() > table.rows);
}

bool could_be_counts(const std::vector<std::string>& classes) {
  return classes.size() >= kFewestCounts &&
         std::ranges::all_of(classes, [](const std::string& name) { return as_number(name).has_value(); });
}

void refuse_dates(const Table& table, const Column& target, const Reading& reading) {
  if (!reading.is_date()) return;
  throw DataError(fmt::format("{}: target {} has dates, which cannot be predicted; make a number of it first",
                              printable(table.source), quote(target.name)));
}

NumberTarget quantity_of(const Table& table, Rows rows, const SchemaOptions& options, const Schema& schema) {
  const std::vector<double> targets = encode_targets(table, schema, rows);
  const Moments found = moments(targets);
  if (!(found.sd > 0)) {
    throw DataError(fmt::format("{}: target {} is {} in every training row; there is nothing to learn",
                                printable(table.source), quote(schema.target), number_name(targets[0])));
  }
  return {.mean = found.mean, .sd = found.sd, .loss = options.loss};
}

// Refuses options that only classes have, or only numbers.
void refuse_other_options(const SchemaOptions& options, bool is_number) {
  if (is_number && !options.positive.empty()) {
    throw ConfigError(option_mention("positive") + " is for classes, and the target " + quote(options.target) +
                      " is a number; leave it out, or give " + option_mention("task", "classify"));
  }
  if (!is_number && options.loss != RegressionLoss()) {
    throw ConfigError(option_mention("loss") + " is for numbers, and the target " + quote(options.target) +
                      " has classes; leave it out, or give " + option_mention("task", "regress"));
  }
}

}  // namespace

void find_target(const Table& table, const Column& target, Rows rows, const SchemaOptions& options, Schema& schema,
                 std::vector<std::string>* warnings) {
  const Reading reading = options.task == Task::classify ? Reading{} : find_reading(table, target);
  const bool guessed = options.task == Task::automatic && looks_like_a_quantity(table, target, reading);
  const bool is_number = guessed || options.task == Task::regress;
  refuse_other_options(options, is_number);
  if (!is_number) {
    schema.classes = find_classes(table, target, options.positive);
    if (warnings != nullptr && options.task == Task::automatic && could_be_counts(schema.classes)) {
      warnings->push_back(
          fmt::format("the target {} has {} different numbers, so each is a class; {} predicts the number",
                      quote(target.name), schema.classes.size(), option_mention("task", "regress")));
    }
    return;
  }
  refuse_dates(table, target, reading);
  schema.target_reading = reading;
  schema.quantity = quantity_of(table, rows, options, schema);
  if (warnings == nullptr) return;
  if (guessed) {
    warnings->push_back(
        fmt::format("the target {} is a number with many values, so this is a regression; {} makes classes of it",
                    quote(target.name), option_mention("task", "classify")));
  }
  if (!reading.is_plain()) {
    warnings->push_back(
        fmt::format("the target {} is read as numbers, {}", quote(target.name), reading_example(target, reading)));
  }
}

}  // namespace perpend
