// Has the world moved? New rows beside the rows at home: what `perpend monitor` prints.
//
//     const perpend::Monitoring found = perpend::monitor(model, perpend::read_table("october.csv"));
//     std::cout << found.summary << '\n' << found.advice << '\n';
//     for (const auto& column : found.columns) std::cout << column.name << ' ' << column.p_value << '\n';
//
// The model file is enough: it remembers how its columns were distributed and what its members answered on validation
// rows (records/home.h). The tests are those of evaluate/drift.h. All of them together give one p-value: three times
// the least of a column's adjusted p-value, that of the joint test and that of the answers. So like rows are called
// moved at most as often as `alarm` says. Of many rows a test sees moves too small to matter; how much each column's
// move changes the answers is therefore measured besides (evaluate/undone.h).
//
// A row is far from home where it has a level that training never saw, or a number outside the range at home. Rows are
// called far when they have moved and at least a quarter of them, beyond what chance gives, are far.
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
  // Windows over the rows in their order: a number of rows, or a column whose values name them; empty: none.
  std::string window = {};
  int threads = 0;  // 0: all
};

// Throws DataError for a table without rows or without a column, and ConfigError for a model that does not remember its
// columns: one of an older version, of the published recipe, or with plain features.
Monitoring monitor(const TrainedModel& model, const Table& table, const MonitorOptions& options = {});

// What to do next as commands to paste, for Monitoring::next: model and data as they were typed. is_target: the labels
// that were given are in the target's column. As calls in Python: those of a fitted `model`, new rows X_new, y_new.
std::vector<std::string> next_commands(const Monitoring& found, const std::string& model, const std::string& data,
                                       bool is_target);
std::vector<std::string> next_calls(const Monitoring& found);

// The verdict, the columns that moved, what is expected, and what to do: lines for a terminal.
std::string text_of(const Monitoring& found);

// One JSON object: rows, verdict, p_value, columns, disagreement, expected, advice, and more.
std::string to_json(const Monitoring& found);

}  // namespace perpend
