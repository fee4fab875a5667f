#include "perpend/kernels/collapsed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

// Widths around every boundary of a column plan.
const std::vector<std::size_t> kWidths = {1,  2,  3,  7,  8,  9,  10, 11, 15, 16, 17,
                                          18, 19, 31, 32, 33, 34, 35, 64, 65, 116};

// The bits S of one block in both orders.
struct BlockBits {
  BlockBits(std::size_t rows, std::size_t units, std::uint64_t seed)
      : by_unit(units * kGroupsPerBlock, 0), by_row((units + kUnitsPerChunk - 1) / kUnitsPerChunk * kWordsPerChunk, 0) {
    const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
    for (std::size_t u = 0; u < units; ++u) {
      for (std::size_t r = 0; r < rows; ++r) {
        // Row 0 has no unit, row 1 every one, row 2 only the last; unit 3 no row, unit 4 every one.
        bool on = stream.word(u * kRowsPerBlock + r) % 4 == 0;
        if (r == 0 || u == 3) on = false;
        if (r == 1 || u == 4) on = true;
        if (r == 2) on = u + 1 == units;
        if (on) set(r, u);
      }
    }
  }
  void set(std::size_t r, std::size_t u) {
    by_unit[u * kGroupsPerBlock + r / 64] |= std::uint64_t{1} << (r % 64);
    by_row[u / kUnitsPerChunk * kWordsPerChunk + r * kWordsPerRow + u % kUnitsPerChunk / 32] |= 1U << (u % 32);
  }
  bool on(std::size_t r, std::size_t u) const {
    return ((by_unit[u * kGroupsPerBlock + r / 64] >> (r % 64)) & 1U) != 0;
  }
  std::vector<std::uint64_t> by_unit;
  std::vector<std::uint32_t> by_row;
};

// A member and one group of rows, with what `scores` makes of them.
struct Group {
  Group(std::size_t feature_count, std::size_t unit_count)
      : features(feature_count),
        units(unit_count),
        x(test::normal_floats(kRowsPerGroup * features, 1)),
        packed(kRowsPerGroup * features),
        w(test::normal_floats(units * features, 2)),
        bias(test::normal_floats(units, 3)),
        v(test::normal_floats(units, 4)),
        kept(round_up(units, 32)),
        score(kRowsPerGroup, 0.7F),
        bits(units * kGroupsPerBlock, 0),
        leftover(kMaxLeftover * kRowsPerGroup, 0.0F) {
    pack_group(kRowsPerGroup, features, {x.data(), features}, packed.data());
    dropout_masks({}, keep_planes(0.5), 0, 0, ~std::uint64_t{0}, units, kept.data());
    for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
      for (std::size_t u = 0; u < units; ++u) {
        float z = bias[u];
        for (std::size_t f = 0; f < features; ++f) z = std::fma(x[r * features + f], w[u * features + f], z);
        if (z <= 0 || ((kept[u] >> r) & 1U) == 0) continue;
        bits[u * kGroupsPerBlock] |= std::uint64_t{1} << r;
        score[r] = std::fma(z, v[u], score[r]);
        for (std::size_t c = 0; c < leftover_columns(); ++c) {
          leftover[c * kRowsPerGroup + r] += w[(u + 1) * features - leftover_columns() + c] * v[u];
        }
      }
    }
  }
  std::size_t leftover_columns() const { return std::min(features, kMaxLeftover); }
  ScoreInputs inputs() const {
    return {.features = features,
            .units = units,
            .packed = packed.data(),
            .weights = w.data(),
            .bias = bias.data(),
            .v = v.data(),
            .constant = 0.7F,
            .kept = kept.data()};
  }

  std::size_t features, units;
  AlignedVector<float> x, packed, w, bias, v;
  std::vector<std::uint64_t> kept;
  std::vector<float> score;
  std::vector<std::uint64_t> bits;
  std::vector<float> leftover;
};

