// Arrays of NumPy: X.npy with the features, y.npy with the labels.
//
// Format versions 1.0 to 3.0; bool, int8..int64, uint8..uint64, float32 and float64, little-endian, C or Fortran order.
// X is (rows, columns) or (rows,), y is (rows,) or (rows, 1). Columns are called x0, x1, ...; labels become the column
// `target`. NaN is a missing cell. Object arrays (which hold pickled code), big-endian, complex and structured arrays
// are refused, and so is a file whose size differs from its header's promise: nothing is allocated before that is
// checked.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/data/bytes.h"
#include "perpend/data/table.h"

namespace perpend {

Table read_npy(const std::string& inputs_path);
Table read_npy(const std::string& inputs_path, const std::string& labels_path);
Table read_npy(ByteSource inputs);
Table read_npy(ByteSource inputs, ByteSource labels);

// An array of any number of axes as plain numbers, in C's order whatever the file's; all must be finite as float32.
struct NpyNumbers {
  std::vector<std::size_t> shape;
  std::vector<float> values;
};
NpyNumbers read_npy_numbers(const std::string& path);

}  // namespace perpend
