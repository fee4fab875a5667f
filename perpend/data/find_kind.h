// Finds the kind of a raw column. It is a part of fit_schema, and the rules are in encode.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "perpend/data/encode.h"

namespace perpend {

struct FoundKind {
  ColumnKind kind = ColumnKind::numeric;
  Reading reading = {};  // how words are read as numbers
};

// Throws DataError if a word, or a number beyond float range, stands among numbers. It adds a warning for a mixed
// column.
FoundKind find_kind(const Table& table, const Column& column, bool asked_categorical,
                    std::vector<std::string>& warnings);

// Properties of a column's cells in some rows. They decide whether it is dropped.
struct ColumnTraits {
  bool constant = false;  // no two known cells differ (and none is missing beside a known one)
  bool id_like = false;
  bool has_missing = false;
};
// rows must ascend.
ColumnTraits column_traits(const Column& column, const FoundKind& found, Rows rows);

// For the option missing=error: throws DataError if the column has a missing or infinite cell anywhere in the table.
void refuse_missing(const Table& table, const Column& column, const FoundKind& found);

// A hash of the cells in the rows. Columns with the same cells have the same fingerprint.
std::size_t fingerprint(const Column& column, Rows rows);

// Pairs of columns with the same cells in the rows, each column at most once. `fingerprints` has that of each column in
// these rows.
std::vector<std::pair<std::string, std::string>> equal_columns(std::span<const Column* const> columns,
                                                               std::span<const std::size_t> fingerprints, Rows rows);

}  // namespace perpend
