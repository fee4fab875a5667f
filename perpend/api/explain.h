// Which columns each member looks at, and which columns stand in for others: what `perpend explain` shows.
//
//     const perpend::Explained found = perpend::explain(model, perpend::read_table("loans.csv"), {.row = 16});
//     found.all.members[0].shares    per column: its part of the first member's gradient over all rows
//     found.row->members[0].shares   the same on row 16, where the first row is 0
//     found.all.substitutes          columns from which members reach the same answers without the others'
//
// evaluate/explain.h defines shares and substitutes, and says what they do not mean.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/table.h"
#include "perpend/evaluate/answers.h"
#include "perpend/evaluate/explain.h"

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
  std::vector<std::string> notes;     // about the manifold
};

// Throws DataError when a column is absent or there is no such row.
Explained explain(const TrainedModel& model, const Table& table, const ExplainOptions& options = {});

// "there is no row 3 in two.csv: it has 2 rows"; the first is 0.
std::string no_such_row(std::size_t row, const Table& table);

// "they disagree more than on 96 % of familiar rows"
std::string familiar_words(int percent_below);

// One JSON object, in which rows and members are counted from 1. Of all rows: rows, members (weight, columns with their
// shares, features), pairs and substitutes. By column, a category's feature has levels, where null is the missing cell.
// Of one row: its probability, prediction, disagreement and members.
std::string to_json(const Explained& found, const TrainedModel& model);

// CSV: a line per member and encoded feature. By column, a category's line is followed by one for each of its levels
// among the rows, `odor=f`, over the rows that have it.
std::string explanation_csv(const Explanation& explanation, const Schema& schema);

}  // namespace perpend
