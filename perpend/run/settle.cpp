#include "perpend/run/settle.h"

#include <algorithm>
#include <vector>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/model/predict.h"
#include "perpend/run/calibrate.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

using ClassMatrix = Matrix<double, axis::Row, axis::Out>;

bool calibrates(const RunOptions& options) { return options.calibrate != Calibrator::none; }

bool searches(const RunOptions& options) { return options.threshold && options.threshold->kind != Aim::Kind::number; }

ClassMatrix answers_on(const TrainResult& trained, const Dataset& rows, const Threads& threads) {
  ClassMatrix all(rows.rows(), rows.classes.size());
  for_each_block(rows.rows(), rows.inputs.cols(), [&](std::size_t first, std::size_t count) {
    const auto members = member_probabilities(trained.ensemble, rows.inputs.view().middle_rows(first, count), threads);
    const ClassMatrix some = decide(trained.decision, members);
    for (std::size_t r = 0; r < count; ++r) std::copy_n(some.row(r), some.cols(), all.row(first + r));
  });
  return all;
}

std::vector<double> second_class(const ClassMatrix& probabilities) {
  std::vector<double> second;
  for (std::size_t r = 0; r < probabilities.rows(); ++r) second.push_back(probabilities(r, 1));
  return second;
}

}  // namespace

void check_settling(const RunOptions& options, const Dataset& validation) {
  const std::size_t classes = validation.classes.size();
  const std::string has = "; the table has " + std::to_string(classes) + " classes";
  if (options.calibrate == Calibrator::isotonic && classes > 2) {
    throw ConfigError(option_mention("calibrate", "isotonic") + " is for two classes" + has + ": use " +
                      option_mention("calibrate", "temperature"));
  }
  if (options.threshold && classes > 2) {
    throw ConfigError(option_mention("threshold") + " is for two classes" + has + ": leave it out");
  }
  const bool aggregates = options.aggregate != Aggregate::mean;
  if (!aggregates && !calibrates(options) && !searches(options)) return;
  const char* const name = aggregates ? "aggregate" : calibrates(options) ? "calibrate" : "threshold";
  const std::string given = option_mention(name) + " " + find_option(name).json(options);
  if (validation.rows() == 0) {
    throw ConfigError(given + " needs validation rows; use a split that has them, or leave it out");
  }
  if (!calibrates(options) && !searches(options)) return;
  for (std::size_t k = 0; k < classes && classes == 2; ++k) {
    if (std::ranges::find(validation.labels, static_cast<std::int32_t>(k)) != validation.labels.end()) continue;
    throw DataError(given + " needs validation rows of both classes, and none is " + quote(validation.classes[k]) +
                    "; use another split, or leave it out");
  }
}

std::optional<LearntGate> learn_aggregate(const RunOptions& options, const Dataset& validation, const Threads& threads,
                                          TrainResult& trained) {
  if (options.aggregate == Aggregate::mean || trained.status == TrainStatus::diverged) return std::nullopt;
  if (trained.decision.rule != Rule::mean) return std::nullopt;
  LearntGate learnt =
      learnt_gate(trained.ensemble, trained.decision, validation, options.aggregate == Aggregate::gate, threads);
  trained.decision = learnt.decision;
  return learnt;
}

void settle_decision(const RunOptions& options, const Dataset& validation, const Threads& threads,
                     TrainResult& trained) {
  if (trained.status == TrainStatus::diverged) return;
  if (options.threshold && !searches(options)) trained.decision.threshold = options.threshold->value;
  if (!calibrates(options) && !searches(options)) return;
  ClassMatrix answers = answers_on(trained, validation, threads);
  if (calibrates(options)) {
    trained.decision.map = fit_map(options.calibrate, answers.view(), validation.labels, validation.weights);
    for (std::size_t r = 0; r < answers.rows(); ++r) apply(trained.decision.map, {answers.row(r), answers.cols()});
  }
  if (searches(options)) {
    trained.decision.threshold = choose_threshold(*options.threshold, second_class(answers), validation.labels);
  }
}

}  // namespace perpend
