#include "perpend/model/predict.h"

#include <gtest/gtest.h>

#include "tests/support/targets.h"

namespace perpend {
namespace {

Inputs normal_inputs(std::size_t rows, std::size_t features) {
  const Stream stream({.seed = 7, .purpose = Purpose::test, .member = 0, .step = 0});
  Inputs inputs(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t f = 0; f < features; ++f) inputs(r, f) = static_cast<float>(stream.normal(r * features + f));
  }
  return inputs;
}

// A row's answer does not depend on its neighbours, and so on none of the ways rows are grouped.
TEST(MemberScores, OfManyRowsAreThoseOfEachRowAloneToTheBit) {
  for (const std::size_t classes : {2, 3}) {
    for (const std::vector<std::size_t>& hidden : {std::vector<std::size_t>{17}, {5, 4}}) {
      const Ensemble ensemble = initial_ensemble({.features = 5, .hidden = hidden, .classes = classes}, 3, 1);
      for (const std::size_t rows : {1, 31, 32, 64, 65, 200}) {
        const Inputs inputs = normal_inputs(rows, 5);
        const auto together = member_scores(ensemble, inputs.view(), Threads(2));
        for (std::size_t r = 0; r < rows; ++r) {
          const auto alone = member_scores(ensemble, inputs.view().middle_rows(r, 1), Threads(1));
          for (std::size_t m = 0; m < 3; ++m) {
            const std::span<const float> one(alone[m].row(0), alone.cols());
            ASSERT_TRUE(test::same_bits({together[m].row(r), one.size()}, one)) << rows << " rows, row " << r;
          }
        }
      }
    }
  }
}

TEST(PositiveProbabilities, AreTheSecondOfTheTwo) {
  const Ensemble ensemble = initial_ensemble({.features = 5, .hidden = {17}}, 3, 1);
  const Inputs inputs = normal_inputs(70, 5);
  const auto positive = positive_probabilities(ensemble, inputs.view(), Threads(2));
  const auto both = member_probabilities(ensemble, inputs.view(), Threads(2));
  for (std::size_t m = 0; m < 3; ++m) {
    for (std::size_t r = 0; r < 70; ++r) {
      EXPECT_EQ(positive[m](r, 0), both[m](r, 1));
      EXPECT_EQ(1 - positive[m](r, 0), both[m](r, 0));
    }
  }
}

}  // namespace
}  // namespace perpend
