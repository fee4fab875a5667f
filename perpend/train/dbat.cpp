#include "perpend/train/dbat.h"

#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/objective/dbat.h"

namespace perpend {

TrainResult train_dbat(const TrainingTask& task, const Threads& threads) {
  refuse_given_objective(task);
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
    if (!add_member(std::move(one), result)) break;
    earlier.push_back(earlier_answers(member_scores(member_alone(result.ensemble, m), unlabeled.view(), threads)[0]));
  }
  finish_in_turn(result);
  return result;
}

}  // namespace perpend
