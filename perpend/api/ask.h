// Chooses the rows of a new place that are worth a label: what `perpend ask` does.
//
//     const perpend::Table rows = perpend::read_table("new.csv");
//     const perpend::AskedRows asked = perpend::ask(model, rows, 32);
//     const std::string csv = perpend::csv_text(perpend::table_to_label(model, rows, asked));
//     // fill the empty column of labels, then perpend::adapt(model, perpend::read_table("labelled.csv"))
//
// evaluate/ask.h says how they are chosen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/encode.h"
#include "perpend/data/table.h"

namespace perpend {

struct AskedRows {
  std::vector<std::size_t> rows;      // numbers from 0, as they were drawn
  std::vector<std::string> warnings;  // about the table
  EncodeReport encoded;               // what encoding met
};

// threads: 0 for all. Throws DataError when the table has fewer rows than are asked for.
AskedRows ask(const TrainedModel& model, const Table& table, std::size_t count, int threads = 0);

// Returns the chosen rows with all their columns. A column `row` in front has their numbers, counted from 1. It is
// called `row_` where the table already has a `row`, and so on. A table without the target column gets an empty one at
// its end.
Table table_to_label(const TrainedModel& model, const Table& table, const AskedRows& asked);

// Returns the rows that were not chosen, as they are in the table. An adapted model is measured on them.
Table table_of_rest(const Table& table, const AskedRows& asked);

}  // namespace perpend
