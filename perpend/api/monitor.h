// Has the world moved? Compares new rows with the rows at home: what `perpend monitor` prints.
//
//     const perpend::Monitoring found = perpend::monitor(model, perpend::read_table("october.csv"));
//     std::cout << found.summary << '\n' << found.advice << '\n';
//     for (const auto& column : found.columns) std::cout << column.name << ' ' << column.p_value << '\n';
//
// The model file is enough: it remembers how its columns were distributed and what its members answered on validation
// rows (records/home.h). Home is the rows that the model was trained and validated on.
//
// There are three tests (evaluate/drift.h): of each column, of all columns together, and of the answers. Each gives a
// p-value; that of the columns is the least one, adjusted for their number. The p-value of the whole is the smallest of
// the three, times three. So if nothing has changed, rows are called moved at most as often as `alarm` says: with 0.01,
// in 1 of 100 calls. With many rows, a test finds moves that are too small to matter. So perpend also measures how much
// each column's move changes the answers (evaluate/undone.h).
//
// A row is far from home if it has a level that training never saw, or a number outside the range at home. Chance alone
// makes a few rows far. Rows are called far if they have moved, and if the share of far rows is at least 25 percentage
// points above what chance gives.
#pragma once

#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/table.h"
#include "perpend/records/monitoring.h"

namespace perpend {

struct MonitorOptions {
  double alarm = 0.01;      // below this p-value rows are called moved; above 0 and below 1
  std::string labels = {};  // the column that has the rows' labels; empty: they have none
  // Splits the rows, in their order, into windows: a number of rows per window, or a column whose values name the
  // windows. Empty: no windows.
  std::string window = {};
  int threads = 0;  // 0: all
};

// Throws DataError for a table without rows or without a column, and ConfigError for a model that does not remember its
// columns: one of an older version, of the published recipe, or with plain features.
Monitoring monitor(const TrainedModel& model, const Table& table, const MonitorOptions& options = {});

// Returns what to do next, for Monitoring::next, as commands to paste: model and data are as they were typed.
// is_target: the labels that were given are in the target's column. next_calls has calls in Python: those of a fitted
// `model`, with new rows X_new and y_new.
std::vector<std::string> next_commands(const Monitoring& found, const std::string& model, const std::string& data,
                                       bool is_target);
std::vector<std::string> next_calls(const Monitoring& found);

// Returns lines for a terminal: the verdict, the columns that moved, what is expected, and what to do.
std::string text_of(const Monitoring& found);

// Returns one JSON object: rows, verdict, p_value, columns, disagreement, expected, advice, and more.
std::string to_json(const Monitoring& found);

}  // namespace perpend
