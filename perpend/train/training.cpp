#include "perpend/train/training.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <variant>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/base/random.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"
#include "perpend/train/adam.h"
#include "perpend/train/bagging.h"
#include "perpend/train/engine.h"
#include "perpend/train/step.h"
#include "perpend/train/unlabeled.h"

namespace perpend {

namespace {

// The loss per row of the members' mean: the log-loss, or the loss of a regression.
std::vector<double> row_losses(const Ensemble& ensemble, const Dataset& data, const Threads& threads) {
  if (data.quantity) return regression_losses(ensemble, equal_mean(ensemble.members.size()), data, threads);
  const auto members = member_probabilities(ensemble, data.inputs.view(), threads);
  return row_log_losses(decide(equal_mean(members.members()), members).view(), data.labels);
}

// Uses the rows' weights, if they have some that are not all 0.
double mean_loss(const Ensemble& ensemble, const Dataset& data, const Threads& threads) {
  const auto losses = row_losses(ensemble, data, threads);
  double all = 0;
  double sum = 0;
  for (std::size_t r = 0; r < losses.size(); ++r) {
    const double weight = data.weights.empty() ? 1 : data.weights[r];
    all += weight;
    sum += weight * losses[r];
  }
  return all > 0 ? sum / all : std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

// The rows to pass over in each epoch: one list for all members, or one for each.
std::vector<RowList> row_lists(const TrainingTask& task) {
  const std::size_t rows = task.input.train->rows();
  if (task.bootstrap) {
    std::vector<RowList> lists;
    for (std::size_t m = 0; m < task.start.members.size(); ++m) {
      lists.push_back(bootstrap_rows(task.options.seed, task.first_member + m, rows));
    }
    return lists;
  }
  RowList all(rows);
  std::iota(all.begin(), all.end(), 0U);
  return {all};
}

// Rows without labels pass through the members only if there is a penalty to see them.
const Inputs* unlabeled_of(const TrainingTask& task) {
  const Inputs* unlabeled = task.input.unlabeled;
  return unlabeled != nullptr && unlabeled->rows() > 0 && task.objective.lambda() > 0 ? unlabeled : nullptr;
}

RowList shuffled(const RowList& rows, std::uint64_t seed, std::size_t member, int epoch) {
  RowList order = Stream({.seed = seed,
                          .purpose = Purpose::shuffle,
                          .member = static_cast<std::uint32_t>(member),
                          .step = static_cast<std::uint32_t>(epoch)})
                      .permutation(rows.size());
  for (auto& r : order) r = rows[r];
  return order;
}

}  // namespace

// Keeps the best weights seen on validation rows, and tells when they have not improved for too long.
class EarlyStopping {
 public:
  explicit EarlyStopping(int patience) : patience_(patience) {}
  // Returns false when the loss has not fallen for as many measurements as the patience. The count then starts again at
  // 0.
  bool go_on(double loss, const Ensemble& ensemble, int epoch) {
    if (loss < best_loss_) {
      best_loss_ = loss;
      best_ = ensemble;
      best_epoch_ = epoch;
      waited_ = 0;
      return true;
    }
    if (++waited_ < patience_) return true;
    waited_ = 0;
    return false;
  }
  const std::optional<Ensemble>& best() const { return best_; }
  int best_epoch() const { return best_epoch_; }
  bool just_improved() const { return waited_ == 0; }

 private:
  int patience_;
  int waited_ = 0;
  double best_loss_ = INFINITY;
  std::optional<Ensemble> best_;
  int best_epoch_ = 0;
};

template <class Engine>
class Training {
 public:
  Training(const TrainingTask& task, const Threads& threads)
      : task_(task),
        options_(task.options),
        threads_(threads),
        epochs_(epochs_of(options_, task.input.train->rows())),
        batch_rows_(std::min<std::size_t>(static_cast<std::size_t>(batch_size_of(options_, task.input.train->rows())),
                                          task.input.train->rows())),
        rows_(row_lists(task)),
        unlabeled_(*task.input.train, unlabeled_of(task), batch_rows_, options_),
        learning_rate_(options_.plan.empty() ? options_.learning_rate : options_.plan[0].learning_rate),
        stopping_(options_.early_stopping) {
    plan_.push_back({0, learning_rate_});
    restart(task.start);
    batches_.emplace(unlabeled_.data(), batch_rows_ + unlabeled_.per_step(), rows_.size(), engine_->layout(), threads);
  }

  bool next_epoch() {
    if (!go_on_ || epoch_ == epochs_) return false;
    follow_plan(++epoch_);
    go_on_ = run_epoch(epoch_);
    return true;
  }

  Ensemble ensemble() const { return engine_->ensemble(); }

