// Checks every objective's gradient, through the networks and their input gradients, by complex step.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <random>

#include "perpend/model/general_member.h"
#include "perpend/objective/ace.h"
#include "perpend/objective/adp.h"
#include "perpend/objective/assigned.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/dbat.h"
#include "perpend/objective/divdis.h"
#include "perpend/objective/experts.h"
#include "perpend/objective/forde.h"
#include "perpend/objective/lit.h"
#include "perpend/objective/ncl.h"
#include "perpend/objective/penalties.h"
#include "tests/support/complex_step.h"

namespace perpend {
namespace {

using Complex = std::complex<double>;
constexpr double kTolerance = 1e-10;

// The penalty alone: an objective without its fit, so that nothing hides the second-order term.
template <class T>
class PenaltyAlone final : public Objective<T> {
 public:
  explicit PenaltyAlone(std::unique_ptr<Objective<T>> whole) : whole_(std::move(whole)) {}
  ObjectiveNeeds needs() const override { return whole_->needs(); }
  double lambda() const override { return whole_->lambda(); }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override {
    whole_->evaluate(rows, terms);
    for (T& fit : terms.fit) fit = T{};
    for (auto& d : rows.d_scores) {
      for (std::size_t r = 0; r < rows.rows; ++r) std::fill_n(d.row(r), d.cols(), T{});
    }
  }

 private:
  std::unique_ptr<Objective<T>> whole_;
};

struct Problem {
  Architecture architecture;
  std::size_t members = 2;
  std::size_t rows = 17;
  std::size_t unlabeled = 0;  // the last of them have no label
  double keep = 1;
  PenaltyReduction reduction = PenaltyReduction::mean;
  std::vector<double> inputs, weights, unlabeled_weights, parameters;
  std::vector<std::int32_t> labels;
  std::vector<double> targets = {};  // for a regression, which has these in place of labels
  RegressionLoss loss = {};
};

double uniform(std::mt19937_64& random, double from, double to) {
  return from + (to - from) * static_cast<double>(random() >> 11) * 0x1p-53;
}

std::size_t parameter_count(const Architecture& a) {
  std::size_t count = 0;
  for (std::size_t l = 0; l < a.layers(); ++l) count += (a.in(l) + 1) * a.out(l);
  return count;
}

// The last third of the rows loses its labels, so that they count in the penalty alone.
void drop_labels(Problem& p) {
  p.unlabeled = p.rows / 3;
  p.unlabeled_weights = p.weights;
  std::fill(p.weights.end() - static_cast<std::ptrdiff_t>(p.unlabeled), p.weights.end(), 0.0);
  const double total = std::accumulate(p.weights.begin(), p.weights.end(), 0.0);
  for (double& w : p.weights) w /= total;
}

// Everything that the arguments leave open is random.
Problem make_problem(std::size_t layers, Activation activation, std::size_t classes, bool dropout, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Problem p;
  p.architecture = {.features = 2 + random() % 4, .hidden = {}, .classes = classes, .activation = activation};
  for (std::size_t l = 0; l < layers; ++l) p.architecture.hidden.push_back(3 + random() % 4);
  p.members = 2 + seed % 4;
  p.rows = seed % 8 == 0 ? 70 : 17;  // sometimes more than a group of 64
  p.keep = !dropout ? 1 : seed % 3 == 0 ? 0.5 : 0.8;
  p.reduction = seed % 2 == 0 ? PenaltyReduction::mean : PenaltyReduction::sum;
  double total = 0;
  for (std::size_t r = 0; r < p.rows; ++r) {
    for (std::size_t f = 0; f < p.architecture.features; ++f) p.inputs.push_back(uniform(random, -2, 2));
    p.labels.push_back(static_cast<std::int32_t>(random() % classes));
    p.weights.push_back(seed % 5 == 0 ? 1.0 : uniform(random, 0, 1));
    total += p.weights.back();
  }
  for (double& w : p.weights) w /= total;
  if (seed % 3 == 1) drop_labels(p);
  for (std::size_t i = 0; i < p.members * parameter_count(p.architecture); ++i) {
    p.parameters.push_back(uniform(random, -1, 1));
  }
  return p;
}

// Parameters in the order: member, layer, weights by row, biases.
template <class T, class Numbers, class Visit>
void for_each_parameter(std::vector<Network<T>>& networks, Numbers& numbers, const Visit& visit) {
  std::size_t i = 0;
  for (auto& network : networks) {
    for (auto& layer : network.layers) {
      for (std::size_t r = 0; r < layer.weight.rows(); ++r) {
        for (std::size_t c = 0; c < layer.weight.cols(); ++c) visit(layer.weight(r, c), numbers[i++]);
      }
      for (std::size_t c = 0; c < layer.weight.cols(); ++c) visit(layer.bias[c], numbers[i++]);
    }
  }
}

template <class T>
struct Pass {
  std::vector<Network<T>> networks;
  std::vector<GeneralMember<T>> members;
  Matrix<T, axis::Row, axis::Feature> inputs;
  Stack<T, axis::Row, axis::Score> scores, d_scores;
  Stack<T, axis::Row, axis::Feature> gradients;

