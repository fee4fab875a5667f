// Turns a raw table into the numbers that a network takes. A schema says how.
//
// fit_schema looks at the whole table to find the kinds of its columns and the classes. Every statistic (means, levels,
// constant columns) comes only from the rows that it is given, which are the training rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/dataset.h"
#include "perpend/data/schema.h"
#include "perpend/data/table.h"

namespace perpend {

using Rows = std::span<const std::uint32_t>;  // row numbers of a table, in the order they are wanted
std::vector<std::uint32_t> all_rows(const Table& table);

struct SchemaOptions {
  std::string target = {};
  Task task = Task::automatic;
  RegressionLoss loss = {};                   // the loss of a regression
  std::string positive = {};                  // the class that comes second of two; if empty, their order decides
  std::string sample_weight = {};             // a column of weights >= 0, which is then not an input
  std::vector<std::string> categorical = {};  // columns of numbers that are codes
  std::vector<std::string> drop = {};         // columns that are not inputs
  std::vector<std::string> keep = {};         // constant or id-like columns that stay inputs
  Missing missing = Missing::automatic;
  bool by_column = false;            // one feature per column, for networks whose first layer is made of tables
  bool standardize = true;           // scales numeric features to mean 0 and sd 1
  bool standardize_one_hot = false;  // scales all other features too, as in the paper's arrays

  bool operator==(const SchemaOptions&) const = default;
};

struct DroppedColumn {
  std::string name;
  enum class Reason { asked, constant, id_like, empty, rare } reason = Reason::asked;
};

// Decisions of fit_schema that a user should know.
struct FitReport {
  std::vector<DroppedColumn> dropped;
  std::vector<std::string> warnings;  // one line each: dropped columns, equal columns, mixed columns, readings
};

constexpr std::size_t kManyLevels = 100;
constexpr std::size_t kFewRows = 10;  // as many as the smallest leaf of a tree

// Kinds. A column is categorical if the options say so, if the file declares it (ARFF), or if most of its cells are
// words that do not mean "missing" and are not numbers as people write them (reading.h). Every other column is numeric,
// and a word in it is a DataError that names line, column, value and the choices.
//
// Dropped columns. Constant columns and id-like columns are dropped with a warning unless the options keep them. An
// id-like column has at least 20 rows, and 95 % of its values differ. They are words, or integers with one more sign:
// they never decrease from row to row, or they fill at least half of their range, or the name of the column ends in
// `id`. A categorical column without a value in the training rows is dropped even if the options keep it, because no
// feature can be made from it (unless missing is indicator).
//
// Many levels. If a category has more than kManyLevels levels, those with fewer than kFewRows training rows are pooled.
// They are not levels of the schema, and such a cell is read like a level that training never saw. A column is dropped
// if all of its levels are that rare. A warning reports both, and `keep` keeps every level. Labels play no part in it.
//
// The target. `automatic` chooses a regression if the target has numbers only and either more than kMostNumberClasses
// different ones, or fractions that differ in more than half of the rows. A warning says so. Another warning says if
// six different numbers or more are classes. Numbers may be written for people ($1,234), but not as dates. For classes,
// a missing label, a single class and more than 1,000 classes are DataErrors. For a regression, a missing target, a
// word and a target that never changes are DataErrors.
Schema fit_schema(const Table& table, Rows rows, const SchemaOptions& options, FitReport* report = nullptr);

// Widens the ranges of the columns so that they include these rows. A training holds out some of its own rows to stop
// early, and these rows should not count as outside.
void widen_ranges(const Table& table, Rows rows, Schema& schema);

// Finds only the target, its classes or its mean and sd (of all rows), and the column of weights. encode_labels,
// encode_targets and most splits need no more.
Schema fit_classes(const Table& table, const SchemaOptions& options);

struct ColumnCount {
  std::string column;
  std::size_t count = 0;
  std::string first_place;  // loans.csv:4182
  std::string first_value;

  bool operator==(const ColumnCount&) const = default;
};

// What encoding found in the cells. Add the reports of several blocks with operator+=.
struct EncodeReport {
  std::vector<ColumnCount> filled;   // missing or infinite cells
  Missing missing = Missing::error;  // how the model reads them
  std::vector<ColumnCount> unseen;   // levels that training never saw, read as zeros
  std::vector<ColumnCount> untold;   // levels that were rare in training or are new; the model has no marks to tell
  std::vector<ColumnCount> outside;  // numbers outside the range of the training rows
  std::vector<std::string> extra;    // columns that the schema does not know, but for ask's row numbers; not read

  std::size_t rows = 0;
  std::size_t unseen_rows = 0;              // rows with a level that training never saw in at least one column
  std::optional<std::size_t> outside_rows;  // rows outside in at least one column; nothing if the model has no ranges

  EncodeReport& operator+=(const EncodeReport& next);
  std::size_t missing_cells() const;
  std::vector<std::string> warnings() const;  // one line each; the same about several columns is one line
};

// The same per row: in how many columns of the table each row is unlike the training rows.
struct RowsUnlike {
  std::vector<std::uint32_t> unseen;   // levels that training never saw
  std::vector<std::uint32_t> outside;  // numbers outside the range of the training rows; a date counts once
  std::vector<std::uint32_t> missing;  // missing or infinite cells

  void append(const RowsUnlike& next);
};

// Writes the labels of the rows, or the targets of a regression, into data.
void add_labels(const Table& table, const Schema& schema, Rows rows, Dataset& data);

// Inputs, labels (or targets) and weights of the rows. Columns are matched by name; their order does not matter. An
// absent column, a label that is not a class and a negative weight are DataErrors.
Dataset encode(const Table& table, const Schema& schema, Rows rows, EncodeReport* report = nullptr);

// The inputs alone, for tables without labels.
Inputs encode_inputs(const Table& table, const Schema& schema, Rows rows, EncodeReport* report = nullptr,
                     RowsUnlike* unlike = nullptr);

// The inputs before they are rounded to float32; encode_inputs gives static_cast<float> of each.
Matrix<double, axis::Row, axis::Feature> encode_doubles(const Table& table, const Schema& schema, Rows rows,
                                                        EncodeReport* report = nullptr);

// Class indices of the rows.
std::vector<std::int32_t> encode_labels(const Table& table, const Schema& schema, Rows rows);

// Targets of the rows, not standardised. An absent, missing or infinite one is a DataError.
std::vector<double> encode_targets(const Table& table, const Schema& schema, Rows rows);

// Weights of the rows; empty if the schema has none or the table lacks their column.
std::vector<float> encode_weights(const Table& table, const Schema& schema, Rows rows);

}  // namespace perpend
