// What changed in a column, in a few words: "median 3.2, was 1.1"; "41 % are 'red', was 3 %"; "30 % missing, was 2 %".
#pragma once

#include <cstddef>
#include <string>

#include "perpend/base/matrix.h"
#include "perpend/data/schema.h"
#include "perpend/records/home.h"

namespace perpend {

// The cell in the middle of a place of a column (records/home.h), in encoded units.
float typical_cell(const HomeColumn& home, const Schema& schema, std::size_t column, std::size_t place);

// Whether a cell of a number lies outside the range at home, or a level is one that the schema does not have.
bool is_beyond(const Schema& schema, std::size_t column, float cell);

// rows: encoded by column.
std::string change_text(const HomeColumn& home, const Schema& schema, std::size_t column, InputsView rows);

}  // namespace perpend
