#include "perpend/evaluate/finite.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>

#include "perpend/base/random.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/model/predict.h"

namespace perpend {
namespace {

// Three members of two inputs. Their curvature is so strong that gradients at a row do not tell where the maximum is.
Ensemble curved(Activation activation, std::size_t features = 2) {
  Ensemble ensemble =
      initial_ensemble({.features = features, .hidden = {12}, .classes = 2, .activation = activation}, 3, 4);
  const Stream stream({.seed = 2, .purpose = Purpose::test});
  std::uint64_t i = 0;
  for (auto& network : ensemble.members) {
    for (auto& layer : network.layers) {
      for (std::size_t r = 0; r < layer.weight.rows(); ++r) {
        for (std::size_t c = 0; c < layer.weight.cols(); ++c) layer.weight(r, c) *= 1.5F;
      }
      for (std::size_t c = 0; c < layer.weight.cols(); ++c) layer.bias[c] = static_cast<float>(stream.normal(i++));
    }
  }
  return ensemble;
}

Inputs random_rows(std::size_t rows, std::size_t features = 2) {
  const Stream stream({.seed = 7, .purpose = Purpose::test});
  Inputs inputs(rows, features);
  for (std::size_t i = 0; i < rows * features; ++i) {
    inputs(i / features, i % features) = static_cast<float>(stream.normal(i));
  }
  return inputs;
}

// Returns points of the ball around a row, with points of its surface among them.
using Ball = std::function<Inputs(const float*)>;

Ball disc(double epsilon) {
  return [epsilon](const float* row) {
    constexpr std::size_t kRadii = 24;
    constexpr std::size_t kAngles = 1800;
    Inputs points(kRadii * kAngles + 1, 2);
    std::copy_n(row, 2, points.row(kRadii * kAngles));
    for (std::size_t i = 0; i < kRadii * kAngles; ++i) {
      const double radius = epsilon * static_cast<double>(i / kAngles + 1) / kRadii;
      const double angle = 2 * M_PI * static_cast<double>(i % kAngles) / kAngles;
      points(i, 0) = static_cast<float>(static_cast<double>(row[0]) + radius * std::cos(angle));
      points(i, 1) = static_cast<float>(static_cast<double>(row[1]) + radius * std::sin(angle));
    }
    return points;
  };
}

Ball square(double epsilon, float low = -INFINITY, float high = INFINITY) {
  return [=](const float* row) {
    constexpr std::size_t kSide = 241;
    Inputs points(kSide * kSide, 2);
    for (std::size_t i = 0; i < kSide * kSide; ++i) {
      for (std::size_t f = 0; f < 2; ++f) {
        const double at = 2 * static_cast<double>(f == 0 ? i % kSide : i / kSide) / (kSide - 1) - 1;
        const auto x = static_cast<float>(static_cast<double>(row[f]) + epsilon * at);
        points(i, f) = std::clamp(x, std::min(low, row[f]), std::max(high, row[f]));
      }
    }
    return points;
  };
}

// Returns IndepErr of every member along `along`, by looking at every point of the balls.
std::vector<double> grid_indep_err(const Ensemble& ensemble, const Inputs& rows, std::size_t along, const Ball& ball) {
  std::vector<double> errors(ensemble.members.size(), 0.0);
  const auto here = member_scores(ensemble, rows.view(), Threads(1));
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Inputs points = ball(rows.row(r));
    const auto scores = member_scores(ensemble, points.view(), Threads(2));
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.rows(); ++i) {
      if (scores[along](i, 0) > scores[along](best, 0)) best = i;
    }
    for (std::size_t of = 0; of < errors.size(); ++of) {
      const double change = static_cast<double>(scores[of](best, 0)) - static_cast<double>(here[of](r, 0));
      errors[of] += change * change / static_cast<double>(rows.rows());
    }
  }
  return errors;
}

