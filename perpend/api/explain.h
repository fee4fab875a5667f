// Which columns each member looks at, and which columns stand in for others: what `perpend explain` shows.
//
//     const perpend::Explained found = perpend::explain(model, perpend::read_table("loans.csv"), {.row = 16});
//     found.all.members[0].shares    per column: its part of the first member's gradient over all rows
//     found.row->members[0].shares   the same on row 16, where the first row is 0
//     found.all.substitutes          columns from which members reach the same answers without the others'
//
//     perpend::permutation_importance(model, table).columns[0].increase   what the loss grows by without this column
//     perpend::partial_dependence(model, table, "age").curves[0]          how the answers change with it
//
// evaluate/explain.h defines shares and substitutes, and says what they do not mean.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/encode.h"
#include "perpend/data/table.h"
#include "perpend/evaluate/answers.h"
#include "perpend/evaluate/explain.h"
#include "perpend/records/importance.h"

namespace perpend {

struct ExplainOptions {
  std::string manifold = {};            // as for evaluate
  std::optional<std::size_t> row = {};  // explain this row beside all of them; the first is 0
  int threads = 0;                      // 0: all
};

struct RowExplained {
  std::size_t row = 0;
  Answers answer;  // of this row alone, with those of the members
  std::vector<MemberExplanation> members;
  std::optional<int> familiar_percent;  // percent of familiar rows that disagree less; nothing where it is not known
};

struct Explained {
  std::size_t rows = 0;
  Explanation all;
  std::optional<RowExplained> row;
  std::vector<std::string> warnings;  // about the table
  EncodeReport encoded;               // what encoding met
  std::vector<std::string> notes;     // about the manifold
};

// Throws DataError when a column is absent or there is no such row.
Explained explain(const TrainedModel& model, const Table& table, const ExplainOptions& options = {});

struct PermuteOptions {
  int repeats = 5;  // how often each column is shuffled
  int threads = 0;  // 0: all
};

// Says what each column of the table is worth (evaluate/permutation.h). The shuffles are those of seed 0. Throws
// DataError when the table has no labels or no rows, and ConfigError when repeats is not from 2 to 1,000.
ColumnsWorth permutation_importance(const TrainedModel& model, const Table& table, const PermuteOptions& options = {},
                                    EncodeReport* report = nullptr);

// Says how the answers change with one input of the model (evaluate/dependence.h). Labels are not needed. Throws
// DataError when the model has no such input, or when no row has a known value of it.
Dependence partial_dependence(const TrainedModel& model, const Table& table, const std::string& column, int threads = 0,
                              EncodeReport* report = nullptr);

// Returns "there is no row 3 in two.csv: it has 2 rows". The first row is 0.
std::string no_such_row(std::size_t row, const Table& table);

// Returns "they disagree more than on 96 % of familiar rows".
std::string familiar_words(int percent_below);

// Returns one JSON object, in which rows and members are counted from 1. For all rows it has rows, unlike_training
// (predict.h), members (weight, columns with their shares, features), pairs and substitutes. If the explanation is by
// column, the feature of a category has levels, where null is the missing cell. For one row it has its probability,
// prediction, disagreement and members.
std::string to_json(const Explained& found, const TrainedModel& model);

// Returns one JSON object: loss_name, loss (before), member_losses, rows (shuffled), of_rows (all), repeats, and
// columns in the table's order: column, increase, standard_error, seen (whether it is beyond two standard errors),
// members (each member's increase), least and most of these.
std::string to_json(const ColumnsWorth& worth);
// Returns one JSON object: column, kind (number or category), rows (that means are over), of_rows, points (numbers, or
// levels, where null is the missing cell) and curves: class (null for a number), ensemble and members, with one mean
// per point.
std::string to_json(const Dependence& found);

// Returns CSV with the columns column,who,increase,standard_error. It has one line per column and `who`, which is the
// ensemble or a member's number. Members have no standard error.
std::string worth_csv(const ColumnsWorth& worth);
// Returns CSV with the columns column,value,class,who,mean. It has one line per class, point and `who`. The missing
// cell is empty.
std::string dependence_csv(const Dependence& found);

// Returns CSV with one line per member and encoded feature. If the explanation is by column, a category's line is
// followed by one line per level among the rows, `odor=f`, over the rows that have it.
std::string explanation_csv(const Explanation& explanation, const Schema& schema);

}  // namespace perpend