  Pass(const Problem& p, const std::vector<T>& parameters)
      : networks(p.members, zero_network<T>(p.architecture)),
        members(p.members, GeneralMember<T>(p.architecture, p.rows, {})),
        inputs(p.rows, p.architecture.features),
        scores(p.members, p.rows, p.architecture.scores()),
        d_scores(scores),
        gradients(p.members, p.rows, p.architecture.features) {
    set(parameters);
    for (std::size_t r = 0; r < p.rows; ++r) {
      for (std::size_t f = 0; f < inputs.cols(); ++f) inputs(r, f) = T(p.inputs[r * inputs.cols() + f]);
    }
  }

  void set(const std::vector<T>& parameters) {
    for_each_parameter(networks, parameters, [](T& mine, const T& given) { mine = given; });
  }

  void forward(const Problem& p, bool with_input_gradients) {
    const Dropout dropout{.keep = p.keep, .seed = 3, .step = 4};
    for (std::size_t m = 0; m < p.members; ++m) {
      members[m].transpose(networks[m]);
      for (std::size_t first = 0; first < p.rows; first += kRowsPerGroup) {
        const std::size_t count = std::min(kRowsPerGroup, p.rows - first);
        members[m].forward(networks[m], inputs, first, count, dropout, m, scores[m]);
        if (with_input_gradients) members[m].input_gradient(first, count, gradients[m]);
      }
    }
  }

  // Returns the loss. Leaves the adjoints in d_scores and gradients.
  T evaluate(const Problem& p, const Objective<T>& objective) {
    const std::vector<T> weights(p.weights.begin(), p.weights.end());
    ObjectiveRows<T> rows;
    rows.rows = rows.batch_rows = p.rows;
    rows.labelled = p.rows - p.unlabeled;
    rows.batch_unlabeled = p.unlabeled;
    std::vector<std::uint32_t> indices(p.rows);
    std::iota(indices.begin(), indices.end(), 0U);
    rows.labels = p.labels.data();
    const std::vector<T> targets(p.targets.begin(), p.targets.end());
    if (!targets.empty()) rows.targets = targets.data();
    rows.loss = p.loss;
    rows.indices = indices.data();
    rows.weights = weights.data();
    const std::vector<T> unlabeled_weights(p.unlabeled_weights.begin(), p.unlabeled_weights.end());
    if (!unlabeled_weights.empty()) rows.unlabeled_weights = unlabeled_weights.data();
    for (std::size_t m = 0; m < p.members; ++m) {
      rows.scores.push_back(scores[m]);
      rows.d_scores.push_back(d_scores[m]);
      if (objective.needs().input_gradients) rows.input_gradients.push_back(gradients[m]);
    }
    std::vector<T> sums(objective.batch_sums(rows));
    objective.add_batch_sums(rows, sums.data());
    rows.batch_sums = sums.empty() ? nullptr : sums.data();
    Terms<T> terms{std::vector<T>(p.members), T{}};
    objective.evaluate(rows, terms);
    return std::accumulate(terms.fit.begin(), terms.fit.end(), T(objective.lambda()) * terms.penalty);
  }

