// What a model knows about its table: which columns it looks at, how each becomes numbers, and what it predicts.
//
// A schema is found on training rows (fit_schema in encode.h), stored in the model file as JSON, and applied by column
// name to any later table. Encoding rules:
//
//   numeric      one feature `age`. Standardised: z = (x - mean) / sd, sd with ddof 0, of the known training cells.
//                Words may be numbers too, such as $1,234, and dates are several: each column has its reading
//                (reading.h).
//   categorical  one feature per level, `odor=f`, 1 where the cell is that level, else 0; levels sorted bytewise. Two
//                levels take one feature, the second level's: two opposed columns would make members look independent
//                for free. A level that training never saw is 0 in all of them, and counted. Rare levels of columns
//                with very many may be pooled (encode.h): they are read as levels that training never saw, but are not
//                counted as such.
//   missing      numeric: the empty cell, the words ? NA N/A NaN null in any letter case, and infinite numbers.
//                categorical: the empty cell only; there a word is a level (`?` is one in the mushroom table).
//                error:      a DataError with count, first place and the choices.
//                mean:       the training mean of each of the column's features (for a level: its share), and counted.
//                indicator:  numeric: the mean, and a feature `age=missing` that is 1. categorical: missing is one more
//                            level, the last, `odor=missing`. Only for columns with a missing cell in training; others
//                            as mean.
//                auto:       error here, and indicator by column.
//
// By column, for networks whose first layer is made of tables (column_table.h), every column is one feature of its own
// name: the number, standardised, or the index of the level. A missing cell is NaN, or the number of levels; a level
// that training never saw is -1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perpend/base/quantity.h"
#include "perpend/data/reading.h"

namespace perpend {

// What is predicted: a class, or a number. automatic looks at the target (fit_schema).
enum class Task { automatic, classify, regress };
enum class ColumnKind { numeric, categorical };
enum class Missing { error, mean, indicator, automatic };  // a schema has found out what automatic is

// The least and the largest number of a column in the rows that training was given.
struct NumberRange {
  double low = 0;
  double high = 0;

  // Compared as floats, because that is what networks see: 0.1 of a table of doubles is 0.1 of one of floats.
  bool contains(double x) const {
    return static_cast<float>(x) >= static_cast<float>(low) && static_cast<float>(x) <= static_cast<float>(high);
  }
  bool operator==(const NumberRange&) const = default;
};

// A column of the user's table that the model looks at. Of a column of dates there may be several.
struct InputColumn {
  std::string name;
  ColumnKind kind = ColumnKind::numeric;
  std::vector<std::string> levels;               // categorical: sorted bytewise
  Reading reading = {};                          // numeric: how a word is a number
  std::size_t pooled = 0;                        // categorical: rare levels of training that are none of `levels`
  std::vector<std::uint32_t> pooled_marks = {};  // theirs (pooled_levels.h); empty where there are too many to keep
  std::optional<NumberRange> range = {};         // numeric; nothing in older models, and without a known cell

  // The column of the table that it is made of: `when` for the input `when.month`.
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
  double fill = 0;               // x of a missing cell: the training mean of x (0 beside a missing level)
  double mean = 0;               // both 0 and 1 without standardisation
  double sd = 1;

  bool operator==(const Feature&) const = default;
};

struct Schema {
  std::string target;
  std::vector<std::string> classes;      // sorted: numbers by value, words bytewise; `positive` comes second of two
  std::optional<NumberTarget> quantity;  // of a regression, which has no classes
  Reading target_reading = {};           // of a regression: how a word such as $1,234 is a number
  std::vector<InputColumn> columns;      // in the table's order
  std::vector<Feature> features;         // in the order of columns
  std::vector<std::string>
      ignored;                // training columns that are not inputs (dropped, constant, id-like): not "extra" later
  std::string sample_weight;  // column of row weights, empty without
  Missing missing = Missing::error;
  bool by_column = false;  // one feature per column

  std::vector<std::string> feature_names() const;
  std::vector<std::size_t> level_counts() const;  // per column: its number of levels, 0 for numbers
  bool operator==(const Schema&) const = default;
};

// The first encoded column or class in which the two schemas differ, as a clause: "encoded column 2 is 'age' there and
// 'income' here". Networks of `there` would misread such a table. Nothing when inputs and outputs mean the same; means
// and sds may differ, as they do from table to table.
std::string first_difference(const Schema& there, const Schema& here);

// JSON text on one line; numbers come back with the same bits.
std::string schema_to_json(const Schema& schema);
// Throws ModelFileError when the text is not a schema that fit_schema could have found: unknown, doubled or absent
// keys, more than 1 MiB, indices out of range, features out of order or under another name, a column without a feature,
// statistics that no float cells have.
Schema schema_from_json(const std::string& text);

}  // namespace perpend
