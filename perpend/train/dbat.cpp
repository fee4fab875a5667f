#include "perpend/train/dbat.h"

#include <iterator>

#include "perpend/base/error.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/objective/dbat.h"

namespace perpend {

TrainResult train_dbat(const TrainingTask& task, const Threads& threads) {
  if (task.input.objective != nullptr) {
    throw ConfigError(std::string("method ") + method_info(task.options.method).word +
                      " minimises an objective of its own; choose another method for the given one");
  }
  const Inputs& unlabeled = *task.input.unlabeled;
  TrainResult result;
  result.ensemble.architecture = task.start.architecture;
  std::vector<EarlierAnswers> earlier;
  for (std::size_t m = 0; m < task.start.members.size(); ++m) {
    const Dbat<float> objective(m == 0 ? 0 : task.objective.lambda(), earlier, task.input.train->rows());
    TrainResult one = run_training({.input = task.input,
                                    .options = task.options,
                                    .objective = objective,
                                    .start = member_alone(task.start, m),
                                    .first_member = m,
                                    .row_weights = task.row_weights,
                                    .round = static_cast<int>(m) + 1,
                                    .steps_before = result.steps},
                                   threads);
    result.steps += one.steps;
    result.status = one.status;
    result.divergence = one.divergence;
    std::move(one.log.epochs.begin(), one.log.epochs.end(), std::back_inserter(result.log.epochs));
    if (one.status == TrainStatus::diverged) {
      result.ensemble = {};
      return result;
    }
    if (one.status == TrainStatus::stopped && m > 0) break;  // the finished members stay
    earlier.push_back(earlier_answers(member_scores(one.ensemble, unlabeled.view(), threads)[0]));
    result.ensemble.members.push_back(std::move(one.ensemble.members.front()));
    if (one.status == TrainStatus::stopped) break;
  }
  auto& views = result.ensemble.architecture.views;
  if (!views.empty()) views.resize(result.ensemble.members.size());
  result.decision = equal_mean(result.ensemble.members.size());
  return result;
}

}  // namespace perpend