void expect_within_a_hundredth(const Ensemble& ensemble, const AscentOptions& options, const Ball& ball) {
  const Inputs rows = random_rows(15);
  const auto found = finite_independence(ensemble, rows.view(), options, Threads(2));
  ASSERT_EQ(found.pairs.size(), 6U);
  std::vector<std::vector<double>> expected;
  for (std::size_t g = 0; g < 3; ++g) expected.push_back(grid_indep_err(ensemble, rows, g, ball));
  double mean = 0;
  for (const auto& pair : found.pairs) {
    const double exact = expected[pair.along][pair.of];
    EXPECT_NEAR(pair.indep_err, exact, 0.01 * exact) << pair.of << ' ' << pair.along;
    mean += exact / 6;
  }
  EXPECT_NEAR(*found.indep_err, mean, 0.01 * mean);
}

TEST(IndepErr, IsThatOfAGridWithinAHundredth) {
  for (const auto& [activation, epsilon] :
       {std::pair(Activation::softplus, 0.1), {Activation::tanh, 0.5}, {Activation::softplus, 1.5}}) {
    SCOPED_TRACE(epsilon);
    const AscentOptions options{.epsilon = epsilon, .steps = 100, .starts = 6};
    expect_within_a_hundredth(curved(activation), options, disc(epsilon));
    AscentOptions in_cube = options;
    in_cube.norm = Norm::linf;
    expect_within_a_hundredth(curved(activation), in_cube, square(epsilon));
    in_cube.low = {-0.5F, -0.5F};
    in_cube.high = {0.7F, 0.7F};
    expect_within_a_hundredth(curved(activation), in_cube, square(epsilon, -0.5F, 0.7F));
  }
}

TEST(IndepErr, OfOneStepIsThePapersFirstOrderStep) {
  const Ensemble ensemble = curved(Activation::softplus);
  const Inputs rows = random_rows(20);
  const double epsilon = 0.3;
  const auto found = finite_independence(ensemble, rows.view(), {.epsilon = epsilon, .steps = 1}, Threads(1));
  const auto gradients = input_gradients(ensemble, rows.view(), Threads(1));
  Inputs moved = rows;
  for (std::size_t r = 0; r < 20; ++r) {
    const float* g = gradients[1].row(r);
    const float length = std::sqrt(g[0] * g[0] + g[1] * g[1]);
    for (std::size_t f = 0; f < 2; ++f) moved(r, f) += static_cast<float>(epsilon) * g[f] / length;
  }
  const auto there = member_scores(ensemble, moved.view(), Threads(1));
  const auto here = member_scores(ensemble, rows.view(), Threads(1));
  double expected = 0;
  for (std::size_t r = 0; r < 20; ++r) expected += std::pow(there[0](r, 0) - here[0](r, 0), 2) / 20;
  ASSERT_EQ(found.pairs[0].of, 0U);
  ASSERT_EQ(found.pairs[0].along, 1U);
  EXPECT_NEAR(found.pairs[0].indep_err, expected, 1e-4 * expected);
}

// As epsilon shrinks: IndepErr(f, g) / IndepErr(f, f) -> E[|grad f|^2 cos^2] / E[|grad f|^2].
TEST(IndepErr, RelativeToOnesOwnGoesToCos2) {
  const Ensemble ensemble = curved(Activation::tanh, 5);
  const Inputs rows = random_rows(200, 5);
  const auto gradients = input_gradients(ensemble, rows.view(), Threads(1));
  const auto found = finite_independence(ensemble, rows.view(), {.epsilon = 0.01}, Threads(1));
  for (const auto& pair : found.pairs) {
    double part = 0;
    double all = 0;
    for (std::size_t r = 0; r < 200; ++r) {
      const std::span<const float> f(gradients[pair.of].row(r), 5);
      const std::span<const float> g(gradients[pair.along].row(r), 5);
      double squares = 0;
      for (const float x : f) squares += static_cast<double>(x) * static_cast<double>(x);
      part += squares * squared_cosine(f, g);
      all += squares;
    }
    EXPECT_NEAR(*pair.relative, part / all, 0.01);
    EXPECT_EQ(*pair.relative, pair.indep_err / found.own[pair.of]);
    EXPECT_NEAR(found.own[pair.of], 0.01 * 0.01 * all / 200, 0.02 * found.own[pair.of]);
  }
}

