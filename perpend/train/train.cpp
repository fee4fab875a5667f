#include "perpend/train/train.h"

#include <memory>

#include "perpend/base/error.h"
#include "perpend/base/parallel.h"
#include "perpend/objective/ace.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/finite.h"
#include "perpend/objective/lit.h"
#include "perpend/objective/ncl.h"
#include "perpend/train/adaboost.h"
#include "perpend/train/training.h"

namespace perpend {

namespace {

bool uses_finite_penalty(const TrainOptions& options) {
  return options.method == Method::lit && options.penalty == Penalty::finite && lambda_of(options) > 0 &&
         options.members > 1;
}

std::size_t unlabeled_rows(const TrainInput& input) { return input.unlabeled == nullptr ? 0 : input.unlabeled->rows(); }

void check_input(const TrainInput& input, const TrainOptions& options) {
  std::string problems;
  for (const auto& problem : validate(options)) problems += (problems.empty() ? "" : "; ") + problem;
  if (!problems.empty()) throw ConfigError(problems);
  const Dataset& data = *input.train;
  if (data.rows() == 0) throw DataError("there are no rows to train on");
  if (data.inputs.cols() == 0) throw DataError("there are no feature columns to train on");
  PERPEND_CHECK(data.labels.size() == data.rows() && data.classes.size() >= 2);
  PERPEND_CHECK(data.weights.empty() || data.weights.size() == data.rows());
  PERPEND_CHECK(input.tangents == nullptr || input.tangents->empty() ||
                (input.tangents->features() == data.inputs.cols() &&
                 (input.tangents->is_shared() || input.tangents->bases() == data.rows() + unlabeled_rows(input))));
  PERPEND_CHECK(unlabeled_rows(input) == 0 || input.unlabeled->cols() == data.inputs.cols());
  if (unlabeled_rows(input) > 0 && options.method != Method::lit && input.objective == nullptr) {
    throw ConfigError("rows without labels are for method lit, whose penalty asks for none; leave them out");
  }
  if (uses_finite_penalty(options) && data.classes.size() != 2) {
    throw ConfigError("penalty finite is for two classes, and there are " + std::to_string(data.classes.size()));
  }
  if (options.early_stopping > 0 && (input.validation == nullptr || input.validation->rows() == 0)) {
    throw ConfigError("early_stopping needs validation rows; use a split that has them");
  }
}

Architecture architecture_for(const Dataset& data, const TrainOptions& options) {
  return {.features = data.inputs.cols(),
          .hidden = {options.hidden.begin(), options.hidden.end()},
          .classes = data.classes.size(),
          .activation = options.activation};
}

std::unique_ptr<Objective<float>> objective_for(const TrainOptions& options, const Tangents* tangents) {
  const double lambda = lambda_of(options);
  if (options.method == Method::ncl) return std::make_unique<Ncl<float>>(lambda);
  // One member has nobody to differ from, and at lambda 0 the penalty has no say: the plain step then gives the same
  // weights for less, with LIT two products instead of three.
  const bool penalty = lambda > 0 && options.members > 1;
  if (uses_finite_penalty(options)) return std::make_unique<FiniteLit<float>>(lambda, options.penalty_reduction);
  if (options.method == Method::lit && penalty) {
    return std::make_unique<Lit<float>>(lambda, options.penalty_reduction, tangents);
  }
  if (options.method == Method::ace && penalty) return std::make_unique<Ace<float>>(lambda);
  return std::make_unique<Restarts<float>>();
}

const Tangents* tangents_of(const TrainInput& input) {
  return input.tangents == nullptr || input.tangents->empty() ? nullptr : input.tangents;
}

}  // namespace

TrainResult train(const TrainInput& input, const TrainOptions& options) {
  check_input(input, options);
  const Architecture architecture = architecture_for(*input.train, options);
  const auto members = static_cast<std::size_t>(options.members);
  if (input.initial != nullptr &&
      (input.initial->architecture != architecture || input.initial->members.size() != members)) {
    throw ConfigError("the weights to start from belong to another architecture or number of members");
  }
  const auto own_objective = input.objective == nullptr ? objective_for(options, tangents_of(input)) : nullptr;
  const TrainingTask task{
      .input = input,
      .options = options,
      .objective = input.objective == nullptr ? *own_objective : *input.objective,
      .start = input.initial != nullptr ? *input.initial : initial_ensemble(architecture, members, options.seed),
      .finite = input.objective == nullptr && uses_finite_penalty(options),
      .bootstrap = options.method == Method::bagging,
      .row_weights = input.train->weights};
  const Threads threads(options.threads);
  TrainResult result;
  threads.run([&] {
    if (options.method == Method::adaboost) {
      result = train_adaboost(task, threads);
    } else {
      result = run_training(task, threads);
      if (result.status != TrainStatus::diverged) result.decision = equal_mean(members);
    }
  });
  return result;
}

}  // namespace perpend
