#include "perpend/train/train.h"

#include <algorithm>
#include <memory>

#include "perpend/base/error.h"
#include "perpend/base/option_mention.h"
#include "perpend/base/parallel.h"
#include "perpend/model/monotone.h"
#include "perpend/train/logistic_member.h"
#include "perpend/train/training.h"
#include "perpend/train/trees_member.h"

namespace perpend {

namespace {

std::size_t unlabeled_rows(const TrainInput& input) { return input.unlabeled == nullptr ? 0 : input.unlabeled->rows(); }

void check_input(const TrainInput& input, const TrainOptions& options) {
  std::string problems;
  for (const auto& problem : validate(options)) problems += (problems.empty() ? "" : "; ") + problem;
  if (!problems.empty()) throw ConfigError(problems);
  const Dataset& data = *input.train;
  if (data.rows() == 0) throw DataError("there are no rows to train on");
  if (data.inputs.cols() == 0) throw DataError("there are no feature columns to train on");
  PERPEND_CHECK(data.labelled() == data.rows() && (data.quantity || data.classes.size() >= 2));
  PERPEND_CHECK(options.views.empty() == data.columns.empty());
  PERPEND_CHECK(data.weights.empty() || data.weights.size() == data.rows());
  PERPEND_CHECK(input.tangents == nullptr || input.tangents->empty() ||
                (input.tangents->features() == data.inputs.cols() &&
                 (input.tangents->is_shared() || input.tangents->bases() == data.rows() + unlabeled_rows(input))));
  PERPEND_CHECK(unlabeled_rows(input) == 0 || input.unlabeled->cols() == data.inputs.cols());
  const ObjectiveSupport support = input.objective != nullptr ? input.objective->supports() : support_of(options);
  if (input.objective == nullptr && method_info(options.method).needs_unlabeled && unlabeled_rows(input) == 0) {
    throw ConfigError(std::string("method ") + method_info(options.method).word + " needs rows without labels; give " +
                      option_mention("unlabeled"));
  }
  if (unlabeled_rows(input) > 0 && !support.unlabeled) {
    throw ConfigError("the objective does not use rows without labels; leave them out");
  }
  if (options.early_stopping > 0 && (input.validation == nullptr || input.validation->rows() == 0)) {
    throw ConfigError("early stopping needs validation rows; use a split that has them");
  }
}

void check_objective(const Objective<float>& objective, const std::string& name, const Dataset& data,
                     const TrainOptions& options) {
  const ObjectiveSupport support = objective.supports();
  if (data.classes.size() > 2 && !support.many_classes) {
    throw ConfigError(name + " is for two classes, and there are " + std::to_string(data.classes.size()));
  }
  if (!data.quantity && data.classes.size() == 2 && !support.two_classes) {
    throw ConfigError(name + " is for more than two classes, and there are 2; choose another method");
  }
  if (data.quantity && !support.regression) {
    throw ConfigError(name + " is for classes, and the target is a number; choose another one, or give " +
                      option_mention("task", "classify"));
  }
  if (data.quantity && data.quantity->loss.kind != RegressionLoss::Kind::squared && !support.any_loss) {
    throw ConfigError(name + " is defined for " + option_mention("loss", "squared") + " alone");
  }
  if (options.dropout > 0 && !support.dropout) throw ConfigError(name + " needs " + option_mention("dropout", "0"));
}

Architecture architecture_for(const Dataset& data, const TrainOptions& options) {
  const auto members = static_cast<std::size_t>(options.members);
  return {.features = data.inputs.cols(),
          .hidden = hidden_of(options, data.rows()),
          .classes = data.quantity ? 2 : data.classes.size(),
          .activation = options.activation,
          .columns = options.views.empty() ? std::vector<ColumnTable>() : data.columns,
          .views = member_views(options.views, members),
          .quantity = data.quantity};
}

void check_logistic(const Architecture& architecture) {
  if (!has_view(architecture.views, View::logistic) || holds_logistic(architecture)) return;
  throw ConfigError(option_mention("views", "logistic") + " needs ReLU layers of at least " +
                    std::to_string(2 * architecture.scores()) + " units; leave it out, or change " +
                    option_mention("hidden"));
}

void check_directions(const Architecture& architecture, const TrainOptions& options) {
  if (options.directions.empty()) return;
  PERPEND_CHECK(options.directions.size() == architecture.features);
  if (can_be_monotone(architecture)) return;
  throw ConfigError("columns with a direction need two classes and one hidden layer");
}

// New weights that have the signs that the directions ask for.
Ensemble oriented(Ensemble ensemble, const Directions& directions) {
  for (std::size_t m = 0; !directions.empty() && m < ensemble.members.size(); ++m) {
    if (ensemble.members[m].layers.empty()) continue;
    orient(input_directions(ensemble.architecture, m, directions), ensemble.members[m]);
  }
  return ensemble;
}

const Ensemble& checked_start(const Ensemble& start, const Directions& directions) {
  for (std::size_t m = 0; !directions.empty() && m < start.members.size(); ++m) {
    if (start.members[m].layers.empty()) continue;
    if (obeys(input_directions(start.architecture, m, directions), start.members[m])) continue;
    throw ConfigError("the weights to start from belong to a model without these " + option_mention("increasing") +
                      " and " + option_mention("decreasing") + " columns; start from one that was trained with them");
  }
  return start;
}

// The members that are networks to be trained. They come first.
Ensemble networks_of(Ensemble ensemble) {
  auto& views = ensemble.architecture.views;
  while (!views.empty() && !is_for_networks(views.back())) {
    views.pop_back();
    ensemble.members.pop_back();
  }
  ensemble.trees = {};
  return ensemble;
}

const Tangents* tangents_of(const TrainInput& input) {
  return input.tangents == nullptr || input.tangents->empty() ? nullptr : input.tangents;
}

}  // namespace

void add_single_members(const TrainInput& input, const TrainOptions& options, TrainResult& result) {
  if (std::ranges::all_of(options.views, is_for_networks) || result.status == TrainStatus::diverged) return;
  TrainOptions kept = options;  // members that are trained in turn may have been stopped
  kept.members = static_cast<int>(result.ensemble.members.size()) +
                 static_cast<int>(std::ranges::count_if(options.views, [](View v) { return !is_for_networks(v); }));
  const Architecture architecture = architecture_for(*input.train, kept);
  const bool untrained = epochs_of(options, input.train->rows()) == 0;
  Ensemble& ensemble = result.ensemble;
  ensemble.architecture = architecture;
  if (has_view(options.views, View::logistic)) {
    const std::size_t member = ensemble.members.size();
    ensemble.members.push_back(untrained ? zero_network<float>(architecture, member)
                                         : logistic_member(architecture, member, *input.train, options.directions));
  }
  if (has_view(options.views, View::trees)) {
    ensemble.members.emplace_back();
    ensemble.trees =
        untrained ? untrained_trees(architecture.scores()) : trees_member(input, options, Threads(options.threads));
  }
  result.decision = equal_mean(ensemble.members.size());
}

namespace {

void check_initial(const Ensemble* initial, const Architecture& architecture, std::size_t members) {
  if (initial == nullptr) return;
  Architecture there = initial->architecture;
  there.quantity = architecture.quantity;  // its mean and sd differ from table to table, as those of inputs do
  if (there != architecture || initial->members.size() != members) {
    throw ConfigError("the weights to start from have another architecture or another number of members");
  }
}

}  // namespace

// Checked input and options, and the task that they make. The task refers to the other members, so this object must not
// move.
struct CheckedTraining {
  TrainInput input;
  TrainOptions options;
  std::unique_ptr<Objective<float>> own_objective;  // nullptr: the input has an objective
  std::optional<TrainingTask> task;

