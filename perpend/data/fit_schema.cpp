#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/cells.h"
#include "perpend/data/check_table.h"
#include "perpend/data/encode.h"
#include "perpend/data/find_kind.h"
#include "perpend/data/find_target.h"
#include "perpend/data/moments.h"
#include "perpend/data/need_column.h"
#include "perpend/data/pooled_levels.h"

namespace perpend {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_names(const Table& table, const SchemaOptions& options) {
  check_table(table);
  if (options.target.empty()) throw ConfigError("no target column is given; name it with " + option_mention("target"));
  need_column(table, options.target);
  if (!options.sample_weight.empty()) need_column(table, options.sample_weight);
  for (const auto* list : {&options.categorical, &options.drop, &options.keep}) {
    for (const std::string& name : *list) need_column(table, name);
  }
  if (contains(options.drop, options.target))
    throw ConfigError(fmt::format("the target {} cannot be dropped", quote(options.target)));
  if (options.sample_weight == options.target) {
    throw ConfigError(fmt::format("column {} cannot be both target and sample weight", quote(options.target)));
  }
}

// Resolves automatic: a missing cell is an input of its own if columns are tables, and an error otherwise.
Missing resolved(const SchemaOptions& options) {
  if (options.missing != Missing::automatic) return options.missing;
  return options.by_column ? Missing::indicator : Missing::error;
}

constexpr std::size_t kDroppedNamed = 10;  // of each kind
// Levels in bytewise order, and how many are too rare to be a level.
struct Levels {
  std::vector<std::string> names;
  std::vector<std::string> pooled_names;
  std::size_t pooled = 0;
  std::size_t pooled_rows = 0;
};

constexpr std::size_t kReadingsNamed = 10;
constexpr std::size_t kCopiedColumns = 2;  // of a foreign array at a time: 16 bytes per row

class SchemaFitter {
 public:
  SchemaFitter(const Table& table, Rows rows, const SchemaOptions& options, FitReport& report)
      : table_(table),
        options_(options),
        missing_(resolved(options)),
        report_(report),
        rows_(rows.begin(), rows.end()),
        sorted_(rows_) {
    std::sort(sorted_.begin(), sorted_.end());
  }

  Schema run() && {
    schema_.target = options_.target;
    schema_.sample_weight = options_.sample_weight;
    schema_.missing = missing_;
    schema_.by_column = options_.by_column;
    find_target(table_, need_column(table_, options_.target), rows_, options_, schema_, &report_.warnings);
    const std::unordered_set<std::string> dropped(options_.drop.begin(), options_.drop.end());
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const Column& column = in_memory(i);
      if (column.name == options_.target || column.name == options_.sample_weight) continue;
      if (dropped.contains(column.name)) {
        drop(column, DroppedColumn::Reason::asked);
      } else {
        fit(column, table_.columns[i]);
      }
    }
    count_the_rest();
    check_result();
    return std::move(schema_);
  }

 private:
  // Columns are read many times, in the order of rows_. A foreign array is too slow for that, so it is copied.
  const Column& in_memory(std::size_t i) {
    if (table_.columns[i].view.first == nullptr) return table_.columns[i];
    if (copied_.empty() || i >= first_copied_ + copied_.size()) {
      first_copied_ = i;
      const std::size_t last = std::min(i + kCopiedColumns, table_.columns.size());
      copied_.assign(last - i, Column{});
      for (std::size_t c = i; c < last; ++c) {
        if (table_.columns[c].view.first != nullptr) copied_[c - i] = table_.columns[c];
      }
      copy_views(copied_, table_.rows);
    }
    return copied_[i - first_copied_];
  }

  void fit(const Column& column, const Column& original) {
    const bool asked = contains(options_.categorical, column.name);
    const FoundKind found = find_kind(table_, column, asked, report_.warnings);
    const ColumnTraits traits = column_traits(column, found, sorted_);
    const bool gaps_tell = traits.has_missing && missing_ == Missing::indicator && known_somewhere(column, found);
    const bool gaps_fail = traits.has_missing && missing_ == Missing::error && known_somewhere(column, found);
    if (!contains(options_.keep, column.name)) {
      if (traits.constant && !gaps_tell && !gaps_fail) return drop(column, DroppedColumn::Reason::constant);
      if (traits.id_like && !asked) return drop(column, DroppedColumn::Reason::id_like);
    }
    if (missing_ == Missing::error) refuse_missing(table_, column, found);
    // If no row has a level, no feature can be made of the column, even if it is to be kept. The exception is a missing
    // cell that is a feature.
    if (found.kind == ColumnKind::categorical && (missing_ != Missing::indicator || options_.by_column) &&
        !known_somewhere(column, found)) {
      return drop(column, DroppedColumn::Reason::empty);
    }
    const Levels levels = found.kind == ColumnKind::categorical ? levels_of(column) : Levels{};
    if (levels.names.empty() && levels.pooled > 0) return drop(column, DroppedColumn::Reason::rare);
    inputs_.push_back(&original);
    fingerprints_.push_back(fingerprint(column, rows_));
    if (found.kind == ColumnKind::numeric) {
      add_numbers(column, traits, found.reading);
    } else {
      add_categorical(column, traits, levels);
    }
  }

