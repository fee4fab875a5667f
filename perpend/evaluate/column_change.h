// What changed in a column, in a few words: "median 3.2, was 1.1"; "41 % are 'red', was 3 %"; "30 % missing, was 2 %".
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "perpend/base/matrix.h"
#include "perpend/data/schema.h"
#include "perpend/records/home.h"
#include "perpend/records/monitoring.h"

namespace perpend {

// Returns a typical cell of one place of a column (records/home.h): the one in its middle, in encoded units.
float typical_cell(const HomeColumn& home, const Schema& schema, std::size_t column, std::size_t place);

// Whether a cell of a number lies outside the range at home, or a level is one that the schema does not have.
bool is_beyond(const Schema& schema, std::size_t column, float cell);

// Many data sets write 0 or 999 where a number is missing, and a new place may do so where home did not. One number
// then stands out: it fills at least a tenth of the cells here. That is at least five times its share at home, and at
// least five times the share of any other number. At home only the bin that holds it was counted, so its share there is
// known as an upper bound. Columns of few numbers and dates are left out, because one of their numbers may well stand
// out. rows: encoded by column.
std::optional<PossibleGap> possible_gap(const HomeColumn& home, const Schema& schema, std::size_t column,
                                        InputsView rows);

// rows: encoded by column.
std::string change_text(const HomeColumn& home, const Schema& schema, std::size_t column, InputsView rows);

}  // namespace perpend
