#include "perpend/train/subspaces.h"

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/base/option_mention.h"
#include "perpend/base/random.h"
#include "perpend/model/decision.h"

namespace perpend {

std::vector<std::uint32_t> subspace_columns(std::uint64_t seed, std::size_t member, std::size_t columns) {
  auto drawn =
      Stream({.seed = seed, .purpose = Purpose::subspace, .member = static_cast<std::uint32_t>(member), .step = 0})
          .permutation(columns);
  drawn.resize((columns + 1) / 2);
  std::ranges::sort(drawn);
  return drawn;
}

namespace {

using SeenColumns = std::vector<std::uint32_t>;

template <class Part>
std::vector<Part> parts_of(const std::vector<Part>& all, const SeenColumns& seen) {
  std::vector<Part> some;
  for (const auto c : seen) {
    if (!all.empty()) some.push_back(all[c]);
  }
  return some;
}

Dataset with_columns(const Dataset& data, const SeenColumns& seen) {
  Dataset some{.inputs = Inputs(data.rows(), seen.size()),
               .labels = data.labels,
               .classes = data.classes,
               .features = parts_of(data.features, seen),
               .weights = data.weights,
               .columns = parts_of(data.columns, seen),
               .quantity = data.quantity,
               .targets = data.targets};
  for (std::size_t r = 0; r < data.rows(); ++r) {
    for (std::size_t i = 0; i < seen.size(); ++i) some.inputs(r, i) = data.inputs(r, seen[i]);
  }
  return some;
}

// The inputs of the first layer that belong to the columns that are seen.
std::vector<std::size_t> inputs_of(const Architecture& architecture, std::size_t member, const SeenColumns& seen) {
  std::vector<std::size_t> inputs;
  const ViewLayout layout = architecture.has_views() ? architecture.layout_of(member) : ViewLayout();
  for (const auto c : seen) {
    const std::size_t first = architecture.has_views() ? layout.columns()[c].first : c;
    const std::size_t count = architecture.has_views() ? layout.columns()[c].rows : 1;
    for (std::size_t i = 0; i < count; ++i) inputs.push_back(first + i);
  }
  return inputs;
}

// The network without the inputs that are not seen.
Network<float> narrowed(const Network<float>& network, const std::vector<std::size_t>& inputs) {
  Network<float> narrow = network;
  const auto& whole = network.layers[0].weight;
  auto& weight = narrow.layers[0].weight;
  weight = {inputs.size(), whole.cols()};
  for (std::size_t i = 0; i < inputs.size(); ++i) std::copy_n(whole.row(inputs[i]), whole.cols(), weight.row(i));
  return narrow;
}

// The reverse: the other inputs get the weight 0.
Network<float> widened(Network<float> narrow, const std::vector<std::size_t>& inputs, std::size_t all) {
  const auto weight = std::move(narrow.layers[0].weight);
  auto& whole = narrow.layers[0].weight;
  whole = {all, weight.cols()};
  for (std::size_t i = 0; i < inputs.size(); ++i) std::copy_n(weight.row(i), weight.cols(), whole.row(inputs[i]));
  return narrow;
}

// Weights to start from may come from another seed, whose members see other columns.
void check_start(const Network<float>& network, const std::vector<std::size_t>& inputs) {
  const auto& weight = network.layers[0].weight;
  for (std::size_t i = 0; i < weight.rows(); ++i) {
    const bool all_zero = std::all_of(weight.row(i), weight.row(i) + weight.cols(), [](float w) { return w == 0; });
    if (all_zero || std::ranges::find(inputs, i) != inputs.end()) continue;
    throw ConfigError("the members to start from see other columns than those that " + option_mention("seed") +
                      " draws; give the seed that they were trained with");
  }
}

}  // namespace

TrainResult train_subspaces(const TrainingTask& task, const Threads& threads) {
  TrainResult result;
  result.ensemble.architecture = task.start.architecture;
  for (std::size_t m = 0; m < task.start.members.size(); ++m) {
    const auto seen = subspace_columns(task.options.seed, m, task.start.architecture.features);
    const auto inputs = inputs_of(task.start.architecture, m, seen);
    if (task.input.initial != nullptr) check_start(task.start.members[m], inputs);
    const Dataset train = with_columns(*task.input.train, seen);
    const Dataset validation =
        task.input.validation == nullptr ? Dataset() : with_columns(*task.input.validation, seen);
    TrainInput input = task.input;
    input.train = &train;
    if (input.validation != nullptr) input.validation = &validation;
    TrainOptions options = task.options;
    options.directions = parts_of(options.directions, seen);
    Ensemble start = member_alone(task.start, m);
    start.architecture.features = seen.size();
    start.architecture.columns = train.columns;
    start.members[0] = narrowed(start.members[0], inputs);
    TrainResult one = run_training({.input = input,
                                    .options = options,
                                    .objective = task.objective,
                                    .start = std::move(start),
                                    .first_member = m,
                                    .row_weights = task.row_weights,
                                    .round = static_cast<int>(m) + 1,
                                    .steps_before = result.steps},
                                   threads);
    if (!one.ensemble.members.empty()) {
      Network<float>& network = one.ensemble.members[0];
      network = widened(std::move(network), inputs, task.start.members[m].layers[0].weight.rows());
    }
    if (!add_member(std::move(one), result)) break;
  }
  finish_in_turn(result);
  return result;
}

}  // namespace perpend
