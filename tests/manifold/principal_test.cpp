#include "perpend/manifold/principal.h"

#include <gtest/gtest.h>

#include <string_view>

#include "perpend/base/sha256.h"
#include "perpend/data/generate.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

std::string bytes_of(const Tangents& tangents) {
  Sha256 hash;
  for (std::size_t k = 0; k < tangents.directions(); ++k) {
    hash.update({reinterpret_cast<const char*>(tangents.direction(0, k)), tangents.features() * sizeof(float)});
  }
  return hash.hex();
}

TEST(Covariance, IsTheMeanOfCentredProducts) {
  const auto data = test::normal_data(57, 19, 1);
  const auto found = covariance(data.inputs.view(), {}, Threads(2));
  for (std::size_t i = 0; i < 19; ++i) {
    for (std::size_t j = 0; j < 19; ++j) {
      double mean_i = 0;
      double mean_j = 0;
      double products = 0;
      for (std::size_t r = 0; r < 57; ++r) {
        mean_i += static_cast<double>(data.inputs(r, i)) / 57;
        mean_j += static_cast<double>(data.inputs(r, j)) / 57;
        products += static_cast<double>(data.inputs(r, i)) * static_cast<double>(data.inputs(r, j)) / 57;
      }
      EXPECT_NEAR(found(i, j), products - mean_i * mean_j, 1e-12);
    }
  }
}

TEST(Covariance, CountsARowOfWeightTwoTwice) {
  const auto data = test::normal_data(10, 4, 2);
  Inputs twice(11, 4);
  for (std::size_t r = 0; r < 11; ++r) {
    for (std::size_t f = 0; f < 4; ++f) twice(r, f) = data.inputs(r == 10 ? 3 : r, f);
  }
  std::vector<float> weights(10, 0.5F);
  weights[3] = 1;
  const auto weighted = covariance(data.inputs.view(), weights, Threads(1));
  const auto repeated = covariance(twice.view(), {}, Threads(1));
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(weighted(i / 4, i % 4), repeated(i / 4, i % 4), 1e-14);
}

// Every machine and number of threads must find the same first three directions of builtin:blocks.
TEST(PrincipalDirections, HaveTheSameBitsEverywhere) {
  const auto data = generate("blocks");
  for (const int threads : {1, 2, 3, 8}) {
    const auto found = principal_directions(data.inputs.view(), {}, Threads(threads));
    EXPECT_EQ(bytes_of(first_directions(found, 3)), "df8a0c11f1a0dd602262010523a08530af348183f15fa5e71b1375c00542dd0b");
  }
}

TEST(PrincipalDirections, FindTheDirectionsThatWerePutIn) {
  // Twelve columns that mix three numbers of variances 9, 4 and 1 along orthonormal directions.
  const auto latent = test::normal_data(4000, 3, 3);
  Inputs inputs(4000, 12);
  const double length = 1 / std::sqrt(4.0);
  for (std::size_t r = 0; r < 4000; ++r) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < 4; ++i) {
        inputs(r, 4 * k + i) = static_cast<float>((3.0 - static_cast<double>(k)) * length) * latent.inputs(r, k);
      }
    }
  }
  const auto found = principal_directions(inputs.view(), {}, Threads(1));
  EXPECT_NEAR(found.values[0], 9, 0.6);
  EXPECT_NEAR(found.values[1], 4, 0.3);
  EXPECT_NEAR(found.values[2], 1, 0.1);
  EXPECT_EQ(rank_of(found), 3U);
  EXPECT_NEAR(found.vectors(0, 0), 0.5, 0.02);
  EXPECT_NEAR(variance_share(found, 1), 9.0 / 14, 0.03);
  EXPECT_EQ(directions_for(found, 0.9), 2U);
  EXPECT_EQ(directions_for(found, 0.95), 3U);
  EXPECT_EQ(variance_share(found, 12), 1);
}

TEST(PrincipalDirections, OfDataThatDoNotVaryHaveNoShare) {
  const Inputs constant(5, 3);
  const auto found = principal_directions(constant.view(), {}, Threads(1));
  EXPECT_EQ(variance_share(found, 3), 0);
  EXPECT_EQ(rank_of(found), 0U);
}

}  // namespace
}  // namespace perpend
