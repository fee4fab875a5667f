// Compares DivDis and D-BAT with cases by hand, however a batch is cut into runs.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "perpend/base/aligned.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/dbat.h"
#include "perpend/objective/divdis.h"

namespace perpend {
namespace {

// Scores of a batch whose last rows have no label: one per member and row, or K.
struct Rivals {
  Rivals(std::size_t members, std::size_t rows_, std::size_t unlabeled_, std::size_t columns)
      : rows(rows_),
        unlabeled(unlabeled_),
        scores(members, round_up(rows_, 64), columns),
        d_scores(scores),
        labels(round_up(rows_, 64), 0),
        weights(round_up(rows_, 64), 0.0),
        indices(rows_) {
    std::mt19937_64 random(rows_);
    std::normal_distribution<double> normal(0, 2);
    for (std::size_t m = 0; m < members; ++m) {
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < columns; ++k) scores[m](r, k) = normal(random);
      }
    }
    std::fill_n(weights.begin(), rows - unlabeled, 1 / static_cast<double>(rows - unlabeled));
    for (std::size_t r = 0; r < rows; ++r) indices[r] = static_cast<std::uint32_t>(r);
  }

  ObjectiveRows<double> run(std::size_t first, std::size_t count) {
    ObjectiveRows<double> run;
    run.rows = count;
    run.batch_rows = rows;
    run.labelled = std::min(count, rows - unlabeled - std::min(rows - unlabeled, first));
    run.batch_unlabeled = unlabeled;
    run.labels = labels.data() + first;
    run.weights = weights.data() + first;
    run.indices = indices.data() + first;
    for (std::size_t m = 0; m < scores.members(); ++m) {
      run.scores.push_back(scores[m].middle_rows(first, count));
      run.d_scores.push_back(d_scores[m].middle_rows(first, count));
    }
    return run;
  }

  Terms<double> evaluate(const Objective<double>& objective, const std::vector<std::size_t>& cuts) {
    std::vector<double> sums(objective.batch_sums(run(0, rows)));
    Terms<double> terms{std::vector<double>(scores.members(), 0), 0};
    for (const bool second_pass : {false, true}) {
      for (std::size_t i = 0, first = 0; i < cuts.size(); first += cuts[i++]) {
        auto part = run(first, cuts[i]);
        part.batch_sums = sums.empty() ? nullptr : sums.data();
        if (second_pass) objective.evaluate(part, terms);
        if (!second_pass && !sums.empty()) objective.add_batch_sums(part, sums.data());
      }
    }
    return terms;
  }
  Terms<double> evaluate(const Objective<double>& objective) { return evaluate(objective, {rows}); }

  std::vector<double> adjoints() {
    std::vector<double> all;
    for (std::size_t m = 0; m < scores.members(); ++m) {
      for (std::size_t r = 0; r < rows; ++r)
        all.insert(all.end(), d_scores[m].row(r), d_scores[m].row(r) + scores.cols());
    }
    return all;
  }

  std::size_t rows, unlabeled;
  Stack<double, axis::Row, axis::Score> scores, d_scores;
  AlignedVector<std::int32_t> labels;
  AlignedVector<double> weights;
  std::vector<std::uint32_t> indices;
};

// Members that are sure. All rows but the first have no label.
Rivals sure(const std::vector<std::vector<int>>& answers) {
  Rivals made(answers.size(), 1 + answers[0].size(), answers[0].size(), 1);
  for (std::size_t m = 0; m < answers.size(); ++m) {
    for (std::size_t r = 0; r < answers[m].size(); ++r) made.scores[m](1 + r, 0) = answers[m][r] == 1 ? 50 : -50;
  }
  return made;
}

TEST(DivDis, MembersThatAgreeShareABit) {
  Rivals alike = sure({{1, 1, 0, 0}, {1, 1, 0, 0}});
  EXPECT_NEAR(alike.evaluate(DivDis<double>(1, {1, 1})).penalty, 2 * std::numbers::ln2, 1e-12);
  Rivals opposite = sure({{1, 1, 0, 0}, {0, 0, 1, 1}});
  EXPECT_NEAR(opposite.evaluate(DivDis<double>(1, {1, 1})).penalty, 2 * std::numbers::ln2, 1e-12);
  Rivals three = sure({{1, 1, 0, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}});
  EXPECT_NEAR(three.evaluate(DivDis<double>(1, {1, 1})).penalty, 3 * std::numbers::ln2, 1e-12) << "the mean over pairs";
}

TEST(DivDis, MembersThatAnswerIndependentlyPayForTheirClassSharesAlone) {
  Rivals apart = sure({{1, 1, 0, 0}, {1, 0, 1, 0}});
  EXPECT_NEAR(apart.evaluate(DivDis<double>(1, {5, 5})).penalty, 0, 1e-12);
  const double of_one = 0.5 * std::log(0.5 / 0.75) + 0.5 * std::log(0.5 / 0.25);
  EXPECT_NEAR(apart.evaluate(DivDis<double>(1, {3, 1})).penalty, 2 * of_one, 1e-12);
}

