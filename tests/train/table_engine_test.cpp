// Compares the engine of tables with the general one, which sees the same columns as dense matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "perpend/objective/lit.h"
#include "perpend/train/engine.h"
#include "perpend/train/step.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"
#include "tests/support/targets.h"

namespace perpend {
namespace {

struct TableShape {
  std::size_t rows, columns, units, members;
};

std::string table_name(const testing::TestParamInfo<TableShape>& info) {
  const TableShape& s = info.param;
  return "B" + std::to_string(s.rows) + "_D" + std::to_string(s.columns) + "_H" + std::to_string(s.units) + "_M" +
         std::to_string(s.members);
}

std::vector<TableShape> table_shapes() {
  std::vector<TableShape> shapes;
  for (const std::size_t rows : {7, 64, 256, 300}) {
    for (const std::size_t columns : {1, 5, 17, 70}) shapes.push_back({rows, columns, 40, 3});
  }
  for (const std::size_t units : {1, 16, 31, 33, 64, 65, 128, 200, 256, 257, 300, 512}) {
    shapes.push_back({90, 6, units, 2});
  }
  return shapes;
}

Ensemble start_of(const TableShape& shape, const Dataset& data) {
  const Architecture architecture{.features = shape.columns,
                                  .hidden = {shape.units},
                                  .columns = data.columns,
                                  .views = {View::linear, View::piecewise}};
  Ensemble ensemble = initial_ensemble(architecture, shape.members, 5);
  // Biases are not zero, so that their part in every formula is seen.
  for (auto& member : ensemble.members) {
    for (std::size_t u = 0; u < shape.units; ++u) member.layers[0].bias[u] = 0.1F * static_cast<float>(u % 7) - 0.2F;
    member.layers[1].bias[1] = 0.3F;
  }
  return ensemble;
}

std::vector<RowList> rows_in_order(std::size_t rows) {
  std::vector<RowList> lists(1, RowList(rows));
  std::iota(lists[0].begin(), lists[0].end(), 0U);
  return lists;
}

double squared_distance(const Network<float>& a, const Network<float>& b) {
  const auto x = test::flat(a);
  const auto y = test::flat(b);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(x[i] - y[i], 2);
  return sum;
}

class TableEnginesTest : public testing::TestWithParam<TableShape> {};

TEST_P(TableEnginesTest, AStepEqualsTheGeneralStep) {
  const TableShape shape = GetParam();
  const Dataset data = test::mixed_data(shape.rows, shape.columns, 3);
  const Ensemble start = start_of(shape, data);
  const Threads threads(1);
  const EngineOptions options{.max_rows = shape.rows, .with_input_gradients = true, .keep = 0.5, .seed = 9};
  TableEngine tables(start, options, threads);
  GeneralEngine general(start, options, threads);
  const auto lists = rows_in_order(shape.rows);
  Batches own(data, shape.rows, 1, tables.layout(), threads);
  Batches copied(data, shape.rows, 1, BatchLayout::copied, threads);
  own.begin(lists, 0, shape.rows, {}, 0);
  copied.begin(lists, 0, shape.rows, {}, 0);
  const Lit<float> lit({.lambda = 0.5});
  const auto from_tables = evaluate_step(tables, lit, own, threads);
  const auto from_general = evaluate_step(general, lit, copied, threads);
  for (std::size_t m = 0; m < shape.members; ++m) {
    EXPECT_NEAR(from_tables.fit[m], from_general.fit[m], 1e-4);
    for (std::size_t r = 0; r < shape.rows; ++r) {
      EXPECT_NEAR(tables.seam().scores[m](r, 0), general.seam().scores[m](r, 0), 1e-4) << m << ' ' << r;
    }
  }
  EXPECT_NEAR(from_tables.penalty, from_general.penalty, 1e-4 * (1 + from_general.penalty));

  const kernels::AdamStep descent{
      .step_size = 1, .inverse_root = 0, .epsilon = 1, .beta1 = 0, .beta2 = 0, .weight_decay = 0};
  EXPECT_TRUE(tables.update(own, descent));
  EXPECT_TRUE(general.update(copied, descent));
  const Ensemble a = tables.ensemble();
  const Ensemble b = general.ensemble();
  for (std::size_t m = 0; m < shape.members; ++m) {
    const double apart = std::sqrt(squared_distance(a.members[m], b.members[m]));
    const double moved = std::sqrt(squared_distance(b.members[m], start.members[m]));
    EXPECT_LE(apart, (shape.columns == 1 ? 1e-3 : 3e-5) * moved + 1e-6) << "member " << m;
    EXPECT_GT(moved, 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TableEnginesTest, testing::ValuesIn(table_shapes()), table_name);

// Compares the input gradients themselves. In the test above, the objective has replaced them.
TEST(TableEngine, InputGradientsEqualTheGeneralOnes) {
  const TableShape shape{100, 12, 40, 4};
  const Dataset data = test::mixed_data(shape.rows, shape.columns, 4);
  const Threads threads(1);
  const EngineOptions options{.max_rows = shape.rows, .with_input_gradients = true, .keep = 0.8, .seed = 2};
  TableEngine tables(start_of(shape, data), options, threads);
  GeneralEngine general(start_of(shape, data), options, threads);
  const auto lists = rows_in_order(shape.rows);
  Batches own(data, shape.rows, 1, tables.layout(), threads);
  Batches copied(data, shape.rows, 1, BatchLayout::copied, threads);
  own.begin(lists, 0, shape.rows, {}, 0);
  copied.begin(lists, 0, shape.rows, {}, 0);
  tables.forward(own);
  general.forward(copied);
  for (std::size_t m = 0; m < shape.members; ++m) {
    for (std::size_t r = 0; r < shape.rows; ++r) {
      for (std::size_t c = 0; c < shape.columns; ++c) {
        const float expected = general.seam().input_gradients[m](r, c);
        EXPECT_NEAR(tables.seam().input_gradients[m](r, c), expected, 1e-5 * (1 + std::abs(expected)));
      }
    }
  }
}

// Makes several steps of Adam, on every instruction set, and on any number of threads.
TEST(TableEngine, TrainsToTheSameBitsOnEveryTargetAndOnAnyThreads) {
  const TableShape shape{300, 9, 100, 3};
  const Dataset data = test::mixed_data(shape.rows, shape.columns, 6);
  const Lit<float> lit({.lambda = 0.5});
  const auto lists = rows_in_order(shape.rows);
  const auto trained = [&](int count) {
    const Threads threads(count);
    const EngineOptions options{.max_rows = shape.rows, .with_input_gradients = true, .keep = 0.8, .seed = 9};
    TableEngine engine(start_of(shape, data), options, threads);
    Batches batches(data, shape.rows, 1, engine.layout(), threads);
    for (std::uint32_t step = 0; step < 4; ++step) {
      batches.begin(lists, 0, step == 2 ? 70 : shape.rows, {}, step);  // a short batch after a long one
      evaluate_step(engine, lit, batches, threads);
      EXPECT_TRUE(engine.update(batches, kernels::AdamStep{.step_size = 1e-2F,
                                                           .inverse_root = 1,
                                                           .epsilon = 1e-8F,
                                                           .beta1 = 0.9F,
                                                           .beta2 = 0.999F,
                                                           .weight_decay = 1e-4F}));
    }
    return test::flat(engine.ensemble());
  };
  const auto expected = trained(1);
  EXPECT_NE(expected, test::flat(start_of(shape, data)));
  for (const int count : {2, 3, 8}) EXPECT_TRUE(test::same_bits(trained(count), expected)) << count << " threads";
  test::on_every_target([&] { EXPECT_TRUE(test::same_bits(trained(1), expected)); });
}

}  // namespace
}  // namespace perpend