  bool known_somewhere(const Column& column, const FoundKind& found) const {
    const NumericCells cells(column, found.reading);
    return std::any_of(rows_.begin(), rows_.end(), [&](std::uint32_t row) {
      return found.kind == ColumnKind::numeric ? cells.meaning(row) == NumericCells::Meaning::number
                                               : !column.is_missing(row);
    });
  }

  // A wide table may have thousands of such columns. drop() names the first few of each kind.
  void count_the_rest() {
    if (readings_ > kReadingsNamed) {
      const bool one = readings_ == kReadingsNamed + 1;
      report_.warnings.push_back(fmt::format("{} {} read as numbers or dates in this way",
                                             counted(readings_ - kReadingsNamed, "more column"), one ? "is" : "are"));
    }
    if (many_levels_ > kDroppedNamed) {
      const bool one = many_levels_ == kDroppedNamed + 1;
      report_.warnings.push_back(fmt::format("{} {} more than {} levels",
                                             counted(many_levels_ - kDroppedNamed, "more column"), one ? "has" : "have",
                                             kManyLevels));
    }
    using Reason = DroppedColumn::Reason;
    for (const auto& [reason, why] : {std::pair(Reason::constant, "constant"), std::pair(Reason::id_like, "like ids"),
                                      std::pair(Reason::empty, "without a value in the training rows"),
                                      std::pair(Reason::rare, "of rare levels only")}) {
      const std::size_t count = dropped_[reason];
      if (count <= kDroppedNamed) continue;
      const bool one = count == kDroppedNamed + 1;
      report_.warnings.push_back(fmt::format("{} {} {} and {} dropped", counted(count - kDroppedNamed, "more column"),
                                             one ? "is" : "are", why, one ? "was" : "were"));
    }
  }

  void drop(const Column& column, DroppedColumn::Reason reason) {
    schema_.ignored.push_back(column.name);
    report_.dropped.push_back({column.name, reason});
    if (++dropped_[reason] > kDroppedNamed) return;
    if (reason == DroppedColumn::Reason::constant) {
      report_.warnings.push_back(fmt::format("column {} is constant and was dropped", quote(column.name)));
    } else if (reason == DroppedColumn::Reason::empty) {
      report_.warnings.push_back(
          fmt::format("column {} has no value in the training rows and was dropped", quote(column.name)));
    } else if (reason == DroppedColumn::Reason::rare) {
      report_.warnings.push_back(
          fmt::format("column {} has more than {} levels, none with {} training rows, and was dropped; {} keeps it",
                      quote(column.name), kManyLevels, kFewRows, option_mention("keep", column.name)));
    } else if (reason == DroppedColumn::Reason::id_like) {
      report_.warnings.push_back(
          fmt::format("column {} looks like an id (nearly every row differs) and was dropped; {} keeps it",
                      quote(column.name), option_mention("keep", column.name)));
    }
  }

  // A date has several numbers. Those that vary are inputs.
  void add_numbers(const Column& column, const ColumnTraits& traits, Reading reading) {
    const std::size_t first = schema_.columns.size();
    add_numeric(column, traits, reading);
    if (reading.is_date()) {
      for (const auto part : {Reading::Part::month, Reading::Part::weekday, Reading::Part::hour}) {
        reading.part = part;
        if (!column_traits(column, {.kind = ColumnKind::numeric, .reading = reading}, sorted_).constant) {
          add_numeric(column, traits, reading);
        }
      }
    }
    if (!reading.is_plain()) say_reading(column, reading, std::span(schema_.columns).subspan(first));
  }

