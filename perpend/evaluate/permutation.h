// What each column is worth: how much worse the ensemble answers when the column's cells are shuffled among the rows
// (Breiman 2001; Fisher, Rudin and Dominici 2019).
//
//     increase = mean over repeats of (loss with the column shuffled - loss of the rows as they are)
//
// The loss is what was trained for: the log-loss for classes, and for a number the mean of the squared error, of
// |error| or of the pinball loss, in the target's units. The ensemble's loss is that of its decision, calibration
// included. Each member's loss is its own. So one sees which members a column serves: independent members rely on
// different ones.
//
// One permutation of the rows moves all features of a column of the user's table: the levels of a category, the
// indicator of a missing cell, the parts of a date. Each column and repeat has a random stream of its own, so the
// figures depend only on the seed.
//
// Shares of gradients (explain.h) ask what moves the score near the rows. This asks what the answers lose, and needs
// labels. It has two limits. Columns that stand in for one another share their worth or hide it, because one still
// tells what the other loses. And the standard error is over shuffles of these rows; other rows would differ by more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/data/schema.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/importance.h"

namespace perpend {

constexpr std::size_t kPermutedRows = 2000;

struct PermutationOptions {
  std::size_t repeats = 5;  // at least 2, because one shuffle has no spread
  std::uint64_t seed = 0;
  std::size_t most_rows = kPermutedRows;  // of more, this many are taken, evenly spread
  std::vector<std::size_t> columns = {};  // which of table_columns(schema), ascending; empty: all
};

// Rows with what is known of them, one each: classes, or standardised targets.
struct JudgedRows {
  InputsView inputs;
  std::span<const std::int32_t> labels;
  std::span<const float> targets;
};

// There must be at least one row.
ColumnsWorth permutation_importance(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                                    const JudgedRows& rows, const PermutationOptions& options, const Threads& threads);

}  // namespace perpend
