// A member and one group of rows, for the tests of the collapsed kernels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/reference.h"
#include "tests/support/targets.h"

namespace perpend::test {

// Widths around every boundary of a column plan.
inline const std::vector<std::size_t> kWidths = {1,  2,  3,  7,  8,  9,  10, 11, 15, 16, 17,
                                                 18, 19, 31, 32, 33, 34, 35, 64, 65, 116};

// Puts row r at place rows - 1 - r.
inline std::vector<std::uint32_t> backwards(std::size_t rows) {
  std::vector<std::uint32_t> places(rows);
  for (std::size_t r = 0; r < rows; ++r) places[r] = static_cast<std::uint32_t>(rows - 1 - r);
  return places;
}

// How the signs are found.
enum class By { floats, integers };
constexpr By kWays[] = {By::floats, By::integers};

struct Group {
  Group(std::size_t feature_count, std::size_t unit_count)
      : features(feature_count),
        units(unit_count),
        stride(round_up(features, 16)),
        x(kRowsPerGroup * stride, 0.0F),
        w(normal_floats(units * features + 16, 2)),
        bias(normal_floats(round_up(units, 16), 3)),
        columns(normal_floats(kernels::kMaxColumns * units, 4)),
        kept(round_up(units, 32)) {
    const auto numbers = normal_floats(kRowsPerGroup * features, 1);
    for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
      std::copy_n(numbers.data() + r * features, features, x.data() + r * stride);
    }
    kernels::dropout_masks({.stream = {}, .keep = keep_planes(0.5)}, units, kept.data());
  }

  const float* row(std::size_t r) const { return x.data() + r * stride; }
  float* row(std::size_t r) { return x.data() + r * stride; }
  const float* unit(std::size_t u) const { return w.data() + u * features; }
  float* unit(std::size_t u) { return w.data() + u * features; }

  struct Found {
    Found(const Group& group, std::size_t column_count)
        : bits(group.units, 0), sums(column_count * kRowsPerGroup, 0.7F) {}
    kernels::SignOutputs out() { return {.by_unit = bits.data(), .sums = sums.data()}; }
    std::vector<std::uint64_t> bits;
    std::vector<float> sums;
  };
  // What the scalar twin finds.
  Found expected(std::size_t column_count) const {
    Found found(*this, column_count);
    kernels::reference::signs(inputs(column_count), found.out());
    return found;
  }
  Found signs(By by, std::size_t column_count = 1, kernels::InterleavedSum* interleaved = nullptr) const {
    Found found(*this, column_count);
    kernels::SignInputs in = inputs(column_count);
    if (by == By::floats) {
      const auto packed = packed_rows();
      in.packed = packed.data();
      kernels::float_signs(in, found.out(), interleaved);
      return found;
    }
    const std::size_t pairs = kernels::quantized_pairs(features);
    std::vector<std::int16_t> quantized(kRowsPerGroup * 2 * pairs);
    std::vector<std::int16_t> rows(kRowsPerGroup * 2 * pairs);
    std::vector<std::int16_t> weights(units * 2 * pairs + 16, 7);
    const AlignedVector<float> ones(kRowsPerGroup, 1.0F);
    std::vector<std::uint32_t> in_order(kRowsPerGroup);
    std::iota(in_order.begin(), in_order.end(), 0U);
    kernels::quantize(
        {.count = kRowsPerGroup, .features = features, .x = x.data(), .stride = stride, .last = ones.data()},
        quantized.data());
    kernels::pack_quantized(
        {.rows = kRowsPerGroup, .features = features, .quantized = quantized.data(), .indices = in_order.data()},
        rows.data());
    kernels::quantize(units_to_quantize(), weights.data());
    EXPECT_EQ(std::count(weights.end() - 16, weights.end(), 7), 16) << "may belong to another thread";
    in.quantized_rows = rows.data();
    in.quantized_weights = weights.data();
    kernels::quantized_signs(in, found.out(), interleaved);
    return found;
  }
  // v takes the place of the first column.
  Found scores() const {
    Found found(*this, 1);
    const auto packed = packed_rows();
    kernels::SignInputs in = inputs(1);
    in.packed = packed.data();
    kernels::scores(in, found.out());
    return found;
  }
  kernels::VectorsToQuantize units_to_quantize() const {
    return {.count = units, .features = features, .x = w.data(), .stride = features, .last = bias.data()};
  }
  std::vector<float> packed_rows() const {
    std::vector<float> packed(kRowsPerGroup * features);
    kernels::pack_group(kRowsPerGroup, features, {.data = x.data(), .stride = stride}, packed.data());
    return packed;
  }
  kernels::SignInputs inputs(std::size_t column_count) const {
    return {.features = features,
            .units = units,
            .rows = {.data = x.data(), .stride = stride},
            .weights = w.data(),
            .bias = bias.data(),
            .kept = kept.data(),
            .column_count = column_count,
            .columns = columns.data()};
  }

  std::size_t features, units, stride;
  AlignedVector<float> x, w, bias, columns;
  std::vector<std::uint64_t> kept;
};

}  // namespace perpend::test
