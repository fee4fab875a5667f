// Rows that trees can learn something from: numbers with gaps, a category of few levels and one of many.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/random.h"
#include "perpend/data/column_table.h"
#include "perpend/trees/boost.h"

namespace perpend::test {

inline constexpr std::size_t kMadeColumns = 11;
inline constexpr std::size_t kFewLevelsColumn = 3;   // 3 levels
inline constexpr std::size_t kManyLevelsColumn = 4;  // 40 levels
inline constexpr std::size_t kGapsColumn = 5;

struct MadeRows {
  Inputs inputs;
  std::vector<std::int32_t> labels;
  std::vector<float> targets;
  std::vector<float> weights = {};

  TreeRows view() const { return {inputs.view(), labels, targets, weights}; }
};

inline std::vector<ColumnTable> made_tables() {
  std::vector<ColumnTable> tables(kMadeColumns);
  for (const auto& [column, levels] : {std::pair{kFewLevelsColumn, 3}, std::pair{kManyLevelsColumn, 40}}) {
    tables[column].is_category = true;
    tables[column].means.assign(static_cast<std::size_t>(levels), 1.0F / static_cast<float>(levels));
  }
  return tables;
}

// Labels are 0 .. classes - 1. They come from noisy thresholds of one score, which is the target.
inline MadeRows made_rows(std::size_t rows, std::uint64_t seed, std::int32_t classes = 2) {
  const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
  MadeRows made{Inputs(rows, kMadeColumns), std::vector<std::int32_t>(rows), std::vector<float>(rows)};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto draw = [&](std::size_t i) { return r * 2 * kMadeColumns + i; };
    for (std::size_t c = 0; c < kMadeColumns; ++c) made.inputs(r, c) = static_cast<float>(stream.normal(draw(c)));
    const auto level = static_cast<float>(stream.below(draw(kMadeColumns), 40));
    const bool gap = stream.uniform(4 * draw(kMadeColumns + 2)) < 0.2F;
    made.inputs(r, kFewLevelsColumn) = static_cast<float>(stream.below(draw(kMadeColumns + 1), 4));  // 3: missing
    made.inputs(r, kManyLevelsColumn) = level;
    if (gap) made.inputs(r, kGapsColumn) = NAN;
    const float score = made.inputs(r, 0) * made.inputs(r, 1) + std::abs(made.inputs(r, 2)) - 0.8F +
                        (made.inputs(r, kFewLevelsColumn) == 1 ? 1.0F : -0.3F) +
                        (static_cast<int>(level) % 3 == 0 ? 0.8F : -0.4F) + (gap ? 0.9F : -0.2F) +
                        0.5F * static_cast<float>(stream.normal(draw(kMadeColumns + 3)));
    made.targets[r] = score;
    if (classes == 2) {
      made.labels[r] = score > 0 ? 1 : 0;
    } else {
      made.labels[r] = score > 1 ? 2 : score > -0.5F ? 1 : 0;
    }
  }
  return made;
}

}  // namespace perpend::test
