#include "perpend/model/decision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "perpend/base/random.h"

namespace perpend {
namespace {

using Members = Stack<float, axis::Row, axis::Out>;

Members some_members(std::size_t members, std::size_t rows, std::size_t classes) {
  Members out(members, rows, classes);
  const Stream stream({.seed = 3, .purpose = Purpose::test, .member = 0, .step = 0});
  std::uint64_t next = 0;
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (std::size_t k = 0; k < classes; ++k) sum += out[m](r, k) = stream.uniform(next++) + 0.01F;
      for (std::size_t k = 0; k < classes; ++k) out[m](r, k) = static_cast<float>(out[m](r, k) / sum);
    }
  }
  return out;
}

std::vector<double> written_out_softmax(const std::vector<double>& f, double classes) {
  std::vector<double> p;
  double sum = 0;
  for (const double x : f) sum += std::exp(x / (classes - 1));
  for (const double x : f) p.push_back(std::exp(x / (classes - 1)) / sum);
  return p;
}

// f_k, written out as in the header.
std::vector<double> samme_r_function(const Members& members, const std::vector<double>& weights, std::size_t r) {
  const auto classes = static_cast<double>(members.cols());
  std::vector<double> f(members.cols(), 0.0);
  for (std::size_t m = 0; m < members.members(); ++m) {
    double mean_log = 0;
    for (std::size_t k = 0; k < f.size(); ++k) mean_log += std::log(members[m](r, k)) / classes;
    for (std::size_t k = 0; k < f.size(); ++k) {
      f[k] += (classes - 1) * weights[m] * (std::log(static_cast<double>(members[m](r, k))) - mean_log);
    }
  }
  return f;
}

std::vector<double> samme_function(const Members& members, const std::vector<double>& weights, std::size_t r) {
  std::vector<double> f(members.cols(), 0.0);
  for (std::size_t m = 0; m < members.members(); ++m) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < f.size(); ++k) best = members[m](r, k) > members[m](r, best) ? k : best;
    for (std::size_t k = 0; k < f.size(); ++k) {
      f[k] += weights[m] * (k == best ? 1 : -1 / (static_cast<double>(f.size()) - 1));
    }
  }
  return f;
}

TEST(Decision, OfMeansIsTheWeightedMean) {
  const Members members = some_members(3, 5, 3);
  const std::vector<double> weights = {0.5, 0.3, 0.2};
  const auto decided = decide({Rule::mean, weights}, members);
  for (std::size_t r = 0; r < 5; ++r) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(decided(r, k), 0.5 * members[0](r, k) + 0.3 * members[1](r, k) + 0.2 * members[2](r, k), 1e-15);
    }
  }
}

// The first member says 0.75 where the mean says 0.5.
TEST(Decision, IsCorrectedByBiasAndPulls) {
  Members members(2, 1, 2);
  members[0](0, 1) = 0.75F;
  members[0](0, 0) = 0.25F;
  members[1](0, 1) = 0.25F;
  members[1](0, 0) = 0.75F;
  Decision decision{Rule::mean, {0.5, 0.5}};
  decision.correction = Correction{.bias = {-0.1, 0.2}, .pull = {0.5, 0}};
  const double score = 0.3 + 0.5 * std::log(3.0);  // the answer's log-odds are 0
  EXPECT_NEAR(decide(decision, members)(0, 1), 1 / (1 + std::exp(-score)), 1e-12);
  decision.correction = Correction{.bias = {0, 0}, .pull = {0, 0}};
  EXPECT_NEAR(decide(decision, members)(0, 1), 0.5, 1e-15);
}

TEST(Decision, LimitsWhatASureMemberMoves) {
  Members members(2, 1, 2);
  members[0](0, 1) = 1;
  members[1](0, 0) = 1;
  Decision decision{Rule::mean, {0.5, 0.5}};
  decision.correction = Correction{.bias = {0, 0}, .pull = {1, 0}};
  EXPECT_NEAR(decide(decision, members)(0, 1), 1 / 1.01, 1e-9);
}