  void add_numeric(const Column& column, const ColumnTraits& traits, const Reading& reading) {
    const NumericCells cells(column, reading);
    const std::string name = column.name + std::string(ending_of(reading.part));
    std::vector<double> known;
    std::vector<double> gaps;
    for (const std::uint32_t row : rows_) {
      const bool number = cells.meaning(row) == NumericCells::Meaning::number;
      if (number) known.push_back(cells.number(row));
      gaps.push_back(number ? 0 : 1);
    }
    schema_.columns.push_back({.name = name, .kind = ColumnKind::numeric, .levels = {}, .reading = reading});
    if (!known.empty())
      schema_.columns.back().range = {*std::ranges::min_element(known), *std::ranges::max_element(known)};
    add_feature(name, Feature::kNumber, known, options_.standardize);
    const bool has_own_gap = reading.part == Reading::Part::time;
    if (traits.has_missing && missing_ == Missing::indicator && !options_.by_column && has_own_gap) {
      add_feature(name + "=missing", Feature::kMissing, gaps, options_.standardize_one_hot);
    }
  }

  void say_reading(const Column& column, const Reading& reading, std::span<const InputColumn> inputs) {
    if (++readings_ > kReadingsNamed) return;
    const std::string example = reading_example(column, reading);
    std::string read = "numbers, " + example;
    if (reading.is_date()) {
      std::string names;
      for (const InputColumn& input : inputs) names += (names.empty() ? "" : ", ") + quote(input.name);
      read = fmt::format("dates, {}{}, in the inputs {}", example,
                         is_order_open(column, reading) ? " (no cell says whether day or month is first)" : "", names);
    }
    report_.warnings.push_back(fmt::format("column {} is read as {}; {} reads it as words", quote(column.name), read,
                                           option_mention("categorical", column.name)));
  }

  void add_categorical(const Column& column, const ColumnTraits& traits, const Levels& found) {
    say_levels(column, found);
    const bool missing_level = traits.has_missing && missing_ == Missing::indicator;
    InputColumn input{
        .name = column.name, .kind = ColumnKind::categorical, .levels = found.names, .pooled = found.pooled};
    if (marks_kept_ + found.pooled <= kMostPooledMarks) input.pooled_marks = marks_of(found.pooled_names);
    marks_kept_ += input.pooled_marks.size();
    if (options_.by_column) {
      schema_.columns.push_back(std::move(input));
      schema_.features.push_back(
          {.name = column.name, .column = schema_.columns.size() - 1, .level = Feature::kLevels});
      return;
    }
    const LevelCells cells(column, input.levels);
    std::vector<std::int32_t> codes;
    for (const std::uint32_t row : rows_) {
      const std::int32_t code = cells.level(row);
      if (code != LevelCells::kMissing || missing_level) codes.push_back(code);
    }
    const std::size_t states = input.levels.size() + (missing_level ? 1 : 0);
    const std::vector<std::string> levels = input.levels;
    schema_.columns.push_back(std::move(input));
    for (std::size_t i = states == 2 && found.pooled == 0 ? 1 : 0; i < states; ++i) {
      const bool gap = i == levels.size();
      const std::int32_t code = gap ? LevelCells::kMissing : static_cast<std::int32_t>(i);
      std::vector<double> hits(codes.size());
      std::transform(codes.begin(), codes.end(), hits.begin(), [&](std::int32_t c) { return c == code ? 1.0 : 0.0; });
      add_feature(column.name + "=" + (gap ? "missing" : levels[i]), gap ? Feature::kMissing : code, hits,
                  options_.standardize_one_hot);
      if (missing_level) schema_.features.back().fill = 0;
    }
  }

