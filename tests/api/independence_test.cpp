#include "perpend/api/independence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/api/evaluate.h"
#include "perpend/base/error.h"
#include "perpend/data/source.h"
#include "tests/api/small_fit.h"

namespace perpend::test {
namespace {

using Doubles = Matrix<double, axis::Row, axis::Feature>;

// Columns of standard deviation 2 and 5, and a constant one.
Doubles three_columns() {
  Doubles rows(4, 3);
  for (std::size_t r = 0; r < 4; ++r) {
    rows(r, 0) = r % 2 == 0 ? -2 : 2;
    rows(r, 1) = r < 2 ? -5 : 5;
    rows(r, 2) = 7;
  }
  return rows;
}

ScoreFunction linear(std::vector<double> weights) {
  return [weights](PlainRows rows) {
    std::vector<double> scores(rows.rows(), 0);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (std::size_t c = 0; c < rows.cols(); ++c) scores[r] += weights[c] * rows(r, c);
    }
    return scores;
  };
}

TEST(LocalIndependenceOfFunctions, IsTheCosineOfSlopesPerStandardDeviation) {
  const Doubles rows = three_columns();
  const Inputs slopes = difference_gradients(linear({3, 1, 9}), rows);
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_FLOAT_EQ(slopes(r, 0), 6);
    EXPECT_FLOAT_EQ(slopes(r, 1), 5);
    EXPECT_EQ(slopes(r, 2), 0);
  }
  const auto found = local_independence({linear({1, 0, 0}), linear({0, 1, 0}), linear({5, 2, 0})}, rows);
  ASSERT_EQ(found.gradients.pairs.size(), 3U);
  EXPECT_EQ(found.gradients.pairs[0].cos2, 0);
  EXPECT_NEAR(found.gradients.pairs[1].cos2.value(), 0.5, 1e-6);
  EXPECT_NEAR(found.gradients.cos2.value(), 1.0 / 3, 1e-6);
  EXPECT_FALSE(found.errors.has_value());
}

// x^2 has the slope 0 at 0, which a difference to one side does not see.
TEST(LocalIndependenceOfFunctions, TakesDifferencesToBothSides) {
  Doubles rows(3, 1);
  for (std::size_t r = 0; r < 3; ++r) rows(r, 0) = static_cast<double>(r) - 1;
  const ScoreFunction squares = [](PlainRows x) {
    std::vector<double> scores;
    for (std::size_t r = 0; r < x.rows(); ++r) scores.push_back(x(r, 0) * x(r, 0));
    return scores;
  };
  EXPECT_NEAR(difference_gradients(squares, rows)(1, 0), 0, 1e-9);
}

// A step up at 1: rows at -1 and 1, sd 1.
TEST(LocalIndependenceOfFunctions, CountsRowsWhereAModelDoesNotMove) {
  Doubles rows(2, 1);
  rows(0, 0) = -1;
  rows(1, 0) = 1;
  const ScoreFunction stump = [](PlainRows x) {
    std::vector<double> scores;
    for (std::size_t r = 0; r < x.rows(); ++r) scores.push_back(x(r, 0) > 1 ? 1 : 0);
    return scores;
  };
  EXPECT_EQ(local_independence({stump, linear({1})}, rows).gradients.flat, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(local_independence({stump, linear({1})}, rows, {.steps = {3}}).gradients.flat, (std::vector<double>{0, 0}));
}

TEST(LocalIndependenceOfGradients, TakesThemAsTheyAreBesideErrors) {
  Inputs first(1, 2);
  Inputs second(1, 2);
  first(0, 0) = second(0, 0) = second(0, 1) = 1;
  const std::vector<InputsView> both = {first, second};
  const auto found = local_independence(both, {{1}, {0}});
  EXPECT_NEAR(found.gradients.cos2.value(), 0.5, 1e-6);
  EXPECT_EQ(found.errors.value().disagreement.mean, 1);
  EXPECT_EQ(local_independence({}, {{1, 0}, {1, 0}}).errors.value().rho.mean, 1);
}

TEST(LocalIndependenceOfATrainedModel, IsThatOfItsEvaluation) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const auto found = local_independence(model, small_table());
  const Evaluation metrics = evaluate(model, small_table()).metrics;
  EXPECT_EQ(found.gradients.cos2, metrics.grad_cos2);
  EXPECT_EQ(found.gradients.flat.size(), 3U);
  EXPECT_EQ(found.errors.value().kappa, metrics.kappa);
  EXPECT_EQ(found.errors.value().rho.mean, metrics.rho_av);
}

TEST(ErrorsOfAnswers, CompareEachAnswerWithTheLabel) {
  const Table table = read_csv(bytes_in_memory("answers.csv", "one,y,two\n0,0,1\n1.0,1,1\n2,1,0\n"));
  const AnsweredErrors found = errors_of_answers(table, "y");
  EXPECT_EQ(found.models, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(found.errors, (std::vector<ErrorFlags>{{0, 0, 1}, {1, 0, 1}}));
}

TEST(ErrorsOfAnswers, RefuseProbabilitiesAndWordsThatAreNoClass) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      errors_of_answers(read_csv(bytes_in_memory("answers.csv", text)), "y");
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("y,one\n0,0\n1,0.873\n"),
            "answers.csv:3: the answer 'one' is 0.873, which looks like a probability; an answer must be the class "
            "that the model predicts, written as in 'y' ('0' and '1')");
  EXPECT_EQ(refusal("y,one\nno,N\nyes,Y\n"),
            "answers.csv:2: no answer in column 'one' is a class of 'y'; an answer must be the class that the model "
            "predicts, written as in 'y' ('no' and 'yes')");
  EXPECT_EQ(refusal("y,one\n0.5,0.5\n1,0.5\n"), "");  // here it is a class
}

TEST(LocalIndependence, RefusesWhatItCannotCompare) {
  const Doubles rows = three_columns();
  const ScoreFunction fine = linear({1, 1, 1});
  const ScoreFunction short_one = [](PlainRows) { return std::vector<double>{1}; };
  const ScoreFunction endless = [](PlainRows x) { return std::vector<double>(x.rows(), INFINITY); };
  EXPECT_THROW(local_independence(std::vector<ScoreFunction>{}, rows), DataError);
  EXPECT_THROW(local_independence({fine}, rows), DataError);
  EXPECT_THROW(local_independence({fine, short_one}, rows), DataError);
  EXPECT_THROW(local_independence({fine, endless}, rows), DataError);
  EXPECT_THROW(local_independence({fine, fine}, Doubles()), DataError);
  EXPECT_THROW(local_independence({fine, fine}, rows, {.steps = {0}}), ConfigError);
  EXPECT_THROW(local_independence({fine, fine}, rows, {.steps = {1, 1}}), ConfigError);
  EXPECT_THROW(local_independence({fine, fine}, rows, {.errors = {{1, 0, 0, 0}}}), DataError);
  EXPECT_THROW(local_independence({fine, fine}, rows, {.errors = {{1}, {0}}}), DataError);
  Doubles gap = three_columns();
  gap(2, 1) = NAN;
  EXPECT_THROW(local_independence({fine, fine}, gap), DataError);
}

}  // namespace
}  // namespace perpend::test
