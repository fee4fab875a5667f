// What a raw column is. Part of fit_schema; the rules are in encode.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "perpend/data/encode.h"

namespace perpend {

struct FoundKind {
  ColumnKind kind = ColumnKind::numeric;
  Reading reading = {};  // of numbers
};

// Throws DataError when a word or a number beyond float range stands among numbers. `warnings` hears of mixed columns.
FoundKind find_kind(const Table& table, const Column& column, bool asked_categorical,
                    std::vector<std::string>& warnings);

// What the cells of a column in some rows say about dropping it.
struct ColumnTraits {
  bool constant = false;  // no two known cells differ (and none is missing beside a known one)
  bool id_like = false;
  bool has_missing = false;
};
// rows must ascend.
ColumnTraits column_traits(const Column& column, const FoundKind& found, Rows rows);

// For the option missing=error: throws DataError if the column has a missing or infinite cell anywhere in the table.
void refuse_missing(const Table& table, const Column& column, const FoundKind& found);

// A hash of the cells in the rows: columns with the same cells have the same fingerprint.
std::size_t fingerprint(const Column& column, Rows rows);

// Pairs of columns with the same cells in the rows, each column at most once. fingerprints: of these columns and rows.
std::vector<std::pair<std::string, std::string>> equal_columns(std::span<const Column* const> columns,
                                                               std::span<const std::size_t> fingerprints, Rows rows);

}  // namespace perpend
