#include "perpend/kernels/tangents.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "perpend/kernels/reference.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

Tangents random_tangents(std::size_t bases, std::size_t features, std::size_t directions, bool shared) {
  Tangents tangents = shared ? Tangents::shared(features, directions) : Tangents::per_row(bases, features, directions);
  const auto numbers = test::normal_floats(tangents.bases() * features * directions, 5);
  for (std::size_t b = 0, i = 0; b < tangents.bases(); ++b) {
    for (std::size_t k = 0; k < directions; ++k) {
      for (std::size_t f = 0; f < features; ++f) tangents.direction(b, k)[f] = numbers[i++];
    }
  }
  return tangents;
}

constexpr std::size_t kRows = 19;

// Row r is at place 18 - r among the tangents.
std::vector<std::uint32_t> backwards() {
  std::vector<std::uint32_t> rows(kRows);
  for (std::size_t r = 0; r < kRows; ++r) rows[r] = static_cast<std::uint32_t>(kRows - 1 - r);
  return rows;
}

template <class Check>
void for_each_shape(const Check& check) {
  for (const bool shared : {false, true}) {
    for (const std::size_t features : {1, 3, 15, 16, 17, 33}) {
      for (const std::size_t directions : {1, 2, 15, 16, 17}) {
        SCOPED_TRACE(std::to_string(features) + " features, " + std::to_string(directions) + " directions");
        check(random_tangents(kRows, features, directions, shared));
      }
    }
  }
}

std::vector<float> projected(const Tangents& t, const AlignedVector<float>& g) {
  const std::size_t stride = round_up(t.directions(), 16);
  std::vector<float> out(kRows * stride, -1.0F);
  project(t, backwards(), {g.data(), kRows, t.features(), t.stride()}, {out.data(), kRows, t.directions(), stride});
  return out;
}

std::vector<float> lifted(const Tangents& t, const AlignedVector<float>& p) {
  std::vector<float> out(kRows * t.stride(), -1.0F);
  lift(t, backwards(), {p.data(), kRows, t.directions(), round_up(t.directions(), 16)},
       {out.data(), kRows, t.features(), t.stride()});
  return out;
}

// `rows` rows of normal numbers in `columns` columns, padded with zeros to 16.
AlignedVector<float> padded_rows(std::size_t columns) {
  const std::size_t stride = round_up(columns, 16);
  const auto numbers = test::normal_floats(kRows * columns, 6);
  AlignedVector<float> out(kRows * stride, 0.0F);
  for (std::size_t r = 0; r < kRows; ++r) std::copy_n(&numbers[r * columns], columns, &out[r * stride]);
  return out;
}

TEST(Project, IsTheDotProductWithEachTangentOfTheRowsOwnBasis) {
  for_each_shape([](const Tangents& t) {
    const auto g = padded_rows(t.features());
    const auto rows = backwards();
    test::on_every_target([&] {
      const auto p = projected(t, g);
      const std::size_t stride = p.size() / kRows;
      for (std::size_t r = 0; r < kRows; ++r) {
        const std::vector<double> exact(&g[r * t.stride()], &g[r * t.stride()] + t.features());
        const auto expected = reference::project(t, t.is_shared() ? 0 : rows[r], exact.data());
        for (std::size_t k = 0; k < stride; ++k) {
          EXPECT_NEAR(p[r * stride + k], k < t.directions() ? expected[k] : 0.0, k < t.directions() ? 2e-5 : 0.0);
        }
      }
    });
  });
}

TEST(Lift, IsTheSumOfTangentsAndTheTransposeOfProject) {
  for_each_shape([](const Tangents& t) {
    const auto p = padded_rows(t.directions());
    const auto g = padded_rows(t.features());
    const auto rows = backwards();
    const std::size_t p_stride = round_up(t.directions(), 16);
    test::on_every_target([&] {
      const auto out = lifted(t, p);
      const auto back = projected(t, g);
      for (std::size_t r = 0; r < kRows; ++r) {
        const std::vector<double> exact(&p[r * p_stride], &p[r * p_stride] + t.directions());
        const auto expected = reference::lift(t, t.is_shared() ? 0 : rows[r], exact);
        for (std::size_t f = 0; f < t.stride(); ++f) {
          EXPECT_NEAR(out[r * t.stride() + f], f < t.features() ? expected[f] : 0.0, f < t.features() ? 2e-5 : 0.0);
        }
        const double one =
            std::inner_product(&g[r * t.stride()], &g[r * t.stride()] + t.features(), &out[r * t.stride()], 0.0);
        const double other =
            std::inner_product(&p[r * p_stride], &p[r * p_stride] + t.directions(), &back[r * p_stride], 0.0);
        EXPECT_NEAR(one, other, 1e-3);
      }
    });
  });
}

TEST(ProjectAndLift, HaveTheSameBitsOnEveryTarget) {
  for_each_shape([](const Tangents& t) {
    const auto g = padded_rows(t.features());
    const auto p = padded_rows(t.directions());
    test::expect_same_bits_on_every_target([&] { return projected(t, g); });
    test::expect_same_bits_on_every_target([&] { return lifted(t, p); });
  });
}

}  // namespace
}  // namespace perpend::kernels
