// Partial dependence: how the answers change with one column (Friedman 2001).
//
//     curve(v) = mean over rows of the answer to the row with v in the column and every other cell as it is
//
// The answer is the probability of the second of two classes, or that of each class when there are more, or a
// regression's prediction in the target's units. There is one curve per member and one for the ensemble, whose decision
// includes calibration. Members of one ensemble agree on the rows. Their curves show where each goes when a column
// changes alone, which is where independent members differ. A linear member's curve for a number is a straight line.
//
// Points of a number are the values of the rows themselves, if there are at most kDependencePoints of them. Otherwise
// they are quantiles from the middle 95 %. Points of a category are its most frequent levels. Each part of a date has a
// curve of its own, `when` and `when.month`.
//
// The limit is that some of these rows may not exist. Where height follows age, the curve asks about a child of 1.90 m
// as about any other row, and the answer tells nothing about people. Look at where members' curves differ: there the
// rows have not decided.
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

// Returns the index into Schema::columns of the input with this name. Throws DataError where there is none.
std::size_t input_named(const Schema& schema, const std::string& name);

// Points come from all rows, and means from at most most_rows of them, evenly spread. Where no row has a known value,
// there are no points. There must be at least one row.
Dependence partial_dependence(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                              InputsView inputs, std::size_t column, const Threads& threads,
                              std::size_t most_rows = kDependenceRows);

}  // namespace perpend
