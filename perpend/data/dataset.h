// A table that is ready for training: encoded numbers, class indices or target numbers, and names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/quantity.h"
#include "perpend/data/column_table.h"

namespace perpend {

struct Dataset {
  Inputs inputs;                          // (rows, features)
  std::vector<std::int32_t> labels;       // per row, an index into classes
  std::vector<std::string> classes;       // K >= 2 names; binary: classes[1] is the positive one
  std::vector<std::string> features;      // one name per column
  std::vector<float> weights;             // per row, >= 0; if empty, every row counts once
  std::vector<ColumnTable> columns = {};  // how each column of inputs enters a network; if empty, as its number
  // A regression has targets in place of labels and classes.
  std::optional<NumberTarget> quantity = {};
  std::vector<float> targets = {};  // per row, standardised

  // How many rows have a label or a target. They are the first rows.
  std::size_t labelled() const { return std::max(labels.size(), targets.size()); }
  std::size_t rows() const { return inputs.rows(); }
};

}  // namespace perpend
