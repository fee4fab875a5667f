// Columns cut into at most 256 bins, with one byte per cell. The growing of trees sees nothing else of a table.
//
// A number has up to 255 bins between thresholds, and the last bin is for missing cells. If it has more values than
// bins, the thresholds are quantiles by weight. A category has one bin per code, at index code + 1 (tree.h says what a
// code is). If there are more than 256 codes, the rarer ones share bin 0 with the levels that training never saw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/aligned.h"
#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/data/column_table.h"

namespace perpend {

constexpr std::size_t kMostTreeBins = 256;
// Cells of eight columns are stored together, so that one load has a row's bins of all of them.
constexpr std::size_t kBlockColumns = 8;

struct ColumnBins {
  bool is_category = false;
  std::vector<float> thresholds = {};          // numbers: bin b has the values in (thresholds[b - 1], thresholds[b]]
  std::vector<std::uint8_t> bin_of_code = {};  // categories: by code + 1
  std::size_t count = 0;                       // number of bins
};

struct BinnedRows {
  std::size_t rows = 0;
  std::vector<ColumnBins> columns = {};
  AlignedVector<std::uint64_t> cells = {};  // (blocks of columns, rows): byte c of a word is column 8 block + c

  std::size_t blocks() const { return (columns.size() + kBlockColumns - 1) / kBlockColumns; }
  const std::uint64_t* block(std::size_t b) const { return cells.data() + b * rows; }
};

// `tables` say which columns are categories; empty: none is. `weights` has one entry per row; empty: every row counts
// once. `bins` is the largest number of bins of a number, from 2 to 255.
BinnedRows bin_rows(InputsView rows, std::span<const ColumnTable> tables, std::span<const float> weights,
                    std::size_t bins, const Threads& threads);

}  // namespace perpend
