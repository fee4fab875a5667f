// What a trained model answers on new rows: what `perpend predict` writes and Python's predict methods return.
//
//     const perpend::Predictions answers = perpend::predict(model, perpend::read_table("new.csv"), {.abstain = 0.05});
//     for (std::size_t r = 0; r < answers.rows; ++r) {
//       if (answers.abstained[r]) continue;  // a row that is stranger than 95 % of the familiar ones
//       std::cout << model.schema.classes[answers.predicted[r]] << '\n';
//     }
//
// Rows are encoded and answered in blocks, so the memory is that of the answers; for a file larger than memory call
// predict per block of read_source_in_blocks. Blocks, threads and machines do not change a bit of an answer.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/encode.h"
#include "perpend/data/table.h"
#include "perpend/evaluate/answers.h"

namespace perpend {

struct PredictOptions {
  // Abstain on rows whose disagreement exceeds that of (1 - abstain) of the familiar rows, which are the model's
  // validation rows; from 0 to 1. Nothing: answer every row.
  std::optional<double> abstain = {};
  // Regression: an interval around each prediction that holds the target of this share of rows like the familiar ones
  // (records/run_summary.h); above 0 and below 1.
  std::optional<double> interval = {};
  bool members = false;  // keep the probabilities of each member
  int threads = 0;       // 0: all
};

struct Predictions : Answers {
  std::vector<bool> abstained;    // per row, where abstaining was asked for
  std::vector<double> low, high;  // per row, where an interval was asked for
  EncodeReport encoded;           // what encoding met; reports of blocks add up
  RowsUnlike unlike;              // the same per row
};

// Throws DataError when a column is absent, and ConfigError when abstaining is asked of a model without percentiles of
// disagreement (or of a share outside 0 to 1).
Predictions predict(const TrainedModel& model, const Table& table, const PredictOptions& options = {});

// What a user should know of predictions that are written to a file, one line each: what is odd about the cells, and
// classes whose names a spreadsheet would take for formulas.
std::vector<std::string> prediction_warnings(const TrainedModel& model, const EncodeReport& encoded);

// What was predicted, in two sentences: "Wrote 200 rows; 9 of them abstain. 3 rows have a level that training never
// saw, ..." abstained: nothing where abstaining was not asked for.
std::string prediction_counts(const EncodeReport& encoded, std::optional<std::size_t> abstained);

// One JSON object: rows, abstained (null where it was not asked for) and unlike_training.
std::string prediction_json(const EncodeReport& encoded, std::optional<std::size_t> abstained);

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