  std::map<std::string, std::size_t> rows_of_levels(const Column& column) const {
    std::vector<std::size_t> words(column.words.size());
    std::map<double, std::size_t> numbers;
    for (const std::uint32_t row : rows_) {
      if (column.is_number(row)) {
        ++numbers[column.number(row)];
      } else if (!column.is_missing(row)) {
        ++words[static_cast<std::size_t>(column.mark(row))];
      }
    }
    std::map<std::string, std::size_t> levels;
    for (const auto& [number, count] : numbers) levels[number_name(number)] += count;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] > 0) levels[column.words[i]] += words[i];
    }
    return levels;
  }

  Levels levels_of(const Column& column) const {
    const auto counts = rows_of_levels(column);
    const bool pools = counts.size() > kManyLevels && !contains(options_.keep, column.name);
    Levels levels;
    for (const auto& [name, count] : counts) {
      if (!pools || count >= kFewRows) {
        levels.names.push_back(name);
      } else {
        ++levels.pooled;
        levels.pooled_names.push_back(name);
        levels.pooled_rows += count;
      }
    }
    return levels;
  }

  void say_levels(const Column& column, const Levels& levels) {
    if (levels.names.size() + levels.pooled <= kManyLevels || ++many_levels_ > kDroppedNamed) return;
    const std::string of_levels =
        fmt::format("column {} has {}", quote(column.name), counted(levels.names.size() + levels.pooled, "level"));
    if (levels.pooled == 0) {
      report_.warnings.push_back(fmt::format("{}, each with weights of its own; {} leaves it out", of_levels,
                                             option_mention("drop", column.name)));
      return;
    }
    report_.warnings.push_back(fmt::format(
        "{}; {} of them have fewer than {} training rows each ({} of {} in all) and are read as if they had never been "
        "seen, so the model learns nothing from their cells; {} keeps them",
        of_levels, thousands(levels.pooled), kFewRows, thousands(levels.pooled_rows), thousands(rows_.size()),
        option_mention("keep", column.name)));
  }

  void add_feature(std::string name, std::int32_t level, const std::vector<double>& values, bool standardize) {
    Feature feature{.name = std::move(name), .column = schema_.columns.size() - 1, .level = level};
    if (!values.empty()) {
      const Moments found = moments(values, level == Feature::kNumber ? SumOrder::blocks : SumOrder::rows);
      const bool constant = std::all_of(values.begin(), values.end(), [&](double x) { return x == values[0]; });
      feature.fill = constant ? values[0] : found.mean;
      if (standardize) feature.mean = feature.fill;
      if (standardize && !constant && found.sd > 0) feature.sd = found.sd;
    }
    schema_.features.push_back(std::move(feature));
  }

  void check_result() {
    if (schema_.features.empty()) {
      throw DataError(fmt::format("{} has no input column left besides the target {}", printable(table_.source),
                                  quote(options_.target)));
    }
    std::unordered_set<std::string> names;
    for (const Feature& feature : schema_.features) {
      if (names.insert(feature.name).second) continue;
      throw DataError(fmt::format("two features would be called {}; rename the column or level", quote(feature.name)));
    }
    for (const auto& [first, second] : equal_columns(inputs_, fingerprints_, rows_)) {
      report_.warnings.push_back(
          fmt::format("columns {} and {} are equal in every training row", quote(first), quote(second)));
    }
  }

  const Table& table_;
  const SchemaOptions& options_;
  Missing missing_;
  FitReport& report_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> sorted_;
  std::vector<const Column*> inputs_;
  std::vector<std::size_t> fingerprints_;  // one per column of inputs_
  std::map<DroppedColumn::Reason, std::size_t> dropped_;
  std::size_t many_levels_ = 0;  // columns of more than kManyLevels levels
  std::size_t marks_kept_ = 0;   // marks of pooled levels, in all columns
  std::size_t readings_ = 0;     // columns of numbers that are written for people
  std::vector<Column> copied_;
  std::size_t first_copied_ = 0;
  Schema schema_;
};

void check_weights(const Table& table, const Schema& schema, Rows rows) {
  if (schema.sample_weight.empty()) return;
  const std::vector<float> weights = encode_weights(table, schema, rows);
  if (std::any_of(weights.begin(), weights.end(), [](float weight) { return weight > 0; })) return;
  throw DataError(fmt::format("{}: every sample weight in column {} is zero", printable(table.source),
                              quote(schema.sample_weight)));
}

}  // namespace

Schema fit_classes(const Table& table, const SchemaOptions& options) {
  check_names(table, options);
  Schema schema;
  schema.target = options.target;
  schema.sample_weight = options.sample_weight;
  find_target(table, need_column(table, options.target), all_rows(table), options, schema);
  check_weights(table, schema, all_rows(table));
  return schema;
}

Schema fit_schema(const Table& table, Rows rows, const SchemaOptions& options, FitReport* report) {
  FitReport found;
  check_names(table, options);
  if (rows.empty()) throw DataError(fmt::format("{}: there are no training rows", printable(table.source)));
  Schema schema = SchemaFitter(table, rows, options, found).run();
  check_weights(table, schema, rows);
  if (report != nullptr) *report = std::move(found);
  return schema;
}

void widen_ranges(const Table& table, Rows rows, Schema& schema) {
  for (InputColumn& column : schema.columns) {
    if (!column.range) continue;
    const NumericCells cells(need_column(table, column.table_column()), column.reading);
    for (const std::uint32_t row : rows) {
      if (cells.meaning(row) != NumericCells::Meaning::number) continue;
      column.range->low = std::min(column.range->low, cells.number(row));
      column.range->high = std::max(column.range->high, cells.number(row));
    }
  }
}

}  // namespace perpend
