#include "perpend/model/predict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/ensembles.h"
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

// A row's answer does not depend on its neighbours, and so not on how rows are grouped.
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

template <class AnyStack>
bool all_finite(const AnyStack& stack) {
  for (std::size_t m = 0; m < stack.members(); ++m) {
    for (std::size_t r = 0; r < stack.rows(); ++r) {
      const float* row = stack[m].row(r);
      if (!std::all_of(row, row + stack.cols(), [](float x) { return std::isfinite(x); })) return false;
    }
  }
  return true;
}

TEST(MemberScores, AreNumbersWhateverTheRows) {
  const std::vector<std::size_t> shapes[] = {{}, {17}, {9, 9}, std::vector<std::size_t>(40, 8)};
  for (const auto activation : {Activation::relu, Activation::softplus, Activation::tanh, Activation::sigmoid}) {
    for (const auto& hidden : shapes) {
      for (const std::size_t classes : {2, 3}) {
        const Ensemble ensemble =
            test::extreme_ensemble({.features = 5, .hidden = hidden, .classes = classes, .activation = activation}, 1);
        for (const std::size_t rows : {3, 40}) {
          Inputs inputs = normal_inputs(rows, 5);
          for (std::size_t f = 0; f < 5; ++f) {
            inputs(0, f) = std::numeric_limits<float>::max();
            inputs(1, f) = f % 2 == 0 ? std::numeric_limits<float>::max() : std::numeric_limits<float>::lowest();
          }
          SCOPED_TRACE(testing::Message()
                       << hidden.size() << " layers, " << classes << " classes, " << rows << " rows");
          EXPECT_TRUE(all_finite(member_scores(ensemble, inputs.view(), Threads(1))));
          EXPECT_TRUE(all_finite(member_probabilities(ensemble, inputs.view(), Threads(1))));
          EXPECT_TRUE(all_finite(input_gradients(ensemble, inputs.view(), Threads(1))));
        }
      }
    }
  }
}

}  // namespace
}  // namespace perpend
