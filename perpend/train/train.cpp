#include "perpend/train/train.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include "perpend/base/error.h"
#include "perpend/base/parallel.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/random.h"
#include "perpend/model/predict.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/lit.h"
#include "perpend/optim/adam.h"
#include "perpend/train/engine.h"
#include "perpend/train/step.h"

namespace perpend {

namespace {

void check_input(const TrainInput& input, const TrainOptions& options) {
  std::string problems;
  for (const auto& problem : validate(options)) problems += (problems.empty() ? "" : "; ") + problem;
  if (!problems.empty()) throw ConfigError(problems);
  const Dataset& data = *input.train;
  if (data.rows() == 0) throw DataError("there are no rows to train on");
  if (data.inputs.cols() == 0) throw DataError("there are no feature columns to train on");
  PERPEND_CHECK(data.labels.size() == data.rows() && data.classes.size() >= 2);
  PERPEND_CHECK(data.weights.empty() || data.weights.size() == data.rows());
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

std::unique_ptr<Objective<float>> objective_for(const TrainOptions& options) {
  // One member has nobody to be independent of, and at lambda 0 the penalty has no say: the plain step then gives the
  // same weights for two products instead of three.
  if (options.method == Method::lit && options.lambda > 0 && options.members > 1) {
    return std::make_unique<Lit<float>>(options.lambda, options.penalty_reduction);
  }
  return std::make_unique<Restarts<float>>();
}

double validation_log_loss(const Ensemble& ensemble, const Dataset& data, const Threads& threads) {
  const auto mean = mean_probabilities(member_probabilities(ensemble, data.inputs.view(), threads));
  double sum = 0;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const double p = mean(r, static_cast<std::size_t>(data.labels[r]));
    sum -= portable_log(std::max(p, 1e-15));
  }
  return sum / static_cast<double>(data.rows());
}

// Keeps the best weights seen on validation rows and says when to give up.
class EarlyStopping {
 public:
  explicit EarlyStopping(int patience) : patience_(patience) {}
  bool give_up(double loss, const Ensemble& ensemble) {
    if (loss < best_loss_) {
      best_loss_ = loss;
      best_ = ensemble;
      waited_ = 0;
      return false;
    }
    return ++waited_ >= patience_;
  }
  std::optional<Ensemble> best() && { return std::move(best_); }

