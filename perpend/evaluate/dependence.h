// Partial dependence: how the answers change with one column (Friedman 2001).
//
//     curve(v) = mean over rows of the answer to the row with v in the column, and every other cell as it is
//
// The answer is the probability of the second of two classes, of more classes that of each, and of a regression the
// prediction in the target's units. There is one curve per member and one of the ensemble, whose decision includes
// calibration. Members of one ensemble agree on the rows; their curves show where each goes when a column changes
// alone, which is where independent members part. A linear member's prediction of a number has a straight line.
//
// Points: of a number the values of the rows themselves, all of them where there are at most kDependencePoints, else
// quantiles from the middle 95 %; of a category the most frequent levels. Of a date each part has a curve of its
// own, `when` and `when.month`.
//
// The limit: rows are asked about that may not exist. Where height follows age, a child of 1.90 m is asked about like
// any other row, and what the ensemble says of it tells nothing about people. Look at members' curves where they part:
// there the rows have not decided.
#pragma once

#include <cstddef>
#include <string>

#include "perpend/base/parallel.h"
#include "perpend/data/schema.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/importance.h"

namespace perpend {

constexpr std::size_t kDependencePoints = 20;
constexpr std::size_t kDependenceRows = 500;

// The input of this name, an index into Schema::columns. Throws DataError where there is none.
std::size_t input_named(const Schema& schema, const std::string& name);

// Points come from all rows, means from at most most_rows of them, evenly spread. Where no row has a known value, there
// are no points. At least one row.
Dependence partial_dependence(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                              InputsView inputs, std::size_t column, const Threads& threads,
                              std::size_t most_rows = kDependenceRows);

}  // namespace perpend