  std::vector<T> backward(const Problem& p, bool second_order) {
    std::vector<Network<T>> gradient(p.members, zero_network<T>(p.architecture));
    for (std::size_t m = 0; m < p.members; ++m) {
      const auto d_gradient = second_order ? gradients[m] : MatrixView<T, axis::Row, axis::Feature>();
      for (std::size_t first = 0; first < p.rows; first += kRowsPerGroup) {
        members[m].backward_rows(networks[m], d_scores[m], d_gradient, first, std::min(kRowsPerGroup, p.rows - first));
      }
      for (std::size_t l = 0; l < p.architecture.layers(); ++l) {
        members[m].weight_gradient(inputs, d_gradient, p.rows, l, 0, p.architecture.in(l), gradient[m].layers[l]);
      }
    }
    std::vector<T> flat(p.parameters.size());
    for_each_parameter(gradient, flat, [](const T& mine, T& out) { out = mine; });
    return flat;
  }
};

std::vector<double> gradient_of(const Problem& p, const Objective<double>& objective) {
  Pass<double> pass(p, p.parameters);
  pass.forward(p, objective.needs().input_gradients);
  pass.evaluate(p, objective);
  return pass.backward(p, objective.needs().input_gradients);
}

// Two weights and a bias of every layer of every member.
std::vector<std::size_t> some_coordinates(const Problem& p, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> chosen;
  std::size_t first = 0;
  for (std::size_t m = 0; m < p.members; ++m) {
    for (std::size_t l = 0; l < p.architecture.layers(); ++l) {
      const std::size_t weights = p.architecture.in(l)*p.architecture.out(l);
      for (int k = 0; k < 2; ++k) chosen.push_back(first + random() % weights);
      chosen.push_back(first + weights + random() % p.architecture.out(l));
      first += weights + p.architecture.out(l);
    }
  }
  return chosen;
}

double error_of(const Problem& p, const Objective<Complex>& objective, const std::vector<double>& gradient) {
  Pass<Complex> pass(p, {p.parameters.begin(), p.parameters.end()});
  const auto loss = [&](const std::vector<Complex>& parameters) {
    pass.set(parameters);
    pass.forward(p, objective.needs().input_gradients);
    return pass.evaluate(p, objective);
  };
  return test::gradient_error(loss, p.parameters, gradient, some_coordinates(p, 1));
}

template <template <class> class Which, class... Arguments>
double error_of_own_gradient(const Problem& p, const Arguments&... arguments) {
  return error_of(p, Which<Complex>(arguments...), gradient_of(p, Which<double>(arguments...)));
}

struct Kind {
  std::size_t layers;
  Activation activation;
  std::size_t classes;
  bool dropout;
};

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (const std::size_t layers : {1, 2, 3}) {
    for (const Activation a : {Activation::relu, Activation::softplus, Activation::tanh, Activation::sigmoid}) {
      for (const std::size_t classes : {2, 3}) {
        for (const bool dropout : {false, true}) kinds.push_back({layers, a, classes, dropout});
      }
    }
  }
  return kinds;
}

std::string name_of(const testing::TestParamInfo<Kind>& info) {
  const char* names[] = {"relu", "softplus", "tanh", "sigmoid"};
  const Kind& k = info.param;
  return "layers" + std::to_string(k.layers) + "_" + names[static_cast<int>(k.activation)] + "_K" +
         std::to_string(k.classes) + (k.dropout ? "_dropout" : "");
}

class GradientTest : public testing::TestWithParam<Kind> {
 protected:
  // Several per kind, so that members, reductions, row weights and batch sizes vary within each.
  static std::vector<Problem> problems() {
    const Kind& k = GetParam();
    std::vector<Problem> all;
    for (const std::uint64_t seed : {0, 1, 2, 3}) {
      all.push_back(make_problem(k.layers, k.activation, k.classes, k.dropout, seed));
    }
    return all;
  }
};

TEST_P(GradientTest, OfRestartsIsExact) {
  for (const Problem& p : problems()) EXPECT_LE(error_of_own_gradient<Restarts>(p), kTolerance);
}

// Every penalty of the table that this file's passes can compute. Those with ascent points have tests of their own.
std::vector<const PenaltyInfo*> penalties_of_gradients() {
  std::vector<const PenaltyInfo*> found;
  for (const auto& info : penalties()) {
    if (!info.make<double>({})->needs().ascent_points) found.push_back(&info);
  }
  return found;
}

// Checks the loss with the fit and without it.
void expect_exact(const Problem& p, const PenaltyInfo& penalty, const PenaltySettings& settings) {
  SCOPED_TRACE(penalty.word);
  EXPECT_LE(error_of(p, *penalty.make<Complex>(settings), gradient_of(p, *penalty.make<double>(settings))), kTolerance);
  const PenaltyAlone<Complex> alone(penalty.make<Complex>(settings));
  EXPECT_LE(error_of(p, alone, gradient_of(p, PenaltyAlone<double>(penalty.make<double>(settings)))), kTolerance);
}

TEST_P(GradientTest, OfEveryPenaltyIsExact) {
  for (const auto* penalty : penalties_of_gradients()) {
    RecordProperty(penalty->word, "checked");
    for (const Problem& p : problems()) expect_exact(p, *penalty, {.lambda = 0.7, .reduction = p.reduction});
  }
}

// Two tangent vectors per row, or two that all rows share. They are neither orthogonal nor of length 1.
Tangents some_tangents(const Problem& p, bool shared) {
  Tangents tangents =
      shared ? Tangents::shared(p.architecture.features, 2) : Tangents::per_row(p.rows, p.architecture.features, 2);
  std::mt19937_64 random(5);
  for (std::size_t r = 0; r < tangents.bases(); ++r) {
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t f = 0; f < tangents.features(); ++f) {
        tangents.direction(r, k)[f] = static_cast<float>(uniform(random, -1, 1));
      }
    }
  }
  return tangents;
}