TEST(Decision, OfNumbersIsCorrectedByBiasAndPulls) {
  Matrix<double, axis::Member, axis::Row> members(2, 1);
  members(0, 0) = 3;
  members(1, 0) = 5;
  Decision decision{Rule::mean, {0.5, 0.5}};
  decision.correction = Correction{.bias = {10}, .pull = {0.25, 0}};
  EXPECT_DOUBLE_EQ(combine(decision, members.view())[0], 4 + 10 + 0.25 * (3 - 4));
  // The says give the same answer: 10 + 0.625 * 3 + 0.375 * 5.
  EXPECT_EQ(member_says(decision), (std::vector<double>{0.625, 0.375}));
}

TEST(Decision, SaysHaveSumOneAndSharesAreTheirSizes) {
  Decision decision{Rule::mean, {0.5, 0.5}};
  EXPECT_EQ(member_says(decision), decision.weights);
  decision.correction = Correction{.bias = {0, 0}, .pull = {-1, 0}};
  EXPECT_EQ(member_says(decision), (std::vector<double>{0, 1}));
  decision.correction = Correction{.bias = {0, 0}, .pull = {-2, 0}};
  EXPECT_EQ(member_says(decision), (std::vector<double>{-0.5, 1.5}));
  EXPECT_EQ(member_shares(decision), (std::vector<double>{0.25, 0.75}));
}

TEST(Decision, OfBoostingIsTheWrittenOutRule) {
  const std::vector<double> weights = {0.5, 0.3, 0.2};
  for (const std::size_t classes : {2U, 3U, 5U}) {
    const Members members = some_members(3, 20, classes);
    const auto real = decide({Rule::samme_r, weights}, members);
    const auto votes = decide({Rule::samme, weights}, members);
    for (std::size_t r = 0; r < 20; ++r) {
      const auto k_count = static_cast<double>(classes);
      const auto expected_real = written_out_softmax(samme_r_function(members, weights, r), k_count);
      const auto expected_votes = written_out_softmax(samme_function(members, weights, r), k_count);
      for (std::size_t k = 0; k < classes; ++k) {
        EXPECT_NEAR(real(r, k), expected_real[k], 1e-7);
        EXPECT_NEAR(votes(r, k), expected_votes[k], 1e-14);
      }
      EXPECT_NEAR(std::accumulate(real.row(r), real.row(r) + classes, 0.0), 1, 1e-14);
    }
  }
}

TEST(Decision, OfSammeRMeetsAProbabilityOfZeroWithANumber) {
  Members members(2, 1, 2);
  members[0](0, 0) = 1;  // certain, and contradicted
  members[1](0, 0) = 0.25F;
  members[1](0, 1) = 0.75F;
  const auto decided = decide({Rule::samme_r, {0.5, 0.5}}, members);
  const double odds = std::sqrt(3.0 * 0x1p-23);
  EXPECT_NEAR(decided(0, 1), odds / (1 + odds), 1e-12);
}

TEST(Decision, OfVotesThatTieIsOneHalfAndATiedMemberVotesForTheEarlierClass) {
  Members members(2, 1, 2);
  members[0](0, 0) = 0.5F, members[0](0, 1) = 0.5F;
  members[1](0, 0) = 0.1F, members[1](0, 1) = 0.9F;
  EXPECT_EQ(decide({Rule::samme, {0.5, 0.5}}, members)(0, 1), 0.5);
}

TEST(RowLogLosses, AreOfTheLabelAndFinite) {
  Matrix<double, axis::Row, axis::Out> probabilities(2, 2);
  probabilities(0, 0) = 0.25, probabilities(0, 1) = 0.75;
  probabilities(1, 0) = 1;
  const std::vector<std::int32_t> labels = {0, 1};
  const auto losses = row_log_losses(probabilities.view(), labels);
  EXPECT_NEAR(losses[0], std::log(4), 1e-15);
  EXPECT_NEAR(losses[1], -std::log(1e-15), 1e-13);
}

}  // namespace
}  // namespace perpend
