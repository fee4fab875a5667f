#include "perpend/evaluate/adapt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perpend/base/random.h"
#include "perpend/model/predict.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

Ensemble some_ensemble(std::size_t classes = 2) {
  return initial_ensemble({.features = 3, .hidden = {8}, .classes = classes, .activation = Activation::tanh}, 4, 7);
}

// Labels that follow member m.
Dataset labelled_by(std::size_t m, std::size_t rows, std::size_t classes = 2) {
  Dataset data = test::normal_data(rows, 3, 1, static_cast<int>(classes));
  const auto p = member_probabilities(some_ensemble(classes), data.inputs.view(), Threads(1));
  for (std::size_t r = 0; r < rows; ++r) data.labels[r] = static_cast<std::int32_t>(vote(p[m].row(r), classes));
  return data;
}

Dataset without(const Dataset& data, std::size_t left_out) {
  Dataset rest = data;
  rest.inputs = Inputs(data.rows() - 1, data.inputs.cols());
  rest.labels.clear();
  for (std::size_t r = 0; r < data.rows(); ++r) {
    if (r == left_out) continue;
    std::copy_n(data.inputs.row(r), data.inputs.cols(), rest.inputs.row(rest.labels.size()));
    rest.labels.push_back(data.labels[r]);
  }
  return rest;
}

TEST(Adapted, MovesTowardsTheMemberThatTheLabelsFollow) {
  for (const std::size_t classes : {2U, 3U}) {
    const Adapted adapted = adapted_to(some_ensemble(classes), equal_mean(4), labelled_by(2, 60, classes), Threads(1));
    ASSERT_TRUE(adapted.is_changed);
    const auto says = member_says(adapted.decision);
    EXPECT_EQ(std::ranges::max_element(says) - says.begin(), 2) << classes;
    double before = 0;
    double after = 0;
    for (const double loss : adapted.present) before += loss;
    for (const double loss : adapted.left_out) after += loss;
    EXPECT_LT(after, before);
  }
}

// With random labels, the answer is in most draws the old one to the bit.
TEST(Adapted, LabelsByLotMostlyLeaveTheAnswerAsItIs) {
  const Ensemble ensemble = some_ensemble();
  int kept = 0;
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    Dataset data = test::normal_data(16, 3, draw);
    const auto decided = decide(equal_mean(4), member_probabilities(ensemble, data.inputs.view(), Threads(1)));
    const Stream stream({.seed = draw, .purpose = Purpose::test, .member = 0, .step = 0});
    for (std::size_t r = 0; r < 16; ++r) data.labels[r] = stream.uniform(r) < decided(r, 1) ? 1 : 0;
    const Adapted adapted = adapted_to(ensemble, equal_mean(4), data, Threads(1));
    if (adapted.is_changed) continue;
    ++kept;
    EXPECT_EQ(adapted.decision, equal_mean(4));
    EXPECT_LE(*adapted.log_evidence, 0);
  }
  EXPECT_GE(kept, 14);
}

TEST(Adapted, LeftOutLossesAreThoseOfLearningWithoutTheRow) {
  const Ensemble ensemble = some_ensemble();
  const Dataset data = labelled_by(1, 12);
  const Adapted adapted = adapted_to(ensemble, equal_mean(4), data, Threads(2));
  const auto members = member_probabilities(ensemble, data.inputs.view(), Threads(1));
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const Adapted rest = adapted_to(ensemble, equal_mean(4), without(data, r), Threads(1));
    const auto losses = row_log_losses(decide(rest.decision, members).view(), data.labels);
    EXPECT_NEAR(adapted.left_out[r], losses[r], 1e-9);
  }
}

TEST(Adapted, DoesNotDependOnThreadsNorOnAnEarlierAdaptation) {
  const Ensemble ensemble = some_ensemble();
  const Dataset data = labelled_by(0, 40);
  const Adapted one = adapted_to(ensemble, equal_mean(4), data, Threads(1));
  const Adapted two = adapted_to(ensemble, one.decision, data, Threads(3));
  EXPECT_EQ(one.decision, two.decision);
  EXPECT_EQ(one.left_out, two.left_out);
}

TEST(Adapted, OfOneRowHasNothingToLearnFromWithoutIt) {
  const Adapted adapted = adapted_to(some_ensemble(), equal_mean(4), labelled_by(0, 1), Threads(1));
  EXPECT_EQ(adapted.left_out, adapted.present);
}

}  // namespace
}  // namespace perpend