TEST(DivDis, AClassThatNobodyAnswersAndOneThatNobodyLearnsStayNumbers) {
  Rivals one_sided = sure({{1, 1, 1, 1}, {1, 1, 1, 1}});
  for (std::size_t m = 0; m < 2; ++m) one_sided.scores[m](1, 0) = 2000;
  for (const std::vector<double>& shares : {std::vector<double>{1, 1}, {1, 0}}) {
    EXPECT_TRUE(std::isfinite(one_sided.evaluate(DivDis<double>(1, shares)).penalty));
    for (const double d : one_sided.adjoints()) EXPECT_TRUE(std::isfinite(d));
  }
}

TEST(DivDis, IsOfTheWholeBatchWhateverItsRuns) {
  for (const std::size_t columns : {1, 3}) {
    Rivals rows(3, 40, 24, columns);
    const DivDis<double> divdis(0.7, {0.2, 0.5, 0.3});
    const double whole = rows.evaluate(divdis).penalty;
    const auto adjoints = rows.adjoints();
    EXPECT_NEAR(rows.evaluate(divdis, {10, 11, 19}).penalty, whole, 1e-12);
    const auto cut = rows.adjoints();
    for (std::size_t i = 0; i < cut.size(); ++i) EXPECT_NEAR(cut[i], adjoints[i], 1e-14);
  }
}

TEST(DivDis, IsThePlainFitForOneMemberAndWhereAllHaveLabels) {
  for (const std::size_t members : {1, 2}) {
    Rivals rows(members, 20, members == 1 ? 8 : 0, 1);
    EXPECT_EQ(rows.evaluate(DivDis<double>(10, {1, 1})).penalty, 0);
    const auto adjoints = rows.adjoints();
    rows.evaluate(Restarts<double>());
    EXPECT_EQ(rows.adjoints(), adjoints);
  }
}

double loss_of(double s, double t, double* slope = nullptr) {
  Rivals rows(1, 2, 1, 1);
  rows.scores[0](1, 0) = s;
  const std::vector<EarlierAnswers> earlier = {{{1, 1}, {0, static_cast<float>(t)}}};
  const double penalty = rows.evaluate(Dbat<double>(1, earlier, 0)).penalty;
  if (slope != nullptr) *slope = rows.d_scores[0](1, 0);
  return penalty;
}

TEST(Dbat, IsTheChanceThatTwoCoinsFallDifferently) {
  EXPECT_NEAR(loss_of(0, 3), std::numbers::ln2, 1e-12);
  EXPECT_NEAR(loss_of(std::log(3), std::log(3)), -std::log(2 * 0.75 * 0.25), 1e-7);
  EXPECT_NEAR(loss_of(std::log(3), -std::log(3)), -std::log(0.75 * 0.75 + 0.25 * 0.25), 1e-7);
}

TEST(Dbat, KeepsItsPrecisionHoweverSureMembersAre) {
  double slope = 0;
  EXPECT_NEAR(loss_of(200, 200, &slope), 200 - std::numbers::ln2, 1e-12);
  EXPECT_NEAR(slope, 0.5, 1e-12);
  EXPECT_NEAR(loss_of(40, -40, &slope) / (2 * std::exp(-40)), 1, 1e-12);
  EXPECT_NEAR(slope / -std::exp(-40), 1, 1e-12);
  EXPECT_NEAR(loss_of(-40, 40, &slope) / (2 * std::exp(-40)), 1, 1e-12);
  EXPECT_NEAR(slope / std::exp(-40), 1, 1e-12);
}

TEST(Dbat, TakesTheMeanOverEarlierMembers) {
  Rivals rows(1, 5, 4, 1);
  const EarlierAnswers one{{1, 1, 1, 1, 1}, {0, 1, -2, 3, 0.5F}};
  const EarlierAnswers two{{1, 1, 1, 1, 1}, {0, -1, 2, 1, 2}};
  const auto penalty = [&](const std::vector<EarlierAnswers>& earlier) {
    return rows.evaluate(Dbat<double>(1, earlier, 0)).penalty;
  };
  EXPECT_NEAR(penalty({one, two}), (penalty({one}) + penalty({two})) / 2, 1e-14);
  EXPECT_EQ(penalty({}), 0);
}

TEST(Dbat, LooksAtTheClassOfTheEarlierMemberAgainstTheRest) {
  Matrix<float, axis::Row, axis::Score> said(2, 3);
  said(1, 0) = 1;
  said(1, 1) = 3;
  said(1, 2) = 2;
  const std::vector<EarlierAnswers> earlier = {earlier_answers(said.view())};
  EXPECT_EQ(earlier[0].classes[1], 1);
  EXPECT_NEAR(earlier[0].log_odds[1], 3 - std::log(std::exp(1.0) + std::exp(2.0)), 1e-6);
  Rivals rows(1, 2, 1, 3);
  for (std::size_t k = 0; k < 3; ++k) rows.scores[0](1, k) = static_cast<double>(k);
  const double all = 1 + std::exp(1.0) + std::exp(2.0);
  const double p = std::exp(1.0) / all;
  const double q = 1 / (1 + std::exp(-static_cast<double>(earlier[0].log_odds[1])));
  EXPECT_NEAR(rows.evaluate(Dbat<double>(1, earlier, 0)).penalty, -std::log(p * (1 - q) + (1 - p) * q), 1e-12);
}

}  // namespace
}  // namespace perpend
