// What a model knows about its table: which columns it looks at, how each becomes numbers, and what it predicts.
//
// fit_schema (encode.h) finds a schema on training rows. The model file stores it as JSON. It is applied by column name
// to any later table. Encoding rules:
//
//   numeric      The column becomes one feature `age`. Standardised, it is z = (x - mean) / sd, with the mean and sd
//                (ddof 0) of the known training cells. Words may be numbers too, such as $1,234, and a date becomes
//                several numbers: each column has its reading (reading.h).
//   categorical  The column becomes one feature per level, such as `odor=f`. It is 1 where the cell is that level, else
//                0. Levels are sorted bytewise. A column of two levels becomes one feature, that of the second level,
//                because two opposed columns would make members look independent for free. A level that training never
//                saw is 0 in all features, and is counted. If a column has very many levels, its rare levels may be
//                pooled (encode.h): they are read like levels that training never saw, but are not counted.
//   missing      In a numeric column these cells are missing: the empty cell, the words ? NA N/A NaN null in any letter
//                case, and infinite numbers. In a categorical column only the empty cell is missing, and any word is a
//                level (`?` is one in the mushroom table). The options say what becomes of a missing cell:
//                error:      It is a DataError with the count, the first place and the choices.
//                mean:       Each feature gets its training mean (for a level: its share), and the cell is counted.
//                indicator:  A numeric column gets the mean, and a feature `age=missing` that is 1. A category gets
//                            one more level, the last, `odor=missing`. This holds for columns with a missing cell in
//                            training. The others are treated as under mean.
//                auto:       It is error here, and indicator by column.
//
// By column, for networks whose first layer is made of tables (column_table.h), every column is one feature of the same
// name. The feature is the standardised number, or the index of the level. A missing cell is NaN, or the number of
// levels. A level that training never saw is -1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perpend/base/quantity.h"
#include "perpend/data/reading.h"

namespace perpend {

// What a model predicts: a class, or a number. With automatic, fit_schema decides by the target.
enum class Task { automatic, classify, regress };
enum class ColumnKind { numeric, categorical };
enum class Missing { error, mean, indicator, automatic };  // in a schema it is never automatic

// The smallest and the largest number of a column in the training rows.
struct NumberRange {
  double low = 0;
  double high = 0;

  // The numbers are compared as floats, because networks see floats. So 0.1 is the same in a table of doubles and in
  // one of floats.
  bool contains(double x) const {
    return static_cast<float>(x) >= static_cast<float>(low) && static_cast<float>(x) <= static_cast<float>(high);
  }
  bool operator==(const NumberRange&) const = default;
};

// A column of the user's table that the model uses. A column of dates may have several.
struct InputColumn {
  std::string name;
  ColumnKind kind = ColumnKind::numeric;
  std::vector<std::string> levels;               // categorical: sorted bytewise
  Reading reading = {};                          // numeric: how a word becomes a number
  std::size_t pooled = 0;                        // categorical: number of rare training levels that are not in `levels`
  std::vector<std::uint32_t> pooled_marks = {};  // their marks (pooled_levels.h); empty if they are too many to keep
  std::optional<NumberRange> range = {};         // numeric; nothing in older models, or without a known cell

  // The column of the table from which it is made: `when` for the input `when.month`.
  std::string table_column() const { return name.substr(0, name.size() - ending_of(reading.part).size()); }

  bool operator==(const InputColumn&) const = default;
};

// A column of the encoded inputs: encoded = (x - mean) / sd, where x is the number, or 1 if the cell is the level.
struct Feature {
  static constexpr std::int32_t kNumber = -1;   // x is the number itself
  static constexpr std::int32_t kMissing = -2;  // x is 1 where the cell is missing
  static constexpr std::int32_t kLevels = -3;   // by column: x is the index of the level

  std::string name;
  std::size_t column = 0;        // index into Schema::columns
  std::int32_t level = kNumber;  // index into the column's levels, kNumber or kMissing
  double fill = 0;               // x of a missing cell: the training mean of x, or 0 if there is a missing level
  double mean = 0;               // without standardisation mean is 0 and sd is 1
  double sd = 1;

  bool operator==(const Feature&) const = default;
};

struct Schema {
  std::string target;
  std::vector<std::string> classes;      // sorted: numbers by value, words bytewise; `positive` comes second of two
  std::optional<NumberTarget> quantity;  // the target of a regression, which has no classes
  Reading target_reading = {};           // for a regression: how a word such as $1,234 becomes a number
  std::vector<InputColumn> columns;      // in the table's order
  std::vector<Feature> features;         // in the order of columns
  // Training columns that are not inputs (dropped, constant, id-like). Later tables may have them without being
  // "extra".
  std::vector<std::string> ignored;
  std::string sample_weight;  // column of row weights; empty if there is none
  Missing missing = Missing::error;
  bool by_column = false;  // one feature per column

  std::vector<std::string> feature_names() const;
  std::vector<std::size_t> level_counts() const;  // per column: its number of levels, 0 for numbers
  bool operator==(const Schema&) const = default;
};

// The first encoded column or class in which the two schemas differ, as a clause: "encoded column 2 is 'age' there and
// 'income' here". Networks of `there` would misread such a table. Returns nothing if inputs and outputs mean the same.
// Means and sds may differ, as they do from table to table.
std::string first_difference(const Schema& there, const Schema& here);

// The schema as JSON text on one line. Numbers are read back with the same bits.
std::string schema_to_json(const Schema& schema);
// Reads a schema. Throws ModelFileError if fit_schema could not have found it: if it has unknown, doubled or absent
// keys, more than 1 MiB, indices out of range, features out of order or under another name, a column without a feature,
// or statistics that no float cells have.
Schema schema_from_json(const std::string& text);

}  // namespace perpend
