// Reads arrays of NumPy: X.npy with the features, y.npy with the labels.
//
// It reads the format versions 1.0 to 3.0 and the types bool, int8..int64, uint8..uint64, float32 and float64,
// little-endian, in C or Fortran order. X is (rows, columns) or (rows,), y is (rows,) or (rows, 1). Columns are called
// x0, x1, ..., and labels become the column `target`. NaN is a missing cell. Object arrays (which hold pickled code),
// big-endian, complex and structured arrays are refused. So is a file whose size differs from what its header says. The
// size is checked before anything is allocated.
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

// An array of any number of axes as plain numbers. They are in C order, whatever the order of the file. All must be
// finite as float32.
struct NpyNumbers {
  std::vector<std::size_t> shape;
  std::vector<float> values;
};
NpyNumbers read_npy_numbers(const std::string& path);

}  // namespace perpend