  TrainResult result() {
    if (result_.status != TrainStatus::diverged) {
      result_.ensemble = stopping_.best() ? *stopping_.best() : engine_->ensemble();
    }
    if (options_.early_stopping > 0) {
      result_.stopping = {.epochs = static_cast<int>(result_.log.epochs.size()),
                          .best_epoch = stopping_.best_epoch(),
                          .by_itself = !go_on_ && result_.status == TrainStatus::ok,
                          .still_falling = go_on_ && stopping_.just_improved(),
                          .plan = plan_};
    }
    return std::move(result_);
  }

 private:
  // Continues from these weights, with a fresh state of the optimizer.
  void restart(const Ensemble& from) {
    engine_.emplace(from,
                    EngineOptions{.max_rows = batch_rows_ + unlabeled_.per_step(),
                                  .with_input_gradients = task_.objective.needs().input_gradients,
                                  .keep = 1 - options_.dropout,
                                  .seed = options_.seed,
                                  .first_member = task_.first_member,
                                  .ascent = options_.ascent,
                                  .directions = options_.directions},
                    threads_);
    schedule_.emplace(AdamOptions{.learning_rate = learning_rate_, .weight_decay = weight_decay_of(options_)});
  }

  // Begins the next phase of a given plan when the phase before it is over.
  void follow_plan(int epoch) {
    int begun = 0;
    for (const RatePhase& phase : options_.plan) {
      if (begun > 0 && begun == epoch - 1 && phase.epochs > 0) {
        learning_rate_ = phase.learning_rate;
        restart(engine_->ensemble());
      }
      begun += phase.epochs;
    }
  }

  // Returns false when training is to end.
  bool run_epoch(int epoch) {
    EpochRecord record;
    record.round = task_.round;
    record.epoch = epoch;
    record.fit.assign(task_.start.members.size(), 0.0);
    if (options_.shuffle) shuffle(epoch - 1);
    const auto& lists = unlabeled_.mixed(options_.shuffle ? orders_ : rows_);
    const std::size_t rows = task_.input.train->rows();
    std::int64_t steps = 0;
    std::size_t place = 0;
    for (std::size_t first = 0; first < rows; first += batch_rows_, ++steps) {
      if (task_.input.callback != nullptr && task_.input.callback->stop_requested()) {
        result_.status = TrainStatus::stopped;
        return false;
      }
      const std::size_t count = std::min(batch_rows_, rows - first) + unlabeled_.per_step();
      batches_->begin(lists, place, count, task_.row_weights, static_cast<std::uint32_t>(result_.steps));
      place += count;
      if (!run_step(record)) return false;
    }
    return finish_epoch(std::move(record), steps);
  }

  void shuffle(int epoch) {
    orders_.resize(rows_.size());
    threads_.for_each(rows_.size(), [&](std::size_t i) {
      orders_[i] = shuffled(rows_[i], options_.seed, task_.first_member + i, epoch);
    });
  }

  // The share of the learning rate at this step.
  double rate_share() const {
    if (!task_.rate_falls) return 1;
    const std::size_t steps = (task_.input.train->rows() + batch_rows_ - 1) / batch_rows_;
    return half_cosine(static_cast<double>(result_.steps) / (static_cast<double>(steps) * epochs_));
  }

  bool run_step(EpochRecord& record) {
    const Terms<double> terms = evaluate_step(*engine_, task_.objective, *batches_, threads_);
    bool finite = std::isfinite(terms.penalty);
    std::string term = finite ? "fit" : "penalty";
    for (std::size_t m = 0; m < terms.fit.size(); ++m) {
      finite = finite && std::isfinite(terms.fit[m]);
      record.fit[m] += terms.fit[m];
    }
    record.penalty += terms.penalty;
    if (finite && !engine_->update(*batches_, schedule_->next(rate_share()))) {
      finite = false;
      term = "weights";
    }
    if (!finite) {
      result_.status = TrainStatus::diverged;
      result_.divergence = Divergence{task_.steps_before + result_.steps, term};
    }
    ++result_.steps;
    return finite;
  }

  bool finish_epoch(EpochRecord record, std::int64_t steps) {
    for (double& fit : record.fit) fit /= static_cast<double>(steps);
    record.penalty /= static_cast<double>(steps);
    record.steps = task_.steps_before + result_.steps;
    const bool go_on = !is_measured(record.epoch) || measure(record);
    if (task_.input.callback != nullptr) task_.input.callback->on_epoch(record, epochs_);
    result_.log.epochs.push_back(std::move(record));
    return go_on;
  }

  bool is_measured(int epoch) const {
    const int every = options_.early_stopping > 0 ? epochs_per_measurement(task_.input.train->rows())
                                                  : (epochs_ + kCurvePoints - 1) / kCurvePoints;
    return epoch % every == 0 || epoch == epochs_;
  }