TEST_P(GradientTest, OfEveryPenaltyAlongTangentsIsExact) {
  for (const auto* penalty : penalties_of_gradients()) {
    if (!penalty->make<double>({})->supports().tangents) continue;
    for (const bool shared : {false, true}) {
      for (const Problem& p : problems()) {
        const Tangents tangents = some_tangents(p, shared);
        expect_exact(p, *penalty, {.lambda = 0.7, .reduction = p.reduction, .tangents = &tangents});
      }
    }
  }
}

TEST_P(GradientTest, OfNclIsExact) {
  for (const double lambda : {0.6, 3.0}) {
    for (const Problem& p : problems()) EXPECT_LE(error_of_own_gradient<Ncl>(p, lambda), kTolerance);
  }
}
TEST_P(GradientTest, OfAceIsExact) {
  for (const double lambda : {0.4, 3.0}) {
    for (const Problem& p : problems()) EXPECT_LE(error_of_own_gradient<Ace>(p, lambda), kTolerance);
  }
}

TEST_P(GradientTest, OfExpertsIsExact) {
  for (const std::size_t k : {1, 2}) {
    for (const Problem& p : problems()) EXPECT_LE(error_of_own_gradient<Experts>(p, k), kTolerance);
  }
}

TEST_P(GradientTest, OfAssignedRowsIsExact) {
  for (const Problem& p : problems()) {
    std::mt19937_64 random(p.rows);
    std::vector<char> taken(p.members * p.rows);
    for (char& one : taken) one = random() % 3 == 0 ? 1 : 0;
    EXPECT_LE(error_of_own_gradient<Assigned>(p, taken, p.rows), kTolerance);
  }
}

// K + eps I has a condition number of up to 1e6 if there are more members than other classes. Rounding errors grow by
// the same factor.
TEST_P(GradientTest, OfAdpIsExact) {
  constexpr double kNearlySingular = 1e-7;
  for (const double lambda : {0.7, 4.0}) {
    for (const Problem& p : problems()) {
      if (p.architecture.classes == 2) continue;
      EXPECT_LE(error_of_own_gradient<Adp>(p, lambda), kNearlySingular);
    }
  }
}