 private:
  int patience_;
  int waited_ = 0;
  double best_loss_ = INFINITY;
  std::optional<Ensemble> best_;
};

std::vector<std::uint32_t> epoch_order(std::size_t rows, int epoch, const TrainOptions& options) {
  if (options.shuffle) {
    return Stream({.seed = options.seed,
                   .purpose = Purpose::shuffle,
                   .member = 0,
                   .step = static_cast<std::uint32_t>(epoch)})
        .permutation(rows);
  }
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

template <class Engine>
class Training {
 public:
  Training(const TrainInput& input, const TrainOptions& options, const Ensemble& start, const Threads& threads)
      : input_(input),
        options_(options),
        threads_(threads),
        own_objective_(input.objective == nullptr ? objective_for(options) : nullptr),
        objective_(input.objective == nullptr ? own_objective_.get() : input.objective),
        rows_(std::min<std::size_t>(static_cast<std::size_t>(options.batch_size), input.train->rows())),
        engine_(start,
                {.max_rows = rows_,
                 .with_input_gradients = objective_->wants_input_gradients(),
                 .keep = 1 - options.dropout,
                 .seed = options.seed},
                threads),
        batch_(rows_, input.train->inputs.cols()),
        schedule_({.learning_rate = options.learning_rate, .weight_decay = options.weight_decay}),
        stopping_(options.early_stopping) {}

  TrainResult run() {
    const int epochs = options_.epochs.value_or(default_epochs(input_.train->rows()));
    bool go_on = true;
    for (int epoch = 1; epoch <= epochs && go_on; ++epoch) go_on = run_epoch(epoch, epochs);
    if (result_.status != TrainStatus::diverged) {
      auto best = std::move(stopping_).best();
      result_.ensemble = best ? std::move(*best) : engine_.ensemble();
    }
    return std::move(result_);
  }

 private:
  // False when training is to end.
  bool run_epoch(int epoch, int epochs) {
    EpochRecord record;
    record.epoch = epoch;
    record.fit.assign(static_cast<std::size_t>(options_.members), 0.0);
    const auto order = epoch_order(input_.train->rows(), epoch - 1, options_);
    std::int64_t steps = 0;
    for (std::size_t first = 0; first < order.size(); first += rows_, ++steps) {
      if (input_.callback != nullptr && input_.callback->stop_requested()) {
        result_.status = TrainStatus::stopped;
        return false;
      }
      batch_.gather(*input_.train, std::span(order).subspan(first, std::min(rows_, order.size() - first)),
                    Engine::kPacked);
      batch_.step = static_cast<std::uint32_t>(result_.steps);
      if (!run_step(record)) return false;
    }
    return finish_epoch(std::move(record), steps, epochs);
  }

  bool run_step(EpochRecord& record) {
    const Terms<double> terms = evaluate_step(engine_, *objective_, batch_, threads_);
    bool finite = std::isfinite(terms.penalty);
    std::string term = finite ? "fit" : "penalty";
    for (std::size_t m = 0; m < terms.fit.size(); ++m) {
      finite = finite && std::isfinite(terms.fit[m]);
      record.fit[m] += terms.fit[m];
    }
    record.penalty += terms.penalty;
    if (finite && !engine_.update(batch_, schedule_.next())) {
      finite = false;
      term = "weights";
    }
    if (!finite) {
      result_.status = TrainStatus::diverged;
      result_.divergence = Divergence{result_.steps, term};
    }
    ++result_.steps;
    return finite;
  }

  bool finish_epoch(EpochRecord record, std::int64_t steps, int epochs) {
    for (double& fit : record.fit) fit /= static_cast<double>(steps);
    record.penalty /= static_cast<double>(steps);
    record.steps = result_.steps;
    const Ensemble now = engine_.ensemble();
    for (const auto& network : now.members) record.weight_decay += 0.5 * options_.weight_decay * squared_norm(network);
    bool go_on = true;
    if (input_.validation != nullptr && input_.validation->rows() > 0) {
      record.validation_log_loss = validation_log_loss(now, *input_.validation, threads_);
      go_on = options_.early_stopping == 0 || !stopping_.give_up(*record.validation_log_loss, now);
    }
    if (input_.callback != nullptr) input_.callback->on_epoch(record, epochs);
    result_.log.epochs.push_back(std::move(record));
    return go_on;
  }

  const TrainInput& input_;
  const TrainOptions& options_;
  const Threads& threads_;
  std::unique_ptr<Objective<float>> own_objective_;
  const Objective<float>* objective_;
  std::size_t rows_;
  Engine engine_;
  Batch batch_;
  AdamSchedule schedule_;
  EarlyStopping stopping_;
  TrainResult result_;
};

}  // namespace

TrainResult train(const TrainInput& input, const TrainOptions& options) {
  check_input(input, options);
  const Architecture architecture = architecture_for(*input.train, options);
  const auto members = static_cast<std::size_t>(options.members);
  if (input.initial != nullptr &&
      (input.initial->architecture != architecture || input.initial->members.size() != members)) {
    throw ConfigError("the weights to start from belong to another architecture or number of members");
  }
  const Ensemble start =
      input.initial != nullptr ? *input.initial : initial_ensemble(architecture, members, options.seed);
  const Threads threads(options.threads);
  TrainResult result;
  threads.run([&] {
    result = CollapsedMember::serves(architecture) ? Training<CollapsedEngine>(input, options, start, threads).run()
                                                   : Training<GeneralEngine>(input, options, start, threads).run();
  });
  return result;
}

}  // namespace perpend
