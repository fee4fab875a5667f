#include "perpend/evaluate/permutation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/random.h"
#include "perpend/evaluate/regression.h"
#include "perpend/evaluate/table_columns.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

// The ensemble's loss, then each member's.
using Losses = std::vector<double>;

// Some of the rows, with their targets in the target's own units.
struct Sample {
  Inputs inputs;
  std::vector<std::int32_t> labels;
  std::vector<double> targets;
};

Sample sample_of(const JudgedRows& rows, const Schema& schema, std::size_t most) {
  const auto some = evenly_spread(rows.inputs.rows(), most);
  Sample sample{rows_of(rows.inputs, some), {}, {}};
  for (const std::size_t r : some) {
    if (schema.quantity) sample.targets.push_back(schema.quantity->predicted(rows.targets[r]));
    if (!schema.quantity) sample.labels.push_back(rows.labels[r]);
  }
  return sample;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Losses number_losses(const Ensemble& ensemble, const Decision& decision, InputsView inputs,
                     const std::vector<double>& targets, const Threads& threads) {
  const auto members = member_predictions(ensemble, inputs, threads);
  const RegressionLoss& loss = ensemble.architecture.quantity->loss;
  Losses losses = {score_numbers(combine(decision, members.view()), targets, loss).loss.value()};
  for (std::size_t m = 0; m < members.rows(); ++m) {
    const std::span<const double> own(members.row(m), members.cols());
    losses.push_back(score_numbers(own, targets, loss).loss.value());
  }
  return losses;
}

Losses losses_of(const Ensemble& ensemble, const Decision& decision, InputsView inputs, const Sample& sample,
                 const Threads& threads) {
  if (ensemble.architecture.quantity) return number_losses(ensemble, decision, inputs, sample.targets, threads);
  const auto members = member_probabilities(ensemble, inputs, threads);
  Losses losses = {mean_of(row_log_losses(decide(decision, members).view(), sample.labels))};
  for (std::size_t m = 0; m < members.members(); ++m) {
    Matrix<double, axis::Row, axis::Out> own(members.rows(), members.cols());
    for (std::size_t r = 0; r < own.rows(); ++r) std::copy_n(members[m].row(r), own.cols(), own.row(r));
    losses.push_back(mean_of(row_log_losses(own.view(), sample.labels)));
  }
  return losses;
}

void shuffle(InputsView from, const std::vector<std::size_t>& features, const std::vector<std::uint32_t>& order,
             Inputs& to) {
  for (std::size_t r = 0; r < order.size(); ++r) {
    for (const std::size_t f : features) to(r, f) = from(order[r], f);
  }
}

double standard_error(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto count = static_cast<double>(values.size());
  return std::sqrt(squares / (count - 1) / count);
}

std::string loss_name(const Schema& schema) {
  if (!schema.quantity) return "log-loss";
  switch (schema.quantity->loss.kind) {
    case RegressionLoss::Kind::squared:
      return "squared error";
    case RegressionLoss::Kind::absolute:
      return "absolute error";
    case RegressionLoss::Kind::quantile:
      break;
  }
  return "pinball loss";
}

}  // namespace

ColumnsWorth permutation_importance(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                                    const JudgedRows& rows, const PermutationOptions& options, const Threads& threads) {
  PERPEND_CHECK(rows.inputs.rows() > 0 && options.repeats >= 2);
  PERPEND_CHECK((schema.quantity ? rows.targets.size() : rows.labels.size()) == rows.inputs.rows());
  const Sample sample = sample_of(rows, schema, options.most_rows);
  const auto known = table_columns(schema);
  std::vector<std::size_t> chosen = options.columns;
  if (chosen.empty()) {
    chosen.resize(known.size());
    std::iota(chosen.begin(), chosen.end(), 0U);
  }
  const Losses before = losses_of(ensemble, decision, sample.inputs.view(), sample, threads);
  ColumnsWorth worth{.loss_name = loss_name(schema),
                     .rows = sample.inputs.rows(),
                     .of = rows.inputs.rows(),
                     .repeats = options.repeats,
                     .loss = before[0],
                     .member_losses = {before.begin() + 1, before.end()},
                     .columns = std::vector<ColumnWorth>(chosen.size())};
  threads.for_each(chosen.size(), [&](std::size_t i) {
    const TableColumn& column = known[chosen[i]];
    Inputs shuffled = sample.inputs;
    std::vector<std::vector<double>> increases(before.size());  // ensemble and members, by repeat
    for (std::size_t repeat = 0; repeat < options.repeats; ++repeat) {
      const Stream stream(
          {options.seed, Purpose::permute, static_cast<std::uint32_t>(chosen[i]), static_cast<std::uint32_t>(repeat)});
      shuffle(sample.inputs.view(), column.features, stream.permutation(sample.inputs.rows()), shuffled);
      const Losses after = losses_of(ensemble, decision, shuffled.view(), sample, threads);
      for (std::size_t m = 0; m < after.size(); ++m) increases[m].push_back(after[m] - before[m]);
    }
    ColumnWorth& found = worth.columns[i];
    found = {column.name, mean_of(increases[0]), standard_error(increases[0]), {}};
    for (std::size_t m = 1; m < increases.size(); ++m) found.members.push_back(mean_of(increases[m]));
  });
  return worth;
}

}  // namespace perpend