  CheckedTraining(const TrainInput& input_, const TrainOptions& options_) : input(input_), options(options_) {
    check_input(input, options);
    const Architecture architecture = architecture_for(*input.train, options);
    const auto members = static_cast<std::size_t>(options.members);
    check_initial(input.initial, architecture, members);
    check_logistic(architecture);
    check_directions(architecture, options);
    if (input.objective == nullptr) {
      own_objective = objective_for(options, {.tangents = tangents_of(input), .train = input.train});
    }
    const Objective<float>& objective = own_objective ? *own_objective : *input.objective;
    check_objective(objective, own_objective ? objective_name(options) : "the given objective", *input.train, options);
    task.emplace(TrainingTask{
        .input = input,
        .options = options,
        .objective = objective,
        .start = networks_of(input.initial != nullptr
                                 ? Ensemble{architecture, checked_start(*input.initial, options.directions).members}
                                 : oriented(initial_ensemble(architecture, members, options.seed), options.directions)),
        .bootstrap = method_info(options.method).bootstrap,
        .row_weights = input.train->weights});
  }
  CheckedTraining(const CheckedTraining&) = delete;
  CheckedTraining& operator=(const CheckedTraining&) = delete;
};

TrainResult train(const TrainInput& input, const TrainOptions& options) {
  const CheckedTraining checked(input, options);
  const Threads threads(options.threads);
  TrainResult result;
  if (!checked.task->start.members.empty()) {
    threads.run([&] { result = method_info(options.method).train(*checked.task, threads); });
  }
  add_single_members(input, options, result);
  return result;
}

struct EpochTraining::State {
  CheckedTraining checked;
  Threads threads;
  std::optional<RunningTraining> running;

  State(const TrainInput& input, const TrainOptions& options) : checked(input, options), threads(options.threads) {
    const MethodInfo& method = method_info(options.method);
    if (method.train != train_together) {
      throw ConfigError(std::string("method ") + method.word +
                        " does not train all members side by side, epoch by epoch; choose another one");
    }
    if (checked.task->start.members.empty()) throw ConfigError("there is no network to train epoch by epoch");
    running.emplace(*checked.task, threads);
  }
};

EpochTraining::EpochTraining(const TrainInput& input, const TrainOptions& options)
    : state_(std::make_unique<State>(input, options)) {}
EpochTraining::~EpochTraining() = default;
EpochTraining::EpochTraining(EpochTraining&&) noexcept = default;
EpochTraining& EpochTraining::operator=(EpochTraining&&) noexcept = default;

bool EpochTraining::next_epoch() { return state_->running->next_epoch(); }
Ensemble EpochTraining::ensemble() const { return state_->running->ensemble(); }

TrainResult EpochTraining::result() {
  TrainResult result = state_->running->result();
  if (result.status != TrainStatus::diverged) result.decision = equal_mean(result.ensemble.members.size());
  add_single_members(state_->checked.input, state_->checked.options, result);
  return result;
}

}  // namespace perpend
