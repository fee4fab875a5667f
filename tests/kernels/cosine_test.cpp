#include "perpend/kernels/cosine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/kernels/reference.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

struct Gradients {
  Gradients(std::size_t member_count, std::size_t row_count, std::size_t feature_count, std::uint64_t seed = 1)
      : members(member_count),
        rows(row_count),
        features(feature_count),
        stride(round_up(feature_count, 16)),
        weight(test::normal_floats(row_count, seed + 1)),
        penalty(round_up(row_count, 16), 0.0F) {
    for (float& w : weight) w = std::abs(w);
    for (std::size_t m = 0; m < members; ++m) {
      g.emplace_back(rows * stride, 0.0F);
      const auto numbers = test::normal_floats(rows * features, seed + 2 + m);
      for (std::size_t r = 0; r < rows; ++r) std::copy_n(&numbers[r * features], features, &g[m][r * stride]);
    }
  }
  void run(float scale) {
    std::vector<float*> pointers;
    for (auto& one : g) pointers.push_back(one.data());
    cosine_adjoint({.members = members,
                    .rows = rows,
                    .features = features,
                    .gradients = pointers.data(),
                    .stride = stride,
                    .eps = 1e-6F,
                    .scale = scale,
                    .weights = weight.data(),
                    .penalty = penalty.data()});
  }
  std::vector<std::vector<double>> at_row(std::size_t r) const {
    std::vector<std::vector<double>> out;
    for (const auto& one : g) out.emplace_back(&one[r * stride], &one[r * stride] + features);
    return out;
  }
  std::size_t members, rows, features, stride;
  AlignedVector<float> weight, penalty;
  std::vector<AlignedVector<float>> g;
};

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

TEST(CosineAdjoint, PenaltyAndAdjointAgreeWithTheReferenceInDouble) {
  for (const std::size_t members : {1, 2, 3, 4, 5, 6, 9, 13}) {
    for (const std::size_t features : {1, 7, 15, 16, 17, 33}) {
      for (const std::size_t rows : {0, 1, 15, 16, 17, 33}) {
        const Gradients before(members, rows, features);
        test::on_every_target([&] {
          Gradients after = before;
          after.run(0.75F);
          for (std::size_t r = 0; r < rows; ++r) {
            const auto g = before.at_row(r);
            const double weight = before.weight[r];
            const double pairs = static_cast<double>(members * members);
            EXPECT_NEAR(after.penalty[r], weight * reference::cosine_penalty(g, 1e-6), 1e-6 * weight * pairs);
            const auto expected = reference::cosine_adjoint(g, 1e-6);
            const auto adjoint = after.at_row(r);
            for (std::size_t m = 0; m < members; ++m) {
              // Each pair's terms are at most 2 / |g_m| in size, and may cancel.
              const double scale = 0.75 * weight * 2 * pairs / norm(g[m]);
              for (std::size_t d = 0; d < features; ++d) {
                ASSERT_NEAR(adjoint[m][d], 0.75 * weight * expected[m][d], 1e-6 * scale) << r << ' ' << m << ' ' << d;
              }
            }
          }
        });
      }
    }
  }
}

TEST(CosineAdjoint, BitsAreTheSameOnEveryTarget) {
  for (const std::size_t members : {2, 3, 4, 5, 6, 9, 13}) {
    for (const std::size_t features : {1, 16, 33}) {
      test::expect_same_bits_on_every_target([&] {
        Gradients all(members, 33, features);
        all.run(0.75F);
        std::vector<float> out(all.penalty.begin(), all.penalty.begin() + 33);
        for (const auto& one : all.g) out.insert(out.end(), one.begin(), one.end());
        return out;
      });
    }
  }
}

TEST(CosineAdjoint, VanishesWhereAGradientIsExactlyZero) {
  test::on_every_target([] {
    Gradients all(2, 20, 9);
    std::fill(all.g[1].begin(), all.g[1].end(), 0.0F);
    all.run(1e6F);
    for (const float p : all.penalty) EXPECT_EQ(p, 0.0F);
    for (const auto& one : all.g) {
      for (const float x : one) EXPECT_EQ(x, 0.0F);
    }
  });
}

TEST(CosineAdjoint, StaysFiniteForGradientsOfAnySize) {
  test::on_every_target([] {
    for (const float size : {1e-45F, 1e-30F, 1e-12F, 1e-6F, 1e3F, 1e9F}) {
      Gradients all(3, 17, 5);
      for (auto& one : all.g) {
        for (float& x : one) x *= size;
      }
      all.run(1);
      for (std::size_t r = 0; r < 17; ++r) {
        EXPECT_TRUE(std::isfinite(all.penalty[r])) << size;
        for (const auto& g : all.at_row(r)) EXPECT_TRUE(std::isfinite(norm(g))) << size;
      }
    }
  });
}

TEST(CosineAdjoint, LeavesThePaddingZero) {
  Gradients all(3, 5, 5);
  all.run(1);
  for (const auto& one : all.g) {
    for (std::size_t r = 0; r < 5; ++r) {
      for (std::size_t d = 5; d < all.stride; ++d) EXPECT_EQ(one[r * all.stride + d], 0.0F);
    }
  }
}

}  // namespace
}  // namespace perpend::kernels