TEST_P(GradientTest, OfFordeIsExact) {
  for (const double lambda : {0.7, 10.0}) {
    for (const Problem& p : problems()) EXPECT_LE(error_of_own_gradient<Forde>(p, lambda), kTolerance);
  }
}

// The problems, with a third of their rows without labels.
std::vector<Problem> partly_labelled(std::vector<Problem> problems) {
  for (Problem& p : problems) {
    if (p.unlabeled == 0) drop_labels(p);
  }
  return problems;
}

TEST_P(GradientTest, OfDivDisIsExact) {
  for (const double lambda : {0.7, 10.0}) {
    for (const Problem& p : partly_labelled(problems()))
      EXPECT_LE(error_of_own_gradient<DivDis>(p, lambda, std::vector<double>{0.2, 0.5, 0.3}), kTolerance);
  }
}

TEST_P(GradientTest, OfDbatIsExact) {
  for (const double lambda : {0.7, 10.0}) {
    for (const Problem& p : partly_labelled(problems())) {
      std::mt19937_64 random(p.rows);
      std::vector<EarlierAnswers> earlier(2);
      for (EarlierAnswers& one : earlier) {
        for (std::size_t r = 0; r < p.rows; ++r) {
          one.classes.push_back(p.architecture.classes == 2 ? 1 : static_cast<std::int32_t>(random() % 3));
          one.log_odds.push_back(static_cast<float>(uniform(random, -3, 3)));
        }
      }
      EXPECT_LE(error_of_own_gradient<Dbat>(p, lambda, earlier, std::size_t{0}), kTolerance);
    }
  }
}

// The problems of two classes, with targets in place of labels, for each loss.
std::vector<Problem> regressions(const std::vector<Problem>& problems) {
  std::vector<Problem> all;
  for (const RegressionLoss loss : {RegressionLoss{RegressionLoss::Kind::squared},
                                    {RegressionLoss::Kind::absolute},
                                    {RegressionLoss::Kind::quantile, 0.8}}) {
    for (Problem p : problems) {
      if (p.architecture.classes != 2) continue;
      std::mt19937_64 random(p.rows);
      for (std::size_t r = 0; r < p.rows; ++r) p.targets.push_back(uniform(random, -2, 2));
      p.loss = loss;
      all.push_back(std::move(p));
    }
  }
  return all;
}

TEST_P(GradientTest, OfARegressionIsExact) {
  for (const Problem& p : regressions(problems())) {
    EXPECT_LE(error_of_own_gradient<Restarts>(p), kTolerance);
    EXPECT_LE(error_of_own_gradient<Experts>(p), kTolerance);
    EXPECT_LE(error_of_own_gradient<Forde>(p, 0.7), kTolerance);
    for (const auto* penalty : penalties_of_gradients()) {
      expect_exact(p, *penalty, {.lambda = 0.7, .reduction = p.reduction});
    }
    if (p.loss.kind != RegressionLoss::Kind::squared) continue;
    for (const double lambda : {0.6, 3.0}) EXPECT_LE(error_of_own_gradient<Ncl>(p, lambda), kTolerance);
  }
}

