#include "perpend/evaluate/evaluate.h"

#include <gtest/gtest.h>

#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/model/predict.h"
#include "tests/evaluate/ensemble_mean.h"

namespace perpend {
namespace {

using Classes = std::vector<std::int32_t>;

Matrix<double, axis::Member, axis::Row> two_members() {
  Matrix<double, axis::Member, axis::Row> members(2, 4);
  const double values[2][4] = {{.9, .2, .6, .4}, {.7, .8, .1, .3}};
  for (std::size_t m = 0; m < 2; ++m) {
    for (std::size_t r = 0; r < 4; ++r) members(m, r) = values[m][r];
  }
  return members;
}

TEST(Evaluate, JoinsEveryMetric) {
  const auto members = two_members();
  const Classes labels = {1, 0, 0, 1};
  Inputs g(4, 2);
  Inputs h(4, 2);
  for (std::size_t r = 0; r < 4; ++r) g(r, 0) = h(r, r % 2) = 10;
  const std::vector<InputsView> gradients = {g, h};
  const Evaluation e = evaluate(ensemble_mean(members.view()), members, labels, gradients);
  EXPECT_EQ(e.auc, 0.625);  // means .8 .5 .35 .35: 2.5 of 4 pairs
  EXPECT_EQ(e.accuracy, 0.75);
  ASSERT_EQ(e.members.size(), 2U);
  EXPECT_EQ(e.members[0].accuracy, 0.5);  // wrong on rows 2 and 3
  EXPECT_EQ(e.members[1].accuracy, 0.5);  // wrong on rows 1 and 3
  EXPECT_EQ(e.rho_av, 0.0);
  EXPECT_EQ(e.q_av, 0.0);
  EXPECT_EQ(e.disagreement, 0.5);
  EXPECT_EQ(e.kappa, 0.0);
  EXPECT_NEAR(*e.grad_cos2, 0.5, 1e-12);
  EXPECT_EQ(e.undefined_pairs, 0U);
}

TEST(Evaluate, WithoutGradientsLeavesTheirMetricUndefined) {
  const auto members = two_members();
  const Evaluation e = evaluate(ensemble_mean(members.view()), members, Classes{1, 0, 0, 1}, {});
  EXPECT_EQ(e.grad_cos2, std::nullopt);
}

TEST(Evaluate, SaysHowManyPairsHaveNoCorrelation) {
  const auto members = two_members();
  const Evaluation e = evaluate(ensemble_mean(members.view()), members, Classes{1, 0, 1, 0}, {});  // first is perfect
  EXPECT_EQ(e.rho_av, std::nullopt);
  EXPECT_EQ(e.undefined_pairs, 1U);
}

TEST(Evaluate, TwoClassColumnsGiveTheBinaryNumbers) {
  const auto members = two_members();
  const Classes labels = {1, 0, 0, 1};
  std::vector<Matrix<double, axis::Row, axis::Out>> tables(2, Matrix<double, axis::Row, axis::Out>(4, 2));
  for (std::size_t m = 0; m < 2; ++m) {
    for (std::size_t r = 0; r < 4; ++r) {
      tables[m](r, 1) = members(m, r);
      tables[m](r, 0) = 1 - members(m, r);
    }
  }
  const std::vector<ClassProbabilities> views = {tables[0], tables[1]};
  const Evaluation one = evaluate(ensemble_mean(members.view()), members, labels, {});
  const Evaluation two = evaluate(ensemble_mean(views).view(), views, labels, {});
  EXPECT_EQ(one.accuracy, two.accuracy);
  EXPECT_NEAR(*one.log_loss, *two.log_loss, 1e-14);
  EXPECT_NEAR(*one.brier, *two.brier, 1e-14);
  EXPECT_EQ(one.rho_av, two.rho_av);
  EXPECT_EQ(one.kappa, two.kappa);
}

Inputs many_rows() {
  Inputs rows(5000, 3);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t f = 0; f < 3; ++f) rows(r, f) = static_cast<float>((r * 7 + f * 13) % 31) - 15;
  }
  return rows;
}

TEST(GradientDiversity, OfAnEnsembleIsThatOfAllItsGradients) {
  const Ensemble ensemble = initial_ensemble({.features = 3, .hidden = {7}}, 3, 1);
  const Inputs rows = many_rows();
  const Threads threads(2);
  const auto gradients = input_gradients(ensemble, rows.view(), threads);
  const std::vector<InputsView> views = {gradients[0], gradients[1], gradients[2]};
  const GradientDiversity whole = gradient_diversity(views);
  const GradientDiversity blocks = gradient_diversity(ensemble, rows.view(), threads);
  EXPECT_EQ(blocks.cos2, whole.cos2);
  EXPECT_EQ(blocks.local_mutual_information, whole.local_mutual_information);
  ASSERT_EQ(blocks.pairs.size(), 3U);
  EXPECT_EQ(blocks.pairs[2].cosine, whole.pairs[2].cosine);
}

TEST(EvaluateEnsemble, ReadsEachRowAlongItsOwnTangents) {
  const Ensemble ensemble = initial_ensemble({.features = 3, .hidden = {7}}, 3, 1);
  Dataset data;
  data.inputs = many_rows();
  for (std::size_t r = 0; r < data.inputs.rows(); ++r) data.labels.push_back(r % 3 == 0 ? 1 : 0);
  Tangents tangents = Tangents::per_row(data.inputs.rows(), 3, 2);
  for (std::size_t r = 0; r < data.inputs.rows(); ++r) {
    tangents.direction(r, 0)[r % 3] = 1;
    tangents.direction(r, 1)[(r / 512) % 3] = 0.5F;
  }
  const Threads threads(2);
  const auto gradients = input_gradients(ensemble, data.inputs.view(), threads);
  const std::vector<InputsView> views = {gradients[0], gradients[1], gradients[2]};
  const Evaluation seen = evaluate_ensemble(ensemble, equal_mean(3), data, threads, tangents);
  EXPECT_EQ(seen.tangent_cos2, tangent_diversity(views, tangents).cos2);
  EXPECT_EQ(seen.grad_cos2, gradient_diversity(views).cos2);
  EXPECT_EQ(evaluate_ensemble(ensemble, equal_mean(3), data, threads).tangent_cos2, std::nullopt);
}

}  // namespace
}  // namespace perpend
