// Compares with scikit-learn and numpy. tests/evaluate/make_golden.py makes the numbers.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/evaluate.h"
#include "perpend/evaluate/selective.h"
#include "tests/evaluate/ensemble_mean.h"

namespace perpend {
namespace {

using nlohmann::json;

const json& golden() {
  static const json numbers = json::parse(std::ifstream(PERPEND_GOLDEN "/metrics.json"));
  return numbers;
}

void expect_metric(const Metric& ours, const json& theirs, const std::string& name) {
  ASSERT_EQ(ours.has_value(), !theirs.is_null()) << name;
  if (ours) {
    EXPECT_NEAR(*ours, theirs.get<double>(), 1e-12) << name;
  }
}

template <class Table>
void fill(Table& table, const json& numerators) {
  const auto denominator = golden()["denominator"].get<double>();
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t j = 0; j < table.cols(); ++j) table(i, j) = numerators[i][j].get<double>() / denominator;
  }
}

struct BinaryCase {
  explicit BinaryCase(const json& c)
      : labels(c["labels"].get<std::vector<std::int32_t>>()),
        members(c["numerators"].size(), labels.size()),
        expected(c["expected"]) {
    fill(members, c["numerators"]);
    for (const auto& member : c["gradients"]) {
      Inputs& g = gradients.emplace_back(labels.size(), member[0].size());
      for (std::size_t r = 0; r < g.rows(); ++r) {
        for (std::size_t f = 0; f < g.cols(); ++f) g(r, f) = member[r][f].get<float>();
      }
    }
  }
  std::vector<std::int32_t> labels;
  Matrix<double, axis::Member, axis::Row> members;
  std::vector<Inputs> gradients;
  json expected;
};

TEST(GoldenMetrics, BinaryCasesAgree) {
  ASSERT_EQ(golden()["binary"].size(), 40U);
  for (const auto& numbers : golden()["binary"]) {
    const BinaryCase c(numbers);
    const std::vector<InputsView> gradients(c.gradients.begin(), c.gradients.end());
    const Evaluation e = evaluate(ensemble_mean(c.members.view()), c.members, c.labels, gradients);
    expect_metric(e.auc, c.expected["auc"], "auc");
    expect_metric(e.accuracy, c.expected["accuracy"], "accuracy");
    expect_metric(e.log_loss, c.expected["log_loss"], "log_loss");
    expect_metric(e.brier, c.expected["brier"], "brier");
    expect_metric(e.ece, c.expected["ece"], "ece");
    expect_metric(e.rho_av, c.expected["rho_av"], "rho_av");
    expect_metric(e.q_av, c.expected["q_av"], "q_av");
    expect_metric(e.kappa, c.expected["kappa"], "kappa");
    expect_metric(e.disagreement, c.expected["disagreement"], "disagreement");
    // scikit-learn adds no constant to the denominator. Here the constant is at most 1e-8 of any product of squares.
    EXPECT_NEAR(*e.grad_cos2, c.expected["grad_cos2"].get<double>(), 1e-8);
    for (std::size_t m = 0; m < e.members.size(); ++m) {
      expect_metric(e.members[m].auc, c.expected["member_auc"][m], "member_auc");
    }
  }
}

TEST(GoldenMetrics, BinaryCasesAgreeOnDoubleFaultDisagreementAndRisk) {
  for (const auto& numbers : golden()["binary"]) {
    const BinaryCase c(numbers);
    const std::size_t rows = c.labels.size();
    std::vector<ErrorFlags> errors;
    for (std::size_t m = 0; m < c.members.rows(); ++m)
      errors.push_back(find_errors({c.members.row(m), rows}, c.labels));
    expect_metric(diversity(errors).double_fault.mean, c.expected["double_fault"], "double_fault");
    double spread = 0;
    for (const double sd : row_disagreement(c.members.view())) spread += sd / static_cast<double>(rows);
    expect_metric(spread, c.expected["mean_row_disagreement"], "mean_row_disagreement");
    std::vector<double> uncertainty(rows);
    for (std::size_t r = 0; r < rows; ++r) uncertainty[r] = 1 - c.members(c.members.rows() - 1, r);
    expect_metric(risk_coverage(uncertainty, errors.back()).area, c.expected["risk_coverage_area"], "area");
  }
}

TEST(GoldenMetrics, ClassCasesAgree) {
  ASSERT_EQ(golden()["classes"].size(), 20U);
  for (const auto& numbers : golden()["classes"]) {
    const auto labels = numbers["labels"].get<std::vector<std::int32_t>>();
    Matrix<double, axis::Row, axis::Out> p(labels.size(), numbers["numerators"][0].size());
    fill(p, numbers["numerators"]);
    const Scores scores = score(p.view(), labels);
    expect_metric(scores.auc, numbers["expected"]["auc"], "auc");
    expect_metric(scores.accuracy, numbers["expected"]["accuracy"], "accuracy");
    expect_metric(scores.log_loss, numbers["expected"]["log_loss"], "log_loss");
    expect_metric(scores.brier, numbers["expected"]["brier"], "brier");
    expect_metric(scores.ece, numbers["expected"]["ece"], "ece");
  }
}

}  // namespace
}  // namespace perpend