TEST_P(GradientTest, ByTheInputsIsExact) {
  for (const Problem& p : problems()) {
    Pass<double> pass(p, p.parameters);
    pass.forward(p, true);
    std::vector<double> gradient;
    for (std::size_t r = 0; r < p.rows; ++r) {
      gradient.insert(gradient.end(), pass.gradients[0].row(r), pass.gradients[0].row(r) + p.architecture.features);
    }
    // The sum over rows of each row's log-odds: of class 1, or of the predicted class against the rest.
    const auto scores = [&](const std::vector<Complex>& x) {
      Pass<Complex> moved(p, {p.parameters.begin(), p.parameters.end()});
      for (std::size_t i = 0; i < x.size(); ++i)
        moved.inputs(i / p.architecture.features, i % p.architecture.features) = x[i];
      moved.forward(p, false);
      Complex sum = 0;
      for (std::size_t r = 0; r < p.rows; ++r) {
        const Complex* z = moved.scores[0].row(r);
        if (p.architecture.classes == 2) {
          sum += z[0];
          continue;
        }
        std::size_t c = 0;
        for (std::size_t k = 1; k < 3; ++k) c = z[k].real() > z[c].real() ? k : c;
        sum += z[c] - std::log(std::exp(z[(c + 1) % 3]) + std::exp(z[(c + 2) % 3]));
      }
      return sum;
    };
    const std::vector<std::size_t> coordinates = {0, 1, 5, 12, p.inputs.size() - 1};
    EXPECT_LE(test::gradient_error(scores, p.inputs, gradient, coordinates), kTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, GradientTest, testing::ValuesIn(all_kinds()), name_of);

// ---- The checker is useful only if it fails a wrong gradient.

const Problem& some_problem() {
  static const Problem problem = make_problem(2, Activation::softplus, 2, true, 3);
  return problem;
}
const Lit<Complex> kLit({.lambda = 0.7, .reduction = PenaltyReduction::sum});
const Lit<double> kLitDouble({.lambda = 0.7, .reduction = PenaltyReduction::sum});

TEST(GradientChecker, FailsAGradientThatIsTooLargeByAThousandth) {
  auto gradient = gradient_of(some_problem(), kLitDouble);
  EXPECT_LE(error_of(some_problem(), kLit, gradient), kTolerance);
  for (double& g : gradient) g *= 1.001;
  EXPECT_GT(error_of(some_problem(), kLit, gradient), 1e-4);
}

TEST(GradientChecker, FailsAGradientWithoutThePenalty) {
  EXPECT_GT(error_of(some_problem(), kLit, gradient_of(some_problem(), Restarts<double>())), 1e-4);
}

// d cos^2 / d g_i without its second term, -2 d^2 n_j / q^2 g_i.
class HalfAdjoint final : public Objective<double> {
 public:
  ObjectiveNeeds needs() const override { return {.input_gradients = true}; }
  double lambda() const override { return 0.7; }
  void evaluate(ObjectiveRows<double>& rows, Terms<double>& terms) const override {
    for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += cross_entropy(rows, m);
    const auto pair_scale = [&](std::size_t r) { return 0.7 * static_cast<double>(rows.batch_rows) * rows.weights[r]; };
    for (std::size_t r = 0; r < rows.rows; ++r) {
      std::vector<std::vector<double>> g;
      for (const auto& one : rows.input_gradients) g.emplace_back(one.row(r), one.row(r) + one.cols());
      const auto dot = [&](std::size_t i, std::size_t j) {
        return std::inner_product(g[i].begin(), g[i].end(), g[j].begin(), 0.0);
      };
      for (std::size_t i = 0; i < g.size(); ++i) {
        for (std::size_t d = 0; d < g[i].size(); ++d) {
          double sum = 0;
          for (std::size_t j = 0; j < g.size(); ++j) {
            if (j != i) sum += 2 * dot(i, j) / (dot(i, i) * dot(j, j) + kTrainingEpsilon) * g[j][d];
          }
          rows.input_gradients[i](r, d) = pair_scale(r) * sum;
        }
      }
    }
  }
};

TEST(GradientChecker, FailsAnAdjointWithOneTermDropped) {
  EXPECT_GT(error_of(some_problem(), kLit, gradient_of(some_problem(), HalfAdjoint())), 1e-4);
}

TEST(GradientChecker, FailsWhenAskedOfANotANumber) {
  auto gradient = gradient_of(some_problem(), kLitDouble);
  for (double& g : gradient) g = NAN;
  EXPECT_FALSE(error_of(some_problem(), kLit, gradient) <= kTolerance);
}

TEST(GradientChecker, KnowsADerivativeInClosedForm) {
  const std::vector<double> x = {0.3, -1.2};
  const auto f = [](const std::vector<Complex>& z) { return std::sin(z[0]) * std::exp(z[1]); };
  const std::vector<double> gradient = {std::cos(0.3) * std::exp(-1.2), std::sin(0.3) * std::exp(-1.2)};
  const std::vector<std::size_t> both = {0, 1};
  EXPECT_LE(test::gradient_error(f, x, gradient, both), 1e-15);
}

}  // namespace
}  // namespace perpend
