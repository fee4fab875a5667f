#include "perpend/api/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
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
                                    const std::function<void(std::size_t, InputsView)>& use, RowsUnlike* unlike) {
  EncodeReport all;
  const std::size_t columns = std::max(table.columns.size(), model.schema.features.size());
  for_each_block(table.rows, columns, [&](std::size_t first, std::size_t count) {
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
    EncodeReport of_block;
    RowsUnlike unlike_in_block;
    const Inputs inputs = encode_inputs(table, model.schema, rows, &of_block, &unlike_in_block);
    all += of_block;
    if (unlike != nullptr) unlike->append(unlike_in_block);
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
  out.encoded = for_each_encoded_block(
      model, table,
      [&](std::size_t first, InputsView inputs) {
        answer_block(model.ensemble, model.decision, inputs, threads, first, out);
      },
      &out.unlike);
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

std::string prediction_counts(const EncodeReport& encoded, std::optional<std::size_t> abstained) {
  const auto verb = [](std::size_t count, const char* one, const char* more) { return count == 1 ? one : more; };
  std::string text = "Wrote " + counted(encoded.rows, "row");
  if (abstained) {
    text += fmt::format("; {} of them {}", thousands(*abstained), verb(*abstained, "abstains", "abstain"));
  }
  text += fmt::format(". {} {} a level that training never saw, ", counted(encoded.unseen_rows, "row"),
                      verb(encoded.unseen_rows, "has", "have"));
  if (encoded.outside_rows) {
    text += fmt::format("{} {} outside the range of the training rows in at least one number, ",
                        counted(*encoded.outside_rows, "row"), verb(*encoded.outside_rows, "lies", "lie"));
  } else {
    text += "the model does not know the range of its training rows, ";
  }
  const std::size_t missing = encoded.missing_cells();
  return text + fmt::format("and {} {} missing.", counted(missing, "cell"), verb(missing, "is", "are"));
}

std::string unlike_json(const EncodeReport& encoded) {
  using Json = nlohmann::ordered_json;
  Json columns = Json::object();
  const auto add = [&](const char* what, const std::vector<ColumnCount>& counts) {
    for (const ColumnCount& c : counts) {
      if (!columns.contains(c.column)) columns[c.column] = {{"unseen", 0}, {"outside", 0}, {"missing", 0}};
      columns[c.column][what] = c.count;
    }
  };
  add("unseen", encoded.unseen);
  add("outside", encoded.outside);
  add("missing", encoded.filled);
  return Json{{"unseen_rows", encoded.unseen_rows},
              {"outside_rows", encoded.outside_rows ? Json(*encoded.outside_rows) : Json(nullptr)},
              {"missing_cells", encoded.missing_cells()},
              {"columns", std::move(columns)}}
      .dump();
}

std::string prediction_json(const EncodeReport& encoded, std::optional<std::size_t> abstained) {
  using Json = nlohmann::ordered_json;
  return Json{{"rows", encoded.rows},
              {"abstained", abstained ? Json(*abstained) : Json(nullptr)},
              {"unlike_training", Json::parse(unlike_json(encoded))}}
      .dump();
}

RowsUnlike rows_unlike(const TrainedModel& model, const Table& table, EncodeReport* report) {
  RowsUnlike found;
  const EncodeReport met = for_each_encoded_block(
      model, table, [](std::size_t, InputsView) {}, &found);
  if (report != nullptr) *report = met;
  return found;
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