TEST(Scores, AreOneFusedChainPerRowOnEveryTarget) {
  for (const std::size_t features : {1, 2, 8, 33}) {
    for (const std::size_t units : {1, 2, 5, 6, 7, 8, 13, 40, 300}) {
      const Group group(features, units);
      const std::size_t padded = part_stride(units);
      test::on_every_target([&] {
        const auto run = [&](std::uint16_t* by_part, std::size_t columns, float* leftover) {
          AlignedVector<float> score(kRowsPerGroup);
          std::vector<std::uint64_t> bits(units * kGroupsPerBlock, 0);
          scores(group.inputs(), {bits.data(), by_part, score.data(), columns, leftover}, nullptr);
          EXPECT_TRUE(test::same_bits(score, group.score)) << features << ' ' << units;
          EXPECT_EQ(bits, group.bits) << features << ' ' << units;
        };
        run(nullptr, 0, nullptr);
        for (std::size_t columns = 0; columns <= group.leftover_columns(); ++columns) {
          std::vector<std::uint16_t> parts(kPartsPerGroup * padded, 0);
          std::vector<float> leftover(columns * kRowsPerGroup, 9.0F);
          run(parts.data(), columns, leftover.data());
          for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::uint64_t word = i % padded < units ? group.bits[i % padded * kGroupsPerBlock] : 0;
            ASSERT_EQ(parts[i], (word >> (i / padded * 16)) & 0xFFFF) << features << ' ' << units << ' ' << i;
          }
          const auto last = group.leftover.begin() +
                            static_cast<std::ptrdiff_t>((group.leftover_columns() - columns) * kRowsPerGroup);
          EXPECT_TRUE(test::same_bits(leftover, std::vector<float>(last, last + std::ssize(leftover))))
              << features << ' ' << units << ' ' << columns;
        }
      });
    }
  }
}

TEST(Scores, ANotANumberInputReachesItsRowsScoreAndNoOther) {
  Group group(3, 7);
  group.packed[kRowsPerGroup + 9] = NAN;
  std::fill(group.kept.begin(), group.kept.end(), ~std::uint64_t{0});
  test::on_every_target([&] {
    std::vector<std::uint64_t> bits(7 * kGroupsPerBlock, 0);
    AlignedVector<float> score(kRowsPerGroup);
    scores(group.inputs(), {bits.data(), nullptr, score.data(), 0, nullptr}, nullptr);
    for (std::size_t r = 0; r < kRowsPerGroup; ++r) EXPECT_EQ(std::isnan(score[r]), r == 9) << r;
  });
}

// Row r lies at place rows - 1 - r.
std::vector<std::uint32_t> backwards(std::size_t rows) {
  std::vector<std::uint32_t> places(rows);
  for (std::size_t r = 0; r < rows; ++r) places[r] = static_cast<std::uint32_t>(rows - 1 - r);
  return places;
}

TEST(PackGroup, TransposesAndFillsUpWithZerosOnEveryTarget) {
  for (const std::size_t rows : {0, 1, 4, 63, 64}) {
    for (const std::size_t features : {1, 3, 4, 9}) {
      const std::size_t stride = features + 2;
      const auto x = test::normal_floats(rows * stride, 1);
      const auto place = backwards(rows);
      test::on_every_target([&] {
        std::vector<float> in_order(kRowsPerGroup * features, 9.0F);
        std::vector<float> picked(in_order);
        pack_group(rows, features, {x.data(), stride}, in_order.data());
        pack_group(rows, features, {x.data(), stride, place.data()}, picked.data());
        for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
          for (std::size_t f = 0; f < features; ++f) {
            EXPECT_EQ(in_order[f * kRowsPerGroup + r], r < rows ? x[r * stride + f] : 0.0F);
            EXPECT_EQ(picked[f * kRowsPerGroup + r], r < rows ? x[place[r] * stride + f] : 0.0F);
          }
        }
      });
    }
  }
}

// U = W v and G = S U^T, rows padded with zeros to 16 columns: each entry the sum over active units, ascending.
struct WalkedGradients {
  WalkedGradients(std::size_t row_count, std::size_t unit_count, std::size_t feature_count)
      : rows(row_count),
        units(unit_count),
        features(feature_count),
        stride(round_up(features, 16)),
        bits(rows, units, 5),
        w(test::normal_floats(units * features + 16, 6)),
        v(test::normal_floats(units, 7)),
        expected(rows * stride, 0.0F),
        start(rows * stride, 0.0F) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t f = 0; f < features; ++f) {
        float& sum = expected[r * stride + f];
        for (std::size_t u = 0; u < units; ++u) {
          if (bits.on(r, u)) sum += w[u * features + f] * v[u];
        }
        // `scores` has summed the left-over columns already.
        if (f >= ColumnPlan(features).first_leftover()) start[r * stride + f] = sum;
      }
    }
  }
  std::size_t rows, units, features, stride;
  BlockBits bits;
  AlignedVector<float> w, v, expected, start;
};

