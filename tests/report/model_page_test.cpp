#include "perpend/report/model_page.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace perpend {
namespace {

// Three independent members, measured beside logistic regression.
ModelView view_of(double log_loss, double of_logistic) {
  ModelView view;
  view.name = "m.safetensors";
  view.members = 3;
  view.classes = {"no", "yes"};
  view.summary.rows = {300, 0, 100, 0};
  Evaluation seen;
  seen.log_loss = log_loss;
  seen.grad_cos2 = 0.01;
  seen.members.resize(3);
  view.summary.test = seen;
  Baselines beside;
  beside.logistic.log_loss = of_logistic;
  beside.majority.log_loss = 0.693;
  beside.behind_logistic = log_loss - of_logistic;
  beside.standard_error = 0.01;
  view.summary.baselines = beside;
  return view;
}

const Fact* fact_called(const Page& page, const std::string& name) {
  const auto found = std::ranges::find(page.facts, name, &Fact::name);
  return found == page.facts.end() ? nullptr : &*found;
}

TEST(ModelPage, PraisesTheIndependenceOfAGoodEnsembleOnly) {
  EXPECT_EQ(model_page(view_of(0.3, 0.5), "LIT", "0").headline, "Three members, three independent explanations");
  const Page weak = model_page(view_of(0.6, 0.5), "LIT", "0");
  EXPECT_EQ(weak.headline, "Three members that together answer worse than one logistic regression");
  EXPECT_NE(weak.lede[0].find("Do not read anything into that"), std::string::npos) << weak.lede[0];
  EXPECT_EQ(model_page(view_of(0.9, 0.5), "LIT", "0").headline,
            "Three members that together answer worse than the majority class");
}

TEST(ModelPage, SaysWhatLambdaIsWhereItIsNamed) {
  ModelView view = view_of(0.3, 0.5);
  EXPECT_NE(model_page(view, "LIT, lambda 0", "0").lede[0].find("kept the members apart; 0 is not at all."),
            std::string::npos);
  view.lambda = 0.3;
  EXPECT_NE(model_page(view, "LIT, lambda 0.3", "0").lede[0].find("kept the members apart."), std::string::npos);
  EXPECT_EQ(model_page(view, "random restarts", "0").lede[0].find("ambda"), std::string::npos);
}

TEST(ModelPage, HasTheFigureOfLogisticRegressionWhereItIsKnown) {
  ModelView view = view_of(0.3, 0.505);
  const Page page = model_page(view, "LIT", "0");
  ASSERT_NE(fact_called(page, "Logistic regression"), nullptr);
  EXPECT_EQ(fact_called(page, "Logistic regression")->value, "0.505");
  view.summary.baselines.reset();
  EXPECT_EQ(fact_called(model_page(view, "LIT", "0"), "Logistic regression"), nullptr);
}

}  // namespace
}  // namespace perpend
