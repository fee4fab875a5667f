// Small made-up data for tests.
#pragma once

#include <cmath>

#include "perpend/base/random.h"
#include "perpend/data/dataset.h"

namespace perpend::test {

// rows x features standard normal numbers. The binary label is x0 x1 + x2 / 2 > 0, where absent columns count as 1.
inline Dataset normal_data(std::size_t rows, std::size_t features, std::uint64_t seed, int classes = 2) {
  Dataset data;
  data.inputs = Inputs(rows, features);
  const Stream stream({.seed = seed, .purpose = Purpose::generate, .member = 0, .step = 0});
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t f = 0; f < features; ++f) {
      data.inputs(r, f) = static_cast<float>(stream.normal(r * features + f));
    }
    const auto x = [&](std::size_t f) { return f < features ? data.inputs(r, f) : 1.0F; };
    const float score = x(0) * x(1) + 0.5F * x(2);
    data.labels.push_back(classes == 2 ? (score > 0 ? 1 : 0)
                                       : static_cast<std::int32_t>(std::floor(std::abs(score) * 2)) % classes);
  }
  for (int k = 0; k < classes; ++k) data.classes.push_back(std::to_string(k));
  for (std::size_t f = 0; f < features; ++f) data.features.push_back("x" + std::to_string(f));
  return data;
}

// Columns of every kind in turn: numbers with many values, with two, with missing cells, and categories of 2 to 6
// levels, some with missing cells. The label depends on the first columns. Dataset::columns is fitted on the rows. The
// hash of the contract depends on these numbers (contract_test.cpp).
inline Dataset mixed_data(std::size_t rows, std::size_t columns, std::uint64_t seed, int bins = 4) {
  Dataset data = normal_data(rows, columns, seed);
  std::vector<std::size_t> levels(columns, 0);
  const Stream stream({.seed = seed, .purpose = Purpose::generate, .member = 1, .step = 0});
  for (std::size_t c = 0; c < columns; ++c) {
    if (c % 5 >= 3) levels[c] = 2 + c % 5;
    for (std::size_t r = 0; r < rows; ++r) {
      float& x = data.inputs(r, c);
      const float u = stream.uniform(r * columns + c);
      if (c % 5 == 1) x = x > 0 ? 1.0F : -1.0F;
      if (c % 5 == 2 && u < 0.2F) x = NAN;
      if (levels[c] > 0) x = std::floor(u * (static_cast<float>(levels[c]) + (c % 5 == 4 ? 0.5F : 0.0F)));
    }
  }
  data.columns = fit_columns(data.inputs.view(), levels, bins);
  return data;
}

}  // namespace perpend::test
