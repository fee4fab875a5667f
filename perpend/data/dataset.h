// A table ready for training: encoded numbers, class indices, names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/column_table.h"

namespace perpend {

struct Dataset {
  Inputs inputs;                          // (rows, features)
  std::vector<std::int32_t> labels;       // per row, an index into classes
  std::vector<std::string> classes;       // K >= 2 names; binary: classes[1] is the positive one
  std::vector<std::string> features;      // a name per column
  std::vector<float> weights;             // per row, >= 0; empty: every row counts once
  std::vector<ColumnTable> columns = {};  // how each column of inputs enters a network; empty: as the number it is

  std::size_t rows() const { return inputs.rows(); }
};

}  // namespace perpend
