// What a trained model answers on new rows: what `perpend predict` writes and Python's predict methods return.
//
//     const perpend::Predictions answers = perpend::predict(model, perpend::read_table("new.csv"), {.abstain = 0.05});
//     for (std::size_t r = 0; r < answers.rows; ++r) {
//       if (answers.abstained[r]) continue;  // a row that is less sure than 95 % of the familiar ones
//       std::cout << model.schema.classes[answers.predicted[r]] << '\n';
//     }
//
// Rows are encoded and answered in blocks, so only the answers take memory. For a file larger than memory, call predict
// for each block of read_source_in_blocks. Blocks, threads and machines do not change a bit of an answer.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/encode.h"
#include "perpend/data/table.h"
#include "perpend/evaluate/abstain.h"
#include "perpend/evaluate/answers.h"
#include "perpend/evaluate/expected.h"

namespace perpend {

struct PredictOptions {
  // 0.05: abstain on each row that is less sure than 95 % of the familiar rows. These are the model's validation rows.
  // From 0 to 1; nothing: answer every row. How sure a row is, is measured by the signal that works best on the
  // familiar rows (evaluate/abstain.h). Two kinds of models always take the members' disagreement as this signal:
  // regressions, and models that do not remember their members' answers on the familiar rows.
  std::optional<double> abstain = {};
  // Instead of abstaining on a given share of rows, abstain on as many rows as needed so that at most this share of the
  // answered rows is wrong. This holds for rows like the familiar ones. Above 0 and below 1.
  std::optional<double> abstain_error = {};
  // For classes: return sets of classes. A set holds the true class for this share of rows like the familiar ones
  // (evaluate/conformal.h). Above 0 and below 1.
  std::optional<double> sets = {};
  // Make the sets right for rows like those of this table, which may differ from the familiar ones. A row's set then
  // depends on the table's other rows, so this cannot be used for blocks of a file.
  bool weigh_sets = false;
  bool uncertainty = false;  // for classes: fill data_part and knowledge_part
  // For a regression: return an interval around each prediction. It holds the target for this share of rows like the
  // familiar ones (records/run_summary.h). Above 0 and below 1.
  std::optional<double> interval = {};
  bool members = false;  // keep the probabilities of each member
  int threads = 0;       // 0: all
};

struct Predictions : Answers {
  std::vector<bool> abstained;     // per row, where abstaining was asked for
  std::vector<std::uint8_t> sets;  // (rows, classes), where they were asked for: 1 where the class is in the set
  std::vector<double> low, high;   // per row, where an interval was asked for
  EncodeReport encoded;            // what encoding met; reports of blocks add up
  RowsUnlike unlike;               // per row, in how many columns it is unlike the training rows
};

// Throws DataError when a column is absent. Throws ConfigError when abstaining, sets or uncertainty are asked of a
// model that cannot give them, and for a share outside its range.
Predictions predict(const TrainedModel& model, const Table& table, const PredictOptions& options = {});

// Returns what a user should know about predictions that are written to a file, one line each: what is odd about the
// cells, and classes whose names a spreadsheet would take for formulas.
std::vector<std::string> prediction_warnings(const TrainedModel& model, const EncodeReport& encoded);

// Reads what a user writes: a share of rows such as 0.05, or error=0.05.
void read_abstain(std::string_view text, PredictOptions& options);

// Returns the rule by which predict abstains. One of the two shares must be given.
AbstainRule abstain_rule(const TrainedModel& model, const PredictOptions& options);

// Says what the rule is and what it promises, in one line.
std::string abstain_text(const TrainedModel& model, const PredictOptions& options);

// Says what was predicted, in two sentences: "Wrote 200 rows; 9 of them abstain. 3 rows have a level that training
// never saw, ..." abstained: how many rows abstain, or nothing where abstaining was not asked for.
std::string prediction_counts(const EncodeReport& encoded, std::optional<std::size_t> abstained);

// Returns one JSON object: rows, abstained (null where it was not asked for) and unlike_training.
std::string prediction_json(const EncodeReport& encoded, std::optional<std::size_t> abstained);

// Returns one JSON object: signal, most, home_rows, answered, wrong, error_bound.
std::string abstain_json(const AbstainRule& rule);

// Estimates how good the model is on rows without labels (evaluate/expected.h).
ExpectedPerformance expected_performance(const TrainedModel& model, const Table& table, int threads = 0);
// Estimates the same where you already have the members' scores of these rows, so that they are not computed again.
ExpectedPerformance expected_performance(const TrainedModel& model, const Stack<float, axis::Row, axis::Score>& scores,
                                         int threads = 0);

// Returns one JSON object: home_rows, rows, more_disagreement, moved, home (accuracy, auc, log_loss), accuracy, auc and
// log_loss (each low, mid and high, or null) and reason.
std::string expected_json(const ExpectedPerformance& expected);

// Returns one JSON object that says how the rows are unlike those of training: unseen_rows, outside_rows (null where
// the model does not know the ranges) and missing_cells. It lists the columns where any of these were met, with their
// unseen, outside and missing cells.
std::string unlike_json(const EncodeReport& encoded);

// Counts the unlike rows alone, without any answer.
RowsUnlike rows_unlike(const TrainedModel& model, const Table& table, EncodeReport* report = nullptr);

// How each member's score changes with its inputs, at each row. With two classes the score is the log-odds of the
// second. With more, it is the log-odds of the class that the member predicts against the rest.
struct Gradients {
  std::size_t members = 0, rows = 0, features = 0;
  std::vector<float> values;  // (members, rows, features)
  EncodeReport encoded;
};
Gradients input_gradients(const TrainedModel& model, const Table& table, int threads = 0);

// Encodes the rows of a table in blocks and calls use(first row, inputs) for each block. Returns what encoding met.
// `unlike` gets, per row, in how many columns the row is unlike the training rows.
EncodeReport for_each_encoded_block(const TrainedModel& model, const Table& table,
                                    const std::function<void(std::size_t, InputsView)>& use,
                                    RowsUnlike* unlike = nullptr);

}  // namespace perpend
