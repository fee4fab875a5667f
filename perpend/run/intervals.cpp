#include "perpend/run/intervals.h"

#include <algorithm>
#include <functional>
#include <span>

#include "perpend/base/blocks.h"
#include "perpend/base/sha256.h"
#include "perpend/evaluate/answers.h"
#include "perpend/evaluate/bootstrap.h"
#include "perpend/evaluate/metrics.h"
#include "perpend/evaluate/regression.h"
#include "perpend/run/baselines.h"

namespace perpend {

namespace {

constexpr std::size_t kMostReplicates = 1000;
constexpr std::size_t kFewestReplicates = 100;
constexpr std::size_t kDrawnRows = 1'000'000;

using Rows = std::span<const std::uint32_t>;

Answers answers_on(const Prepared& data, const Dataset& part, const TrainResult& trained, const Threads& threads) {
  Answers answers(part.rows(), trained.ensemble.members.size(), data.schema.classes.size(), false);
  for_each_block(part.rows(), part.inputs.cols(), [&](std::size_t first, std::size_t count) {
    answer_block(trained.ensemble, trained.decision, part.inputs.view().middle_rows(first, count), threads, first,
                 answers);
  });
  return answers;
}

Scores number_scores(const Answers& answers, const Dataset& part, Rows rows) {
  std::vector<double> predictions, targets;
  for (const std::uint32_t r : rows) {
    predictions.push_back(answers.numbers[r]);
    targets.push_back(part.quantity->predicted(part.targets[r]));
  }
  return score_numbers(predictions, targets, part.quantity->loss);
}

Scores class_scores(const Answers& answers, const Dataset& part, double threshold, Rows rows) {
  std::vector<std::int32_t> labels;
  Matrix<double, axis::Row, axis::Out> probabilities(rows.size(), answers.classes);
  std::vector<double> second;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    labels.push_back(part.labels[rows[i]]);
    for (std::size_t k = 0; k < answers.classes; ++k) probabilities(i, k) = answers.probability(rows[i], k);
    if (answers.classes == 2) second.push_back(probabilities(i, 1));
  }
  Scores scores;
  if (answers.classes == 2) {
    scores.auc = auc(second, labels);
    scores.accuracy = accuracy(second, labels, threshold);
    scores.log_loss = log_loss(second, labels);
  } else {
    scores.auc = auc(probabilities.view(), labels);
    scores.accuracy = accuracy(probabilities.view(), labels);
    scores.log_loss = log_loss(probabilities.view(), labels);
  }
  return scores;
}

// Three metrics need the scores of each replicate, and each computes them: simple, and quick enough.
struct NamedMetric {
  const char* name;
  Metric Scores::*value;
};

void add_part(const Dataset& part, Sha256& hash) {
  const auto add = [&](const auto& values) { hash.update(std::as_bytes(std::span(values))); };
  for (std::size_t r = 0; r < part.rows(); ++r) add(std::span(part.inputs.row(r), part.inputs.cols()));
  add(part.labels);
  add(part.targets);
  add(part.weights);
}

}  // namespace

MetricRanges metric_ranges(const Prepared& data, const TrainResult& trained, const Threads& threads) {
  const Dataset& part = judged_part(data);
  if (part.rows() == 0) return {};
  const Answers answers = answers_on(data, part, trained, threads);
  const double threshold = trained.decision.threshold.value_or(0.5);
  const auto scores = [&](Rows rows) {
    return part.quantity ? number_scores(answers, part, rows) : class_scores(answers, part, threshold, rows);
  };
  const std::vector<NamedMetric> metrics =
      part.quantity ? std::vector<NamedMetric>{{"rmse", &Scores::rmse}, {"mae", &Scores::mae}, {"r2", &Scores::r2}}
                    : std::vector<NamedMetric>{
                          {"auc", &Scores::auc}, {"accuracy", &Scores::accuracy}, {"log_loss", &Scores::log_loss}};
  const BootstrapOptions options{.replicates =
                                     std::clamp(kDrawnRows / part.rows(), kFewestReplicates, kMostReplicates)};
  MetricRanges found;
  for (const NamedMetric& metric : metrics) {
    const auto interval = bootstrap_interval(
        part.rows(), [&](Rows rows) { return scores(rows).*metric.value; }, options);
    if (interval) found[metric.name] = {interval->low, interval->high};
  }
  return found;
}

std::string rows_sha256(const Prepared& data) {
  Sha256 hash;
  for (const Dataset* part : {&data.train, &data.validation, &data.test}) add_part(*part, hash);
  return hash.hex();
}

}  // namespace perpend
