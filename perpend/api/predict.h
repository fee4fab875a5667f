// What a trained model answers on new rows: what `perpend predict` writes and Python's predict methods return.
//
//     const perpend::Predictions answers = perpend::predict(model, perpend::read_table("new.csv"), {.abstain = 0.05});
//     for (std::size_t r = 0; r < answers.rows; ++r) {
//       if (answers.abstained[r]) continue;  // a row that is less sure than 95 % of the familiar ones
//       std::cout << model.schema.classes[answers.predicted[r]] << '\n';
//     }
//
// Rows are encoded and answered in blocks, so the memory is that of the answers; for a file larger than memory call
// predict per block of read_source_in_blocks. Blocks, threads and machines do not change a bit of an answer.
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
  // Abstain on rows that are less sure than (1 - abstain) of the familiar rows, which are the model's validation rows;
  // from 0 to 1. Nothing: answer every row. What tells a sure row is chosen on them (evaluate/abstain.h). Regressions,
  // and models that do not know what their members answered on these rows, go by the members' disagreement.
  std::optional<double> abstain = {};
  // In its place, abstain on so many rows that at most this share of the answered ones is wrong, as far as rows are
  // like the familiar ones; above 0 and below 1.
  std::optional<double> abstain_error = {};
  // Of classes: sets of them that hold the true one of this share of rows like the familiar ones
  // (evaluate/conformal.h); above 0 and below 1.
  std::optional<double> sets = {};
  // The sets are for rows like those of this table, which may differ from the familiar ones. A row's set then depends
  // on the table's other rows, so this alone is not for blocks of a file.
  bool weigh_sets = false;
  bool uncertainty = false;  // of classes: fill data_part and knowledge_part
  // Regression: an interval around each prediction that holds the target of this share of rows like the familiar ones
  // (records/run_summary.h); above 0 and below 1.
  std::optional<double> interval = {};
  bool members = false;  // keep the probabilities of each member
  int threads = 0;       // 0: all
};

struct Predictions : Answers {
  std::vector<bool> abstained;     // per row, where abstaining was asked for
  std::vector<std::uint8_t> sets;  // (rows, classes), where they were asked for: 1 where the class is in the set
  std::vector<double> low, high;   // per row, where an interval was asked for
  EncodeReport encoded;            // what encoding met; reports of blocks add up
  RowsUnlike unlike;               // the same per row
};

// Throws DataError when a column is absent, and ConfigError when abstaining, sets or uncertainty are asked of a model
// that cannot give them (or of a share outside its range).
Predictions predict(const TrainedModel& model, const Table& table, const PredictOptions& options = {});

// What a user should know of predictions that are written to a file, one line each: what is odd about the cells, and
// classes whose names a spreadsheet would take for formulas.
std::vector<std::string> prediction_warnings(const TrainedModel& model, const EncodeReport& encoded);

// What a user writes: a share of rows such as 0.05, or error=0.05.
void read_abstain(std::string_view text, PredictOptions& options);

// The rule by which predict abstains; one of both shares is given.
AbstainRule abstain_rule(const TrainedModel& model, const PredictOptions& options);

// What the rule is and what it promises, in one line.
std::string abstain_text(const TrainedModel& model, const PredictOptions& options);

// What was predicted, in two sentences: "Wrote 200 rows; 9 of them abstain. 3 rows have a level that training never
// saw, ..." abstained: nothing where abstaining was not asked for.
std::string prediction_counts(const EncodeReport& encoded, std::optional<std::size_t> abstained);

// One JSON object: rows, abstained (null where it was not asked for) and unlike_training.
std::string prediction_json(const EncodeReport& encoded, std::optional<std::size_t> abstained);

// One JSON object: signal, most, home_rows, answered, wrong, error_bound.
std::string abstain_json(const AbstainRule& rule);

// How good the model is on rows without labels, as far as it can tell (evaluate/expected.h).
ExpectedPerformance expected_performance(const TrainedModel& model, const Table& table, int threads = 0);
// From the members' scores of the rows.
ExpectedPerformance expected_performance(const TrainedModel& model, const Stack<float, axis::Row, axis::Score>& scores,
                                         int threads = 0);

// One JSON object: home_rows, rows, more_disagreement, moved, home (accuracy, auc, log_loss), accuracy, auc and
// log_loss (each low, mid and high, or null) and reason.
std::string expected_json(const ExpectedPerformance& expected);

// How the rows are unlike those of training, as one JSON object: unseen_rows, outside_rows (null where the model does
// not know the ranges), missing_cells, and the columns where any of it was met, with unseen, outside and missing cells.
std::string unlike_json(const EncodeReport& encoded);

// The rows' counts alone, without any answer.
RowsUnlike rows_unlike(const TrainedModel& model, const Table& table, EncodeReport* report = nullptr);

// How each member's score changes with its inputs: the log-odds, or with more than two classes those of the class that
// the member predicts against the rest.
struct Gradients {
  std::size_t members = 0, rows = 0, features = 0;
  std::vector<float> values;  // (members, rows, features)
  EncodeReport encoded;
};
Gradients input_gradients(const TrainedModel& model, const Table& table, int threads = 0);

// Encoded rows of a table in blocks: use(first row, inputs). What encoding met is returned, and per row in `unlike`.
EncodeReport for_each_encoded_block(const TrainedModel& model, const Table& table,
                                    const std::function<void(std::size_t, InputsView)>& use,
                                    RowsUnlike* unlike = nullptr);

}  // namespace perpend
