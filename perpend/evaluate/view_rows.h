// What a report shows of an ensemble on sets of rows: curves, densities, pairs of members and the rows in dispute.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/data/schema.h"
#include "perpend/data/table.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/home.h"
#include "perpend/records/model_view.h"

namespace perpend {

struct RowSet {
  std::string name;
  const Table* table = nullptr;      // the cells of disputed rows are shown from it
  std::vector<std::uint32_t> rows;   // of the table
  Inputs inputs;                     // encoded, in the order of rows
  std::vector<std::int32_t> labels;  // empty: no labels
  bool measure = false;              // evaluate on these rows, if they have labels
  std::vector<float> targets = {};   // in a regression, in place of labels
  // The rows judged the members first, and then a refit trained the members on them. What is said of answers is then
  // taken from `home`, which has the answers to these rows from before, in their order. Null: it is left out.
  bool trained_since = false;
  const Home* home = nullptr;
};

// Every set has rows. Curves, gradients and pairs are those of sets[judged]. Disputed rows are, too, unless the last
// set comes after the judged one: then they are of the last set, because new rows need a look. No two of them are
// neighbours (distinct_rows.h). `named` are encoded features (features_named) whose gradients are shown even if their
// share is small.
RowsView view_rows(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                   std::span<const RowSet> sets, std::size_t judged, const Threads& threads,
                   std::span<const std::size_t> named = {});

// Returns the encoded features of these names, in their order. A column's name stands for all of its features, and a
// feature's name for itself. Letter case counts only where a name fits exactly. Throws DataError for a name that is not
// an input, and for more than 64 features.
std::vector<std::size_t> features_named(const Schema& schema, std::span<const std::string> names);

}  // namespace perpend