TEST(InputGradient, IsTheSumOverActiveUnitsInOrderOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    for (const auto& [rows, units] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 17}, {65, 255}, {256, 300}}) {
      const WalkedGradients g(rows, units, features);
      test::on_every_target([&] {
        WalkTables tables{ColumnPlan(features)};
        const auto lists = std::make_unique<BitLists>();
        AlignedVector<float> gradient(g.start);
        for (std::size_t u = 0; u < units; u += kUnitsPerChunk) {
          const std::size_t count = std::min(kUnitsPerChunk, units - u);
          fill_u(features, count, g.w.data() + u * features, g.v.data() + u, tables);
          input_gradient(rows, g.bits.by_row.data() + u / kUnitsPerChunk * kWordsPerChunk, tables, *lists, u > 0,
                         gradient.data(), g.stride);
        }
        EXPECT_TRUE(test::same_bits(gradient, g.expected)) << features << ' ' << rows << ' ' << units;
      });
    }
  }
}

// Beside groups of some units the whole walk fits in, or a part of it; one after the other, by one object.
TEST(WalkBeside, SumsTheSameWhileScoresAreMadeOnEveryTarget) {
  bool served = false;
  for (const std::size_t features : {11, 16, 18, 19, 32, 33, 34, 35, 41, 42, 48, 50, 64, 116}) {
    for (const std::size_t group_units : {1, 6, 40, 256}) {
      const Group group(features, group_units);
      const auto walk = std::make_unique<WalkBeside>();
      const auto scratch = std::make_unique<BitLists>();
      for (const auto& [rows, units] : {std::pair<std::size_t, std::size_t>{64, 256}, {1, 1}, {7, 17}, {64, 255}}) {
        const WalkedGradients g(rows, units, features);
        test::on_every_target([&] {
          WalkTables tables{ColumnPlan(features)};
          if (!WalkBeside::serves(tables.plan())) return;
          served = true;
          fill_u(features, units, g.w.data(), g.v.data(), tables);
          AlignedVector<float> gradient(g.start);
          gradient.resize(gradient.size() + 16, 7.0F);  // may belong to another thread
          walk->start(rows, g.bits.by_row.data(), tables, gradient.data(), g.stride);
          const std::uint16_t* at = walk->at;
          AlignedVector<float> score(kRowsPerGroup);
          std::vector<std::uint64_t> bits(group_units * kGroupsPerBlock, 0);
          std::vector<std::uint16_t> parts(kPartsPerGroup * part_stride(group_units), 0);
          scores(group.inputs(), {bits.data(), parts.data(), score.data(), 0, nullptr}, walk.get());
          EXPECT_TRUE(test::same_bits(score, group.score));
          EXPECT_EQ(bits, group.bits);
          EXPECT_NE(walk->at, at) << "nothing was summed beside";
          const bool fits = rows == 1 || (rows == 7 && group_units == 256);
          EXPECT_FALSE(fits && walk->waiting()) << features << ' ' << rows;
          walk->finish(*scratch);
          EXPECT_FALSE(walk->waiting());
          EXPECT_EQ(std::count(gradient.end() - 16, gradient.end(), 7.0F), 16) << features;
          gradient.resize(g.expected.size());
          EXPECT_TRUE(test::same_bits(gradient, g.expected)) << features << ' ' << rows << ' ' << units;
        });
      }
    }
  }
  if (!served) GTEST_SKIP() << "no target of this machine walks beside scores";
}

// What fill_t puts into the tables: row r is e x_r + R_r, then e.
struct TRows {
  TRows(std::size_t row_count, std::size_t feature_count, bool with_gradient)
      : rows(row_count),
        features(feature_count),
        stride(round_up(feature_count, 16)),
        place(backwards(row_count)),
        e(test::normal_floats(row_count, 1)),
        x(row_count * stride, 0.0F),
        gradient(with_gradient ? row_count * stride : 0, 0.0F) {
    const auto numbers = test::normal_floats(2 * rows * features, 2);
    for (std::size_t r = 0; r < rows; ++r) {
      std::copy_n(numbers.data() + r * features, features, x.data() + place[r] * stride);
      if (with_gradient) std::copy_n(numbers.data() + (rows + r) * features, features, gradient.data() + r * stride);
    }
  }
  float t(std::size_t r, std::size_t c) const {
    if (c == features) return e[r];
    return std::fma(e[r], x[place[r] * stride + c], gradient.empty() ? 0.0F : gradient[r * stride + c]);
  }
  void fill(std::size_t first, std::size_t count, WalkTables& tables) const {
    fill_t(features, count, e.data() + first, PickedRows{x.data(), stride, place.data()}.from(first),
           gradient.empty() ? nullptr : gradient.data() + first * stride, stride, tables);
  }
  std::size_t rows, features, stride;
  std::vector<std::uint32_t> place;
  AlignedVector<float> e, x, gradient;
};

