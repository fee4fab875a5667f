#include "perpend/api/predict.h"

#include <algorithm>
#include <numeric>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/find_classes.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

// The disagreement above which a row is left to a human.
double abstain_threshold(const TrainedModel& model, double share) {
  if (!(share >= 0 && share <= 1)) throw ConfigError(option_mention("abstain") + " must be a share from 0 to 1");
  const auto familiar = FamiliarDisagreement::of(model.summary);
  if (!familiar)
    throw ConfigError(option_mention("abstain") + " needs a model that knows its familiar rows; train it again");
  return familiar->at(1 - share);
}

double interval_half_width(const TrainedModel& model, double coverage) {
  if (!model.schema.quantity) {
    throw ConfigError(option_mention("interval") + " is for numbers, and the model predicts classes; leave it out");
  }
  if (!(coverage > 0 && coverage < 1)) {
    throw ConfigError(option_mention("interval") + " must be a share above 0 and below 1");
  }
  if (model.schema.quantity->loss.kind == RegressionLoss::Kind::quantile) {
    throw ConfigError(option_mention("interval") +
                      " is around a mean or a median, and the model predicts a quantile; " + "leave it out");
  }
  if (!model.summary.residuals || model.summary.residuals->percentiles.empty()) {
    throw ConfigError(option_mention("interval") + " needs a model that knows its familiar rows; train it again");
  }
  return model.summary.residuals->half_width(coverage);
}

}  // namespace

EncodeReport for_each_encoded_block(const TrainedModel& model, const Table& table,
                                    const std::function<void(std::size_t, InputsView)>& use) {
  EncodeReport all;
  const std::size_t columns = std::max(table.columns.size(), model.schema.features.size());
  for_each_block(table.rows, columns, [&](std::size_t first, std::size_t count) {
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
    EncodeReport of_block;
    const Inputs inputs = encode_inputs(table, model.schema, rows, &of_block);
    all += of_block;
    use(first, inputs.view());
  });
  return all;
}

Predictions predict(const TrainedModel& model, const Table& table, const PredictOptions& options) {
  std::optional<double> threshold;
  if (options.abstain) threshold = abstain_threshold(model, *options.abstain);
  std::optional<double> half_width;
  if (options.interval) half_width = interval_half_width(model, *options.interval);
  const Threads threads(options.threads);
  Predictions out;
  static_cast<Answers&>(out) =
      Answers(table.rows, model.ensemble.members.size(), model.schema.classes.size(), options.members);
  out.encoded = for_each_encoded_block(model, table, [&](std::size_t first, InputsView inputs) {
    answer_block(model.ensemble, model.decision, inputs, threads, first, out);
  });
  if (threshold) {
    for (const double disagreement : out.disagreement) out.abstained.push_back(disagreement > *threshold);
  }
  for (std::size_t r = 0; half_width && r < out.rows; ++r) {
    out.low.push_back(out.numbers[r] - *half_width);
    out.high.push_back(out.numbers[r] + *half_width);
  }
  return out;
}

std::vector<std::string> prediction_warnings(const TrainedModel& model, const EncodeReport& encoded) {
  auto warnings = encoded.warnings();
  if (auto warning = formula_warning(model.schema.classes)) warnings.push_back(std::move(*warning));
  return warnings;
}

Gradients input_gradients(const TrainedModel& model, const Table& table, int thread_count) {
  const Threads threads(thread_count);
  Gradients out{model.ensemble.differentiable(), table.rows, model.schema.features.size(), {}, {}};
  out.values.resize(out.members * out.rows * out.features);
  out.encoded = for_each_encoded_block(model, table, [&](std::size_t first, InputsView inputs) {
    const auto gradients = input_gradients(model.ensemble, inputs, threads);
    for (std::size_t m = 0; m < out.members; ++m) {
      for (std::size_t r = 0; r < inputs.rows(); ++r) {
        std::copy_n(gradients[m].row(r), out.features, out.values.data() + (m * out.rows + first + r) * out.features);
      }
    }
  });
  return out;
}

}  // namespace perpend
