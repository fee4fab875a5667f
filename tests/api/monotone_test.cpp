// Columns with a direction: no member's score falls along an increasing column or rises along a decreasing one. This
// holds near the training rows and far from them, and also where the labels say the opposite.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perpend/api/fit.h"
#include "perpend/api/predict.h"
#include "perpend/base/error.h"
#include "perpend/base/random.h"
#include "perpend/data/encode.h"
#include "perpend/data/read_csv.h"
#include "perpend/model/predict.h"
#include "perpend/store/trained_model.h"

namespace perpend {
namespace {

constexpr std::size_t kSteps = 81;  // in each walk, from -20 to 20; training rows lie between -3 and 3
constexpr std::size_t kWalks = 12;

// The label first rises and then falls with `up`, and it first falls and then rises with `down`. Some cells of both are
// missing.
std::string rows_text(bool number) {
  const Stream stream({.seed = 3, .purpose = Purpose::test, .member = 0, .step = 0});
  std::string text = "up,down,free,word,when,y\n";
  for (std::size_t i = 0; i < 400; ++i) {
    const double up = stream.normal(4 * i);
    const double down = stream.normal(4 * i + 1);
    const double free = stream.normal(4 * i + 2);
    const double y = 1 - up * up + down * down + std::sin(3 * free) + 0.3 * stream.normal(4 * i + 3);
    text += (i % 11 == 0 ? "" : std::to_string(up)) + "," + (i % 13 == 0 ? "" : std::to_string(down)) + "," +
            std::to_string(free) + "," + (i % 3 == 0 ? "red" : "blue") + ",2024-01-" + (i % 2 == 0 ? "03" : "17") + ",";
    text += number ? std::to_string(y) : y > 0.5 ? "yes" : "no";
    text += "\n";
  }
  return text;
}

Table bent_table(const std::string& text) { return read_csv(bytes_in_memory("t.csv", text)); }

// Walks of rows, each of which changes one column alone.
Table walks(const std::string& column) {
  const Stream stream({.seed = 4, .purpose = Purpose::test, .member = 0, .step = 0});
  std::string text = "up,down,free,word,when\n";
  for (std::size_t w = 0; w < kWalks; ++w) {
    for (std::size_t i = 0; i < kSteps; ++i) {
      const std::string at = std::to_string(-20 + 0.5 * static_cast<double>(i));
      const std::string other = w % 4 == 0 ? "" : std::to_string(stream.normal(2 * w));
      text += (column == "up" ? at : other) + "," + (column == "down" ? at : other) + "," +
              std::to_string(stream.normal(2 * w + 1)) + "," + (w % 3 == 0 ? "red" : "blue") + ",2024-01-03\n";
    }
  }
  return bent_table(text);
}

RunOptions monotone_options(Method method = Method::lit) {
  RunOptions options;
  options.schema.target = "y";
  options.schema.missing = Missing::indicator;
  options.train.method = method;
  options.train.threads = 2;
  options.train.epochs = 15;
  options.increasing = {"up"};
  options.decreasing = {"down"};
  return options;
}

// Returns how far a member's score goes the wrong way at most.
double worst_breach(const TrainedModel& model, const std::string& column) {
  const Table table = walks(column);
  const Inputs inputs = encode_inputs(table, model.schema, all_rows(table));
  const auto scores = member_scores(model.ensemble, inputs.view(), Threads(2));
  const double sign = column == "up" ? 1 : -1;
  double worst = 0;
  for (std::size_t m = 0; m < scores.members(); ++m) {
    for (std::size_t row = 1; row < table.rows; ++row) {
      if (row % kSteps == 0) continue;
      const double step = sign * (scores[m](row, 0) - scores[m](row - 1, 0));
      worst = std::max(worst, -step / (1 + std::abs(static_cast<double>(scores[m](row, 0)))));
    }
  }
  return worst;
}

void expect_obeyed(const Table& table, const RunOptions& options) {
  const TrainedModel model = fit(table, options).model;
  for (const char* column : {"up", "down"}) EXPECT_LT(worst_breach(model, column), 1e-5) << column;
}

TEST(Monotone, HoldsInEveryMemberOfEveryMethod) {
  const Table table = bent_table(rows_text(false));
  for (const Method method :
       {Method::lit, Method::restarts, Method::bagging, Method::adaboost, Method::ncl, Method::ace}) {
    SCOPED_TRACE(method_info(method).word);
    expect_obeyed(table, monotone_options(method));
  }
}

TEST(Monotone, IsBrokenByTheSameRowsWithoutDirections) {
  RunOptions options = monotone_options();
  options.increasing = options.decreasing = {};
  const TrainedModel model = fit(bent_table(rows_text(false)), options).model;
  EXPECT_GT(worst_breach(model, "up"), 0.01);
  EXPECT_GT(worst_breach(model, "down"), 0.01);
}

TEST(Monotone, HoldsForPlainFeaturesAndOtherActivations) {
  const Table table = bent_table(rows_text(false));
  RunOptions options = monotone_options();
  options.views_auto = false;
  options.schema.missing = Missing::mean;
  for (const Activation activation : {Activation::relu, Activation::softplus, Activation::tanh, Activation::sigmoid}) {
    options.train.activation = activation;
    expect_obeyed(table, options);
  }
}

TEST(Monotone, HoldsForNumbers) {
  const Table table = bent_table(rows_text(true));
  expect_obeyed(table, monotone_options());
  expect_obeyed(table, monotone_options(Method::bagging));
}

TEST(Monotone, HoldsForTheEnsemble) {
  const Table table = bent_table(rows_text(false));
  const Fitted fitted = fit(table, monotone_options());
  const Table walk = walks("up");
  const Predictions answers = predict(fitted.model, walk);
  for (std::size_t row = 1; row < walk.rows; ++row) {
    if (row % kSteps == 0) continue;
    EXPECT_GE(answers.probability(row, 1), answers.probability(row - 1, 1) - 1e-6) << row;
  }
}

TEST(Monotone, LeavesTheOtherColumnsFree) {
  const TrainedModel model = fit(bent_table(rows_text(false)), monotone_options()).model;
  EXPECT_GT(*model.summary.test->auc, 0.6) << "`free` alone says much";
}

std::string direction_refusal(const RunOptions& options, bool number = false) {
  try {
    fit(bent_table(rows_text(number)), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Monotone, RefusesWhatHasNoOrder) {
  const auto of = [](std::vector<std::string> increasing, std::vector<std::string> decreasing = {}) {
    RunOptions options = monotone_options();
    options.increasing = std::move(increasing);
    options.decreasing = std::move(decreasing);
    return direction_refusal(options);
  };
  EXPECT_EQ(of({"word"}), "column 'word' is a category, and categories have no order; leave it out of increasing");
  EXPECT_EQ(of({"when"}),
            "column 'when' is a date, which becomes several inputs such as its month; leave it out of increasing");
  EXPECT_EQ(of({}, {"y"}), "column 'y' is the target and no input; leave it out of decreasing");
  EXPECT_EQ(of({"up"}, {"up"}), "column 'up' is in increasing and in decreasing; leave it out of one of them");
  EXPECT_NE(of({"upp"}).find("did you mean 'up'?"), std::string::npos);
}

TEST(Monotone, RefusesDeepNetworksAndLossesOtherThanTheSquare) {
  RunOptions options = monotone_options();
  options.train.hidden = {16, 16};
  EXPECT_EQ(direction_refusal(options),
            "increasing needs one hidden layer, and hidden has 2; give one, or leave it out");
  options = monotone_options();
  options.schema.loss.kind = RegressionLoss::Kind::absolute;
  EXPECT_NE(direction_refusal(options, true).find("increasing is for loss=squared"), std::string::npos)
      << direction_refusal(options, true);
}

}  // namespace
}  // namespace perpend
