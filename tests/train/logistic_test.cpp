#include "perpend/train/logistic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/data.h"

namespace perpend {
namespace {

using Json = nlohmann::json;

struct Case {
  Inputs inputs;
  std::vector<std::int32_t> labels;
  std::vector<float> weights;
  std::size_t classes = 2;

  LogisticRegression fit() const { return fit_logistic(inputs.view(), labels, classes, weights); }
};

Case case_of(const Json& one) {
  const Json& table = one["inputs"];
  Case found{.inputs = Inputs(table.size(), table[0].size()),
             .labels = one["labels"].get<std::vector<std::int32_t>>(),
             .weights = {},
             .classes = one["classes"]};
  for (std::size_t r = 0; r < table.size(); ++r) {
    for (std::size_t f = 0; f < table[r].size(); ++f) found.inputs(r, f) = table[r][f];
  }
  if (!one["row_weights"].is_null()) found.weights = one["row_weights"].get<std::vector<float>>();
  return found;
}

Case made(std::size_t rows, std::size_t features, int classes) {
  Dataset data = test::normal_data(rows, features, 5, classes);
  return {std::move(data.inputs), std::move(data.labels), {}, static_cast<std::size_t>(classes)};
}

TEST(Logistic, FindsWhatScikitLearnFinds) {
  const Json cases = Json::parse(std::ifstream(PERPEND_GOLDEN "/logistic.json"));
  ASSERT_EQ(cases.size(), 6);
  for (const Json& one : cases) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const Case given = case_of(one);
    const LogisticRegression model = given.fit();
    ASSERT_EQ(model.bias.size(), one["intercepts"].size());
    for (std::size_t s = 0; s < model.bias.size(); ++s) {
      const double intercept = one["intercepts"][s];
      EXPECT_NEAR(model.bias[s], intercept, 1e-5 * std::max(1.0, std::abs(intercept)));
      for (std::size_t f = 0; f < given.inputs.cols(); ++f) {
        EXPECT_NEAR(model.weights(s, f), one["coefficients"][s][f].get<double>(), 1e-5) << f;
      }
    }
    const auto probabilities = class_probabilities(model, given.inputs.view());
    for (std::size_t r = 0; r < given.labels.size(); ++r) {
      for (std::size_t k = 0; k < given.classes; ++k) {
        EXPECT_NEAR(probabilities(r, k), one["probabilities"][r][k].get<double>(), 1e-5) << r;
      }
    }
  }
}

// The largest derivative of the penalised loss by a standardised weight or a bias, divided by the number of rows.
double largest_gradient(const Case& given, const LogisticRegression& model) {
  const std::size_t n = given.inputs.rows();
  const auto p = class_probabilities(model, given.inputs.view());
  double most = 0;
  for (std::size_t s = 0; s < model.bias.size(); ++s) {
    const std::size_t k = model.bias.size() == 1 ? 1 : s;
    const auto residual = [&](std::size_t r) {
      return static_cast<double>(p(r, k)) - (given.labels[r] == static_cast<std::int32_t>(k) ? 1 : 0);
    };
    double of_bias = 0;
    for (std::size_t r = 0; r < n; ++r) of_bias += residual(r);
    most = std::max(most, std::abs(of_bias));
    for (std::size_t f = 0; f < given.inputs.cols(); ++f) {
      double mean = 0;
      double squares = 0;
      for (std::size_t r = 0; r < n; ++r) mean += given.inputs(r, f) / static_cast<double>(n);
      for (std::size_t r = 0; r < n; ++r) squares += std::pow(given.inputs(r, f) - mean, 2) / static_cast<double>(n);
      const double sd = std::sqrt(squares);
      double of_weight = model.weights(s, f) * sd;
      for (std::size_t r = 0; r < n; ++r) of_weight += residual(r) * (given.inputs(r, f) - mean) / sd;
      most = std::max(most, std::abs(of_weight));
    }
  }
  return most / static_cast<double>(n);
}

TEST(Logistic, TheGradientIsZeroWhereItEnds) {
  for (const auto& given : {made(500, 7, 2), made(500, 7, 4), made(60, 200, 2), made(60, 80, 3)}) {
    SCOPED_TRACE(given.inputs.cols());
    EXPECT_LT(largest_gradient(given, given.fit()), 1e-6);
  }
}

TEST(Logistic, AWeightOfTwoIsTheRowTwice) {
  const Case once = made(50, 3, 2);
  Case weighted = once;
  weighted.weights.assign(50, 1);
  weighted.weights[3] = 2;
  weighted.weights[7] = 0;
  Case copied{Inputs(50, 3), once.labels, {}, 2};
  for (std::size_t r = 0; r < 50; ++r) {
    const std::size_t from = r == 7 ? 3 : r;
    std::copy_n(once.inputs.row(from), 3, copied.inputs.row(r));
    copied.labels[r] = once.labels[from];
  }
  const auto a = weighted.fit();
  const auto b = copied.fit();
  EXPECT_NEAR(a.bias[0], b.bias[0], 1e-6);
  for (std::size_t f = 0; f < 3; ++f) EXPECT_NEAR(a.weights(0, f), b.weights(0, f), 1e-6);
}

TEST(Logistic, WhatCannotBeLearnedStillEnds) {
  Case one_class = made(30, 2, 2);
  std::ranges::fill(one_class.labels, 1);
  EXPECT_GT(class_probabilities(one_class.fit(), one_class.inputs.view())(0, 1), 0.9999F);

  Case constant{Inputs(30, 1), made(30, 1, 2).labels, {}, 2};
  const auto share = static_cast<double>(std::ranges::count(constant.labels, 1)) / 30;
  const auto model = constant.fit();
  EXPECT_EQ(model.weights(0, 0), 0);
  EXPECT_NEAR(class_probabilities(model, constant.inputs.view())(0, 1), share, 1e-6);

  Case weightless = made(30, 2, 3);
  weightless.weights.assign(30, 0);
  EXPECT_NEAR(class_probabilities(weightless.fit(), weightless.inputs.view())(0, 2), 1.0 / 3, 1e-6);
}

TEST(Logistic, AnInfiniteNumberGivesAProbabilityAllTheSame) {
  Case given = made(40, 2, 2);
  const auto model = given.fit();
  given.inputs(0, 0) = std::numeric_limits<float>::infinity();
  const float there = class_probabilities(model, given.inputs.view())(0, 1);
  EXPECT_TRUE(there == 0 || there == 1) << there;
  const float fitted = class_probabilities(given.fit(), given.inputs.view())(1, 1);
  EXPECT_TRUE(fitted >= 0 && fitted <= 1) << fitted;
}

}  // namespace
}  // namespace perpend
