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
#include "perpend/records/model_view.h"

namespace perpend {

struct RowSet {
  std::string name;
  const Table* table = nullptr;      // cells of disputed rows are shown from here
  std::vector<std::uint32_t> rows;   // of the table
  Inputs inputs;                     // encoded, in the order of rows
  std::vector<std::int32_t> labels;  // empty: no labels
  bool measure = false;              // evaluate here (where there are labels)
  std::vector<float> targets = {};   // of a regression, in place of labels
};

// Sets have rows. Curves, gradients and pairs are of sets[judged]; disputed rows too, or of the last set when it comes
// after the judged one: what is new is what one has to look at. No two of them are neighbours (distinct_rows.h).
// `named` are encoded features (features_named) whose gradients are wanted whatever their share.
RowsView view_rows(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                   std::span<const RowSet> sets, std::size_t judged, const Threads& threads,
                   std::span<const std::size_t> named = {});

// The encoded features of these names, in their order: a column's name stands for all of its features, a feature's for
// itself. Letter case counts only where a name fits exactly. Throws DataError for what is no input, and for more than
// 64 features.
std::vector<std::size_t> features_named(const Schema& schema, std::span<const std::string> names);

}  // namespace perpend
