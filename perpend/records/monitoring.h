// What `monitor` finds when it compares new rows with the rows at home, as plain values. api/monitor.h makes them, and
// text, JSON and reports show them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/records/evaluation.h"

namespace perpend {

// like: no test says that the rows differ from those at home. moved: the rows differ. far: they differ, and so many of
// them lie beyond anything seen at home that home says little about them.
enum class Verdict { like, moved, far };
std::string_view word_of(Verdict verdict);

// A number that is far more frequent in a column than at home and than any other number. It may stand for missing.
struct PossibleGap {
  std::string value;     // as the table has it: "0"
  double share = 0;      // of the cells here
  double home_most = 0;  // an upper bound of its share at home; 0: no cell there was it

  bool operator==(const PossibleGap&) const = default;
};

struct MonitoredColumn {
  std::string name;
  double drift = 0;         // how far it moved, from 0 to 1 (evaluate/drift.h)
  double p_value = 1;       // adjusted for the number of columns
  std::size_t outside = 0;  // cells here outside the range at home
  std::size_t unseen = 0;   // cells here whose level training never saw
  std::size_t missing = 0;  // missing cells here
  std::string change = {};  // in words: "median 3.2, was 1.1"
  std::optional<PossibleGap> gap = {};
  // For a column that moved: by how much its move changes the ensemble's answers.
  std::optional<double> matters = {};
  std::vector<double> members = {};  // the same per member
};

// What is expected of a metric without labels, and how far it may be off.
struct ExpectedMetric {
  double low = 0, mid = 0, high = 0;

  bool operator==(const ExpectedMetric&) const = default;
};

// A row to look at first.
struct NotedRow {
  std::size_t number = 0;  // from 1
  std::string place;       // loans.csv:18
  double disagreement = 0;
  std::vector<std::string> columns;  // in which it lies outside anything seen at home
};

// A window of rows.
struct MonitoredWindow {
  std::string name;
  std::size_t first = 0, rows = 0;  // first: from 1
  double p_value = 1;
  double disagreement = 0;
  Metric accuracy;  // where labels were given; in a regression R^2
};

// From this row on, something is different from before.
struct ChangePoint {
  std::size_t row = 0;  // from 1
  std::string measure;  // "error" or "disagreement"
  double before = 0, after = 0;
};

struct Monitoring {
  std::size_t rows = 0;
  Verdict verdict = Verdict::like;
  double p_value = 1;                         // of all tests together
  double joint_p_value = 1;                   // of the test of all columns at once
  double answers_p_value = 1;                 // of the test of the members' answers
  double alarm = 0;                           // below it rows are called moved
  std::vector<MonitoredColumn> columns = {};  // what matters most first, then the smallest p-value

  std::size_t unseen_rows = 0, outside_rows = 0, missing_cells = 0;
  bool regression = false;
  double disagreement_home = 0, disagreement_new = 0;                    // means
  double doubt_home = 0, doubt_new = 0;                                  // means of 1 - the largest probability
  std::optional<ExpectedMetric> accuracy = {}, auc = {}, log_loss = {};  // without labels
  std::optional<Evaluation> measured = {};                               // with labels
  // The figures that the measured ones are compared with: of test rows if these were drawn like the training rows, else
  // of validation rows. So they are never those of rows from another place or time, which may be the new rows
  // themselves.
  std::optional<Scores> at_home = {};
  std::string home_part = {};  // "test", "validation" or "training": the rows of at_home
  std::size_t home_rows = 0;
  // These rows, too, lie beyond the training rows (split by-column and extrapolation). Then figures that are no worse
  // do not say that the move cost nothing.
  bool home_is_beyond = false;
  std::vector<NotedRow> look = {};
  std::vector<MonitoredWindow> windows = {};
  std::vector<ChangePoint> changes = {};
  std::string summary = {};            // the verdict in one or two sentences
  std::string advice = {};             // what to do next
  std::vector<std::string> next = {};  // the same as commands or calls to paste; empty: nothing to do, or not known

  std::size_t moved_columns() const;
  // "the 120 validation rows of the training's table".
  std::string rows_at_home() const;
  // Whether AUC or R^2 is lower here by more than a small change. Needs labels.
  bool is_worse() const;
  // Whether the rows moved, and the measured figures have none at home to be compared with.
  bool cannot_compare() const { return verdict != Verdict::like && home_is_beyond; }
};

}  // namespace perpend