  // The expensive part of an epoch's end: copies the weights and evaluates the validation rows.
  bool measure(EpochRecord& record) {
    const Ensemble now = engine_->ensemble();
    double squares = 0;
    for (const auto& network : now.members) squares += squared_norm(network);
    record.weight_decay = 0.5 * weight_decay_of(options_) * squares;
    const Dataset* validation = task_.input.validation;
    if (validation == nullptr || validation->rows() == 0) return true;
    record.validation_log_loss = mean_loss(now, *validation, threads_);
    if (options_.early_stopping == 0) return true;
    const bool go_on = stopping_.go_on(*record.validation_log_loss, now, record.epoch);
    if (stopping_.just_improved() && go_on) plan_.back().epochs = record.epoch - phase_begun_;
    if (go_on) return true;
    phase_begun_ = record.epoch;
    return slow_down();
  }

  // Goes back to the best weights and continues from there in smaller steps. Returns false after the last drop.
  bool slow_down() {
    if (drops_++ == options_.rate_drops) return false;
    learning_rate_ *= kRateDrop;
    plan_.push_back({0, learning_rate_});
    restart(*stopping_.best());
    return true;
  }

  const TrainingTask& task_;
  const TrainOptions& options_;
  const Threads& threads_;
  int epochs_;
  int epoch_ = 0;  // the last one that was trained
  bool go_on_ = true;
  std::size_t batch_rows_;
  std::vector<RowList> rows_;    // in the order of the data
  std::vector<RowList> orders_;  // reshuffled for this epoch
  UnlabeledSteps unlabeled_;
  std::optional<Engine> engine_;
  std::optional<Batches> batches_;
  std::optional<AdamSchedule> schedule_;
  double learning_rate_;
  int drops_ = 0;
  int phase_begun_ = 0;          // the epoch before the first one at this learning rate
  std::vector<RatePhase> plan_;  // the epochs of each phase that led to its best weights
  EarlyStopping stopping_;
  TrainResult result_;
};

struct RunningTraining::Form {
  std::variant<Training<GeneralEngine>, Training<FiniteEngine>, Training<TableEngine>, Training<CollapsedEngine>>
      training;

  template <class Engine>
  Form(std::in_place_type_t<Engine> /*engine*/, const TrainingTask& task, const Threads& threads)
      : training(std::in_place_type<Training<Engine>>, task, threads) {}
};

RunningTraining::RunningTraining(const TrainingTask& task, const Threads& threads) {
  const Architecture& architecture = task.start.architecture;
  const auto begin = [&](auto engine) { form_ = std::make_unique<Form>(engine, task, threads); };
  if (task.objective.needs().ascent_points) {
    begin(std::in_place_type<FiniteEngine>);
  } else if (TableMember::serves(architecture)) {
    begin(std::in_place_type<TableEngine>);
  } else if (CollapsedMember::serves(architecture)) {
    begin(std::in_place_type<CollapsedEngine>);
  } else {
    begin(std::in_place_type<GeneralEngine>);
  }
}
RunningTraining::~RunningTraining() = default;

bool RunningTraining::next_epoch() {
  return std::visit([](auto& training) { return training.next_epoch(); }, form_->training);
}
Ensemble RunningTraining::ensemble() const {
  return std::visit([](const auto& training) { return training.ensemble(); }, form_->training);
}
TrainResult RunningTraining::result() {
  return std::visit([](auto& training) { return training.result(); }, form_->training);
}

TrainResult run_training(const TrainingTask& task, const Threads& threads) {
  RunningTraining training(task, threads);
  while (training.next_epoch()) {
  }
  return training.result();
}

void refuse_given_objective(const TrainingTask& task) {
  if (task.input.objective == nullptr) return;
  throw ConfigError(std::string("method ") + method_info(task.options.method).word +
                    " minimises an objective of its own; choose another method for the given one");
}

void add_part(TrainResult part, TrainResult& all) {
  all.steps += part.steps;
  all.status = part.status;
  all.divergence = part.divergence;
  std::move(part.log.epochs.begin(), part.log.epochs.end(), std::back_inserter(all.log.epochs));
}

bool add_member(TrainResult one, TrainResult& all) {
  Ensemble trained = std::move(one.ensemble);
  add_part(std::move(one), all);
  if (all.status == TrainStatus::diverged) {
    all.ensemble = {};
    return false;
  }
  if (all.status == TrainStatus::stopped && !all.ensemble.members.empty()) return false;
  all.ensemble.members.push_back(std::move(trained.members.front()));
  return all.status == TrainStatus::ok;
}

void finish_in_turn(TrainResult& all) {
  const std::size_t members = all.ensemble.members.size();
  if (members == 0) return;
  auto& views = all.ensemble.architecture.views;
  if (views.size() > members) views.resize(members);
  all.decision = equal_mean(members);
}

TrainResult train_together(const TrainingTask& task, const Threads& threads) {
  TrainResult result = run_training(task, threads);
  if (result.status != TrainStatus::diverged) result.decision = equal_mean(task.start.members.size());
  return result;
}

}  // namespace perpend
