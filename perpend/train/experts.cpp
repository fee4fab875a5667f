#include "perpend/train/experts.h"

#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/experts.h"

namespace perpend {

namespace {

// The loss of member m's answer at each row of the data.
std::vector<double> losses_of(const Ensemble& ensemble, std::size_t m, const Dataset& rows, const Threads& threads) {
  const Ensemble alone = member_alone(ensemble, m);
  if (rows.quantity) return regression_losses(alone, equal_mean(1), rows, threads);
  const auto probabilities = member_probabilities(alone, rows.inputs.view(), threads);
  return row_log_losses(decide(equal_mean(1), probabilities).view(), rows.labels);
}

// The options of one of the two parts.
TrainOptions part_options(TrainOptions options, int epochs) {
  if (options.early_stopping == 0 || options.epochs) options.epochs = epochs;
  return options;
}

}  // namespace

std::vector<std::vector<double>> losses_of_members(const Ensemble& ensemble, const Dataset& rows,
                                                   const Threads& threads) {
  std::vector<std::vector<double>> losses;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) losses.push_back(losses_of(ensemble, m, rows, threads));
  return losses;
}

std::vector<double> shares_won(const Ensemble& ensemble, const Dataset& rows, const Threads& threads) {
  const auto place = places(rows.rows(), losses_of_members(ensemble, rows, threads));
  std::vector<double> won(ensemble.members.size(), 0);
  double all = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double weight = rows.weights.empty() ? 1 : rows.weights[r];
    for (std::size_t m = 0; m < won.size(); ++m) won[m] += place[m][r] == 0 ? weight : 0;
    all += weight;
  }
  for (double& share : won) share = all > 0 ? share / all : 1 / static_cast<double>(won.size());
  return won;
}

TrainResult train_experts(const TrainingTask& task, const Threads& threads) {
  const Restarts<float> all_rows;
  const int epochs = epochs_of(task.options, task.input.train->rows());
  TrainResult result;
  Ensemble members = task.start;
  for (const bool compete : {false, true}) {
    const TrainOptions options = part_options(task.options, compete ? epochs - epochs / 2 : epochs / 2);
    TrainResult part = run_training({.input = task.input,
                                     .options = options,
                                     .objective = compete ? task.objective : all_rows,
                                     .start = std::move(members),
                                     .row_weights = task.row_weights,
                                     .steps_before = result.steps},
                                    threads);
    members = std::move(part.ensemble);
    add_part(std::move(part), result);
    if (result.status != TrainStatus::ok) break;
  }
  if (result.status == TrainStatus::diverged) return result;
  result.ensemble = std::move(members);
  result.decision = {.weights = shares_won(result.ensemble, *task.input.train, threads)};
  return result;
}

}  // namespace perpend
