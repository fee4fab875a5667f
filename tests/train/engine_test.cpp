#include "perpend/train/engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/lit.h"
#include "perpend/train/adam.h"
#include "perpend/train/step.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"
#include "tests/support/targets.h"

namespace perpend {
namespace {

struct Shape {
  std::size_t rows, features, units, members;
};

std::string name_of(const testing::TestParamInfo<Shape>& info) {
  const Shape& s = info.param;
  return "B" + std::to_string(s.rows) + "_D" + std::to_string(s.features) + "_H" + std::to_string(s.units) + "_M" +
         std::to_string(s.members);
}

std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes;
  for (const std::size_t rows : {1, 7, 256, 300}) {
    for (const std::size_t features : {1, 8, 33, 116}) {
      for (const std::size_t units : {1, 17, 256}) {
        for (const std::size_t members : {1, 2, 5, 13}) shapes.push_back({rows, features, units, members});
      }
    }
  }
  // Widths around every boundary of the column plan, and more units than a chunk.
  for (const std::size_t features : {2, 3, 7, 9, 10, 11, 15, 16, 17, 18, 19, 31, 32, 34, 35, 41, 42, 63, 64, 65}) {
    shapes.push_back({70, features, 40, 2});
  }
  for (const std::size_t units : {255, 257, 512, 600}) shapes.push_back({130, 10, units, 2});
  return shapes;
}

class EnginesTest : public testing::TestWithParam<Shape> {
 protected:
  static Ensemble start(const Shape& shape) {
    Ensemble ensemble = initial_ensemble({.features = shape.features, .hidden = {shape.units}}, shape.members, 5);
    // Biases are not zero, so that their part in every formula is seen.
    for (auto& member : ensemble.members) {
      for (std::size_t u = 0; u < shape.units; ++u) member.layers[0].bias[u] = 0.1F * static_cast<float>(u % 7) - 0.2F;
      member.layers[1].bias[1] = 0.3F;
    }
    return ensemble;
  }
};

double largest(MatrixView<const float, axis::Row, axis::Feature> a) {
  double most = 0;
  for (std::size_t r = 0; r < a.rows(); ++r) {
    for (std::size_t c = 0; c < a.cols(); ++c) most = std::max<double>(most, std::abs(a(r, c)));
  }
  return most;
}

std::vector<RowList> all_rows(std::size_t rows) {
  std::vector<RowList> lists(1, RowList(rows));
  std::iota(lists[0].begin(), lists[0].end(), 0U);
  return lists;
}

TEST_P(EnginesTest, CollapsedStepEqualsTheGeneralStep) {
  const Shape shape = GetParam();
  const Dataset data = test::normal_data(shape.rows, shape.features, 3);
  const Threads threads(1);
  const EngineOptions options{.max_rows = shape.rows, .with_input_gradients = true, .keep = 0.5, .seed = 9};
  CollapsedEngine collapsed(start(shape), options, threads);
  GeneralEngine general(start(shape), options, threads);
  const auto lists = all_rows(shape.rows);
  Batches own(data, shape.rows, 1, collapsed.layout(), threads);
  Batches copied(data, shape.rows, 1, BatchLayout::copied, threads);
  own.begin(lists, 0, shape.rows, {}, 0);
  copied.begin(lists, 0, shape.rows, {}, 0);
  const Lit<float> lit({.lambda = 0.5});

  collapsed.forward(own);
  general.forward(copied);
  for (std::size_t m = 0; m < shape.members; ++m) {
    const auto g = general.seam().input_gradients[m].middle_rows(0, shape.rows);
    const auto c = collapsed.seam().input_gradients[m].middle_rows(0, shape.rows);
    const double scale = std::max(largest(g), 1e-6);
    for (std::size_t r = 0; r < shape.rows; ++r) {
      EXPECT_NEAR(collapsed.seam().scores[m](r, 0), general.seam().scores[m](r, 0), 1e-4) << r;
      for (std::size_t f = 0; f < shape.features; ++f) ASSERT_NEAR(c(r, f), g(r, f), 1e-5 * scale) << r << ' ' << f;
    }
  }
  const auto from_collapsed = evaluate_step(collapsed, lit, own, threads);
  const auto from_general = evaluate_step(general, lit, copied, threads);
  EXPECT_NEAR(from_collapsed.penalty, from_general.penalty, 1e-4 * (1 + from_general.penalty));

  // Plain gradient descent shows the gradients themselves: Adam's first step would show only their signs.
  const kernels::AdamStep descent{
      .step_size = 1, .inverse_root = 0, .epsilon = 1, .beta1 = 0, .beta2 = 0, .weight_decay = 0};
  const Ensemble before = start(shape);
  EXPECT_TRUE(collapsed.update(own, descent));
  EXPECT_TRUE(general.update(copied, descent));
  const Ensemble a = collapsed.ensemble();
  const Ensemble b = general.ensemble();
  for (std::size_t m = 0; m < shape.members; ++m) {
    for (std::size_t l = 0; l < 2; ++l) {
      double moved = 0;
      double apart = 0;
      const auto& wa = a.members[m].layers[l].weight;
      const auto& wb = b.members[m].layers[l].weight;
      const auto& w0 = before.members[m].layers[l].weight;
      for (std::size_t i = 0; i < wa.rows(); ++i) {
        for (std::size_t j = 0; j < wa.cols(); ++j) {
          apart += std::pow(wa(i, j) - wb(i, j), 2);
          moved += std::pow(wb(i, j) - w0(i, j), 2);
        }
      }
      for (std::size_t j = 0; j < wa.cols(); ++j) {
        apart += std::pow(a.members[m].layers[l].bias[j] - b.members[m].layers[l].bias[j], 2);
        moved += std::pow(b.members[m].layers[l].bias[j] - before.members[m].layers[l].bias[j], 2);
      }
      // With one feature all gradients are parallel, and the penalty's adjoint is the difference of two equal terms.
      const double rounding = shape.features == 1 ? 2e-4 : 2e-5;
      EXPECT_LE(std::sqrt(apart), rounding * std::sqrt(moved) + 1e-6) << "member " << m << " layer " << l;
    }
  }
}

TEST(CollapsedEngine, AShortBatchKnowsNothingOfALongerOneBeforeIt) {
  const Threads threads(1);
  const EngineOptions options{.max_rows = 300, .with_input_gradients = true, .keep = 0.5, .seed = 9};
  const Lit<float> lit({.lambda = 0.5});
  // The steps have no memory, and the first has length 0. So the weights contain nothing of the long batch.
  const auto step = [](float size) {
    return kernels::AdamStep{size, /*inverse_root=*/0, /*epsilon=*/1, /*beta1=*/0, /*beta2=*/0, /*weight_decay=*/0};
  };
  const auto lists = all_rows(300);
  for (const std::size_t features : {8, 42}) {
    const Dataset data = test::normal_data(300, features, 3);
    const Ensemble start = initial_ensemble({.features = features, .hidden = {40}}, 2, 5);
    for (const std::size_t rows : {1, 64, 70, 200, 257}) {
      CollapsedEngine used(start, options, threads);
      Batches batches(data, 300, 1, used.layout(), threads);
      batches.begin(lists, 0, 300, {}, 0);
      evaluate_step(used, lit, batches, threads);
      EXPECT_TRUE(used.update(batches, step(0)));
      CollapsedEngine fresh(start, options, threads);
      batches.begin(lists, 0, rows, {}, 0);
      for (CollapsedEngine* engine : {&used, &fresh}) {
        evaluate_step(*engine, lit, batches, threads);
        EXPECT_TRUE(engine->update(batches, step(1)));
      }
      EXPECT_EQ(test::flat(used.ensemble()), test::flat(fresh.ensemble())) << features << ' ' << rows;
    }
  }
}

// The rows nearly agree, and the units depend little on the differences. No sign is certain by integers, so floats take
// over.
TEST(CollapsedEngine, TrainsTheSameOnRowsWithOneLargeNumberOnEveryTarget) {
  const Threads threads(2);
  Dataset data = test::normal_data(300, 33, 3);
  for (std::size_t r = 0; r < data.rows(); ++r) data.inputs(r, 0) = 1e6F;
  Ensemble start = initial_ensemble({.features = 33, .hidden = {40}}, 3, 5);
  for (auto& network : start.members) {
    for (std::size_t u = 0; u < 40; ++u) network.layers[0].weight(0, u) = 0;
  }
  const EngineOptions options{.max_rows = 300, .with_input_gradients = true, .keep = 0.5, .seed = 9};
  const Lit<float> lit({.lambda = 0.5});
  const auto lists = all_rows(300);
  const auto trained = [&] {
    CollapsedEngine engine(start, options, threads);
    Batches batches(data, 300, 1, engine.layout(), threads);
    for (std::uint32_t step = 0; step < 3; ++step) {
      batches.begin(lists, 0, 300, {}, step);
      evaluate_step(engine, lit, batches, threads);
      EXPECT_EQ(engine.layout(), BatchLayout::packed);
      EXPECT_TRUE(engine.update(batches, kernels::AdamStep{.step_size = 1e-9F,
                                                           .inverse_root = 1,
                                                           .epsilon = 1e-8F,
                                                           .beta1 = 0.9F,
                                                           .beta2 = 0.999F,
                                                           .weight_decay = 0}));
    }
    return test::flat(engine.ensemble());
  };
  const auto best = trained();
  EXPECT_NE(best, test::flat(start));
  test::on_every_target([&] { EXPECT_TRUE(test::same_bits(trained(), best)); });
}

INSTANTIATE_TEST_SUITE_P(Shapes, EnginesTest, testing::ValuesIn(all_shapes()), name_of);

}  // namespace
}  // namespace perpend
