#include "perpend/train/snapshot.h"

#include <algorithm>
#include <limits>

#include "perpend/model/decision.h"

namespace perpend {

namespace {

// The place of member m among the members that share its view. `cycles` is how many snapshots its network makes.
// `before` is the member whose copy m is trained from, or m itself if it is the first.
struct Chain {
  std::size_t cycles = 0;
  std::size_t before = 0;
};

Chain chain_of(const Architecture& architecture, std::size_t members, std::size_t member) {
  Chain chain{.before = member};
  for (std::size_t m = 0; m < members; ++m) {
    if (architecture.has_views() && architecture.view_of(m) != architecture.view_of(member)) continue;
    ++chain.cycles;
    if (m < member) chain.before = m;
  }
  return chain;
}

TrainOptions cycle_options(TrainOptions options, std::size_t rows, std::size_t cycles) {
  const int epochs = options.epochs.value_or(default_epochs(rows));
  options.epochs = epochs == 0 ? 0 : std::max(1, epochs / static_cast<int>(cycles));
  options.rate_drops = 0;
  if (options.early_stopping > 0) options.early_stopping = std::numeric_limits<int>::max();
  return options;
}

}  // namespace

TrainResult train_snapshots(const TrainingTask& task, const Threads& threads) {
  TrainResult result;
  result.ensemble.architecture = task.start.architecture;
  const std::size_t members = task.start.members.size();
  for (std::size_t m = 0; m < members; ++m) {
    const Chain chain = chain_of(task.start.architecture, members, m);
    const TrainOptions options = cycle_options(task.options, task.input.train->rows(), chain.cycles);
    TrainResult one =
        run_training({.input = task.input,
                      .options = options,
                      .objective = task.objective,
                      .start = member_alone(chain.before < m ? result.ensemble : task.start, chain.before),
                      .first_member = m,
                      .row_weights = task.row_weights,
                      .round = static_cast<int>(m) + 1,
                      .steps_before = result.steps,
                      .rate_falls = true},
                     threads);
    if (!add_member(std::move(one), result)) break;
  }
  finish_in_turn(result);
  return result;
}

}  // namespace perpend