TEST(IndepErr, OfOneMemberIsUndefined) {
  Ensemble one = curved(Activation::tanh);
  one.members.resize(1);
  const Inputs rows = random_rows(3);
  const auto found = finite_independence(one, rows.view(), {}, Threads(1));
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_FALSE(found.indep_err.has_value());
}

TEST(Ascent, StaysInBallAndBoxAndNeverFalls) {
  const Ensemble ensemble = curved(Activation::relu, 4);
  const Inputs rows = random_rows(300, 4);
  const auto here = member_scores(ensemble, rows.view(), Threads(1));
  for (const Norm norm : {Norm::l2, Norm::linf}) {
    AscentOptions options{.epsilon = 0.7, .norm = norm, .steps = 9, .starts = 3};
    options.low.assign(4, -0.4F);
    options.high.assign(4, 0.6F);
    const Inputs found = ascend(ensemble, 1, rows.view(), options, Threads(2));
    const auto there = member_scores(ensemble, found.view(), Threads(1));
    for (std::size_t r = 0; r < 300; ++r) {
      EXPECT_GE(there[1](r, 0), here[1](r, 0) - 1e-6F);
      double squares = 0;
      for (std::size_t f = 0; f < 4; ++f) {
        const double away = static_cast<double>(found(r, f)) - static_cast<double>(rows(r, f));
        squares += away * away;
        EXPECT_LE(std::abs(away), 0.7 + 1e-6);
        EXPECT_GE(found(r, f), std::min(-0.4F, rows(r, f)));
        EXPECT_LE(found(r, f), std::max(0.6F, rows(r, f)));
      }
      if (norm == Norm::l2) {
        EXPECT_LE(std::sqrt(squares), 0.7 + 1e-6);
      }
    }
  }
}

TEST(Ascent, DoesNotDependOnThreads) {
  const Ensemble ensemble = curved(Activation::relu, 4);
  const Inputs rows = random_rows(700, 4);
  const AscentOptions options{.starts = 2};
  const Inputs one = ascend(ensemble, 0, rows.view(), options, Threads(1));
  const Inputs three = ascend(ensemble, 0, rows.view(), options, Threads(3));
  for (std::size_t r = 0; r < 700; ++r) {
    for (std::size_t f = 0; f < 4; ++f) EXPECT_EQ(one(r, f), three(r, f));
  }
}

// For small noise, the correlation is the gradients' cosine, and the mutual information is -1/2 ln(1 - cos^2).
TEST(Noise, CorrelationOfChangesGoesToCos2AndInformationWithIt) {
  const Ensemble ensemble = curved(Activation::softplus, 5);
  const Inputs rows = random_rows(100, 5);
  const auto gradients = input_gradients(ensemble, rows.view(), Threads(1));
  const auto exact = gradient_diversity(std::vector<InputsView>{gradients[0], gradients[1], gradients[2]});
  const auto found = noise_independence(ensemble, rows.view(), {.sigma = 1e-3, .draws = 4000}, Threads(2));
  ASSERT_EQ(found.pairs.size(), 3U);
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_NEAR(found.pairs[p].correlation2, *exact.pairs[p].cos2, 0.01);
    EXPECT_NEAR(found.pairs[p].information, *exact.pairs[p].local_mutual_information, 0.02);
  }
  EXPECT_NEAR(*found.correlation2, *exact.cos2, 0.01);
}

TEST(Noise, OfManyRowsLooksAtSomeOfThem) {
  const Ensemble ensemble = curved(Activation::relu);
  const Inputs rows = random_rows(3 * kMostNoiseRows);
  Inputs third(kMostNoiseRows, 2);
  for (std::size_t r = 0; r < kMostNoiseRows; ++r) std::copy_n(rows.row(3 * r), 2, third.row(r));
  const NoiseOptions options{.draws = 16};
  EXPECT_EQ(noise_independence(ensemble, rows.view(), options, Threads(1)).correlation2,
            noise_independence(ensemble, third.view(), options, Threads(2)).correlation2);
}

}  // namespace
}  // namespace perpend