TEST(UnitSums, AreTheSumOverActiveRowsInOrderOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    const std::size_t rows = features % 2 == 0 ? 300 : 70;  // two blocks, or part of one
    const std::size_t units = features == 33 ? 300 : 130;
    const TRows t(rows, features, features % 3 != 0);
    const std::size_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
    std::vector<BlockBits> bits;
    std::vector<float> expected(units * (features + 1), 0.0F);
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * kRowsPerBlock;
      bits.emplace_back(std::min(kRowsPerBlock, rows - first), units, 8 + block);
      for (std::size_t u = 0; u < units; ++u) {
        for (std::size_t r = first; r < std::min(first + kRowsPerBlock, rows); ++r) {
          if (!bits[block].on(r - first, u)) continue;
          for (std::size_t c = 0; c <= features; ++c) expected[u * (features + 1) + c] += t.t(r, c);
        }
      }
    }
    const std::size_t stride = round_up(features + 1, 16) + 16;
    const std::size_t step = features % 2 == 0 ? kUnitsPerChunk : 128;
    test::on_every_target([&] {
      const auto lists = std::make_unique<BitLists>();
      AlignedVector<float> sums(units * stride, 0.0F);
      for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t first = block * kRowsPerBlock;
        const std::size_t count = std::min(kRowsPerBlock, rows - first);
        WalkTables tables{ColumnPlan(features + 1)};
        t.fill(first, count, tables);
        for (std::size_t u = 0; u < units; u += step) {
          unit_sums(count, u, std::min(step, units - u), bits[block].by_unit.data(), bits[block].by_row.data(), tables,
                    *lists, block > 0, sums.data() + u * stride, stride);
        }
      }
      std::vector<float> out;
      for (std::size_t u = 0; u < units; ++u) {
        out.insert(out.end(), sums.data() + u * stride, sums.data() + u * stride + features + 1);
      }
      EXPECT_TRUE(test::same_bits(out, expected)) << features;
    });
  }
}

// A sum over sixteen lanes, folded in halves.
float fold(const float* lanes) {
  float x[16];
  std::copy_n(lanes, 16, x);
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) x[i] += x[i + width];
  }
  return x[0];
}

TEST(UnitGradients, FollowTheDocumentedChainsOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    for (const std::size_t units : {1, 5}) {
      const std::size_t stride = round_up(features + 1, 16) + 16;
      const auto sums = test::normal_floats(units * stride, 1);
      const auto w = test::normal_floats(units * features + 16, 2);
      const auto bias = test::normal_floats(units, 3);
      const auto v = test::normal_floats(units, 4);
      std::vector<float> d_w, d_bias, d_v;
      for (std::size_t u = 0; u < units; ++u) {
        const float* q = sums.data() + u * stride;
        float lanes[16] = {};
        for (std::size_t f = 0; f < features; ++f) {
          lanes[f % 16] = std::fma(w[u * features + f], q[f], lanes[f % 16]);
          d_w.push_back(q[f] * v[u]);
        }
        d_bias.push_back(q[features] * v[u]);
        d_v.push_back(std::fma(bias[u], q[features], fold(lanes)) * 1.25F);
      }
      test::on_every_target([&] {
        // What follows may belong to another thread's units, and must be left alone.
        std::vector<float> out_w(units * features + 16, 7.0F), out_bias(units), out_v(units);
        unit_gradients(features, units, sums.data(), stride, w.data(), bias.data(), v.data(), 1.25F, out_w.data(),
                       out_bias.data(), out_v.data());
        EXPECT_EQ(std::count(out_w.end() - 16, out_w.end(), 7.0F), 16) << features << ' ' << units;
        out_w.resize(units * features);
        EXPECT_TRUE(test::same_bits(out_w, d_w)) << features << ' ' << units;
        EXPECT_TRUE(test::same_bits(out_bias, d_bias)) << features << ' ' << units;
        EXPECT_TRUE(test::same_bits(out_v, d_v)) << features << ' ' << units;
      });
    }
  }
}

}  // namespace
}  // namespace perpend::kernels
