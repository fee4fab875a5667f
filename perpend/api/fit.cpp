#include "perpend/api/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/model/shown_view.h"
#include "perpend/run/baselines.h"
#include "perpend/run/intervals.h"
#include "perpend/run/saved_model.h"
#include "perpend/run/supported.h"

namespace perpend {

namespace {

std::vector<std::string> warnings_of(const Prepared& data) {
  auto warnings = data.fit.warnings;
  const auto more = data.encoded.warnings();
  warnings.insert(warnings.end(), more.begin(), more.end());
  return warnings;
}

void refuse_divergence(const TrainResult& trained) {
  if (trained.status != TrainStatus::diverged) return;
  throw DivergedError(fmt::format("training diverged at step {} in its {}; lower {} or {}", trained.divergence->step,
                                  trained.divergence->term, option_mention("learning_rate"), option_mention("lambda")));
}

// Says why boosting ended before the number of learners that was asked for.
std::optional<std::string> early_end(const Fitted& fitted) {
  const auto& rounds = fitted.log.rounds;
  const std::size_t kept = fitted.model.ensemble.members.size();
  if (rounds.empty() || kept == static_cast<std::size_t>(fitted.options.train.members)) return std::nullopt;
  return fmt::format("boosting ended with {} of {}: learner {} {}", kept, fitted.options.train.members, rounds.size(),
                     rounds.back().error == 0       ? "makes no error on the training rows"
                     : fitted.model.schema.quantity ? "misses the weighted training rows by half of its largest error"
                                                    : "is no better than chance on the weighted training rows");
}

std::string epochs_text(int epochs) { return counted(static_cast<std::size_t>(epochs), "epoch"); }

// Says why training ended, in one line.
std::string stopping_line(const Stopping& stopping, bool regression) {
  const std::string loss = regression ? "validation loss" : "validation log-loss";
  if (stopping.by_itself) {
    return fmt::format("training stopped by itself after {}; the {} was best after {}", epochs_text(stopping.epochs),
                       loss, epochs_text(stopping.best_epoch));
  }
  return fmt::format("training used up its {}{}", epochs_text(stopping.epochs),
                     stopping.still_falling
                         ? " while the " + loss + " was still falling; more " + option_mention("epochs") + " may help"
                         : fmt::format("; the {} was best after {}", loss, epochs_text(stopping.best_epoch)));
}

// A gap above this means that the members know the training rows far better than others.
constexpr double kLargeGap = 0.15;  // nats
std::optional<std::string> gap_line(const RunSummary& summary) {
  if (summary.train && summary.validation && summary.train->regression) {
    const double train = summary.train->rmse.value_or(0);
    const double validation = summary.validation->rmse.value_or(0);
    if (validation < 2 * train) return std::nullopt;
    return fmt::format(
        "the ensemble knows its training rows (RMSE {:.4g}) far better than the validation rows ({:.4g}); more rows, "
        "fewer columns or a larger {} may help",
        train, validation, option_mention("weight_decay"));
  }
  if (!summary.train || !summary.validation || !summary.train->log_loss || !summary.validation->log_loss) {
    return std::nullopt;
  }
  const double train = *summary.train->log_loss;
  const double validation = *summary.validation->log_loss;
  if (validation - train < kLargeGap || validation < 2 * train) return std::nullopt;
  return fmt::format(
      "the ensemble knows its training rows (log-loss {:.3f}) far better than the validation rows ({:.3f}); more rows, "
      "fewer columns or a larger {} may help",
      train, validation, option_mention("weight_decay"));
}

// "the ensemble is 38 % linear, 42 % piecewise and 20 % logistic"
std::optional<std::string> views_line(const TrainedModel& model) {
  const Architecture& architecture = model.ensemble.architecture;
  if (!architecture.has_views() || model.decision.rule != Rule::mean) return std::nullopt;
  std::vector<std::pair<std::string_view, double>> shares;
  for (std::size_t m = 0; m < model.ensemble.members.size(); ++m) {
    const std::string_view view = shown_view(architecture, m);
    auto known = std::ranges::find(shares, view, &std::pair<std::string_view, double>::first);
    if (known == shares.end()) known = shares.insert(known, {view, 0.0});
    known->second += model.decision.weights[m];
  }
  if (shares.size() < 2) return std::nullopt;
  std::string line = "the ensemble is";
  for (std::size_t i = 0; i < shares.size(); ++i) {
    line += fmt::format("{} {:.0f} % {}",
                        i == 0                  ? ""
                        : i + 1 < shares.size() ? ","
                                                : " and",
                        100 * shares[i].second, shares[i].first);
  }
  return line;
}

std::optional<std::string> calibration_line(const TrainedModel& model) {
  const ProbabilityMap& map = model.decision.map;
  if (map.kind == Calibrator::temperature) {
    return fmt::format("the temperature that fits the validation rows is {:.3g}; it makes the ensemble {} sure",
                       map.temperature, map.temperature > 1 ? "less" : "more");
  }
  if (map.kind == Calibrator::none) return std::nullopt;
  return fmt::format("the isotonic curve that fits the validation rows has {}", counted(map.knots.size(), "knot"));
}

// Says what a stack or gate is worth on validation rows that it has not learnt from.
std::optional<std::string> aggregate_line(const RunOptions& options, const std::optional<LearntGate>& learnt) {
  if (!learnt) return std::nullopt;
  const std::string what = options.aggregate == Aggregate::gate ? "a gate" : "a stack";
  const std::string gain = fmt::format("{:+.4f} ± {:.4f}", learnt->gain, learnt->standard_error);
  if (learnt->is_changed)
    return fmt::format("{} lowers the held-out loss of the validation rows by {} per row", what, gain);
  if (learnt->sigma == 0)
    return fmt::format("there are too few validation rows or members for {}; the mean is used", what);
  return fmt::format("the validation rows do not support {} (gain {} per row); the mean is used", what, gain);
}

// Speaks of a recall or a precision that no threshold reaches on the validation rows.
std::optional<std::string> unreached_line(const Fitted& fitted) {
  const auto& validation = fitted.model.summary.validation;
  if (!fitted.options.threshold || !validation || !validation->at_threshold) return std::nullopt;
  if (is_reached(*fitted.options.threshold, *validation->at_threshold)) return std::nullopt;
  return "no threshold reaches " + text_of(*fitted.options.threshold) +
         " on the validation rows; the nearest one is used";
}

void add_remarks(const Prepared& data, const RunResult& result, Fitted& fitted) {
  const auto add = [&](std::optional<std::string> line) {
    if (line) fitted.remarks.push_back(std::move(*line));
  };
  add(early_end(fitted));
  if (result.trained.stopping && fitted.log.rounds.empty())
    add(stopping_line(*result.trained.stopping, data.schema.quantity.has_value()));
  if (result.before_refit) {
    add(fmt::format("{} were held out for early stopping; the members were then trained again on all {}",
                    counted(data.validation.rows(), "training row"),
                    counted(data.train.rows() + data.validation.rows(), "row")));
  } else if (data.divided) {
    add(fmt::format("{} were held out for validation and did not train",
                    counted(data.validation.rows(), "training row")));
  }
  add(views_line(fitted.model));
  add(aggregate_line(fitted.options, result.aggregate));
  add(calibration_line(fitted.model));
  add(unreached_line(fitted));
  add(gap_line(fitted.model.summary));
}

}  // namespace

Fitted fit(const Table& table, const RunOptions& given, const FitInputs& inputs) {
  const auto begun = std::chrono::steady_clock::now();
  refuse_problems(given);
  refuse_unsupported(unsupported_in_training(given, inputs.unlabeled != nullptr));
  FitCallback silent;
  FitCallback& callback = inputs.callback == nullptr ? silent : *inputs.callback;
  Prepared data = prepare(
      table, given, {.encoding = inputs.encoding, .validation = inputs.validation, .unlabeled = inputs.unlabeled});
  if (inputs.start != nullptr) {
    check_start(inputs.start->schema, data.schema);
    if (data.schema.by_column) data.train.columns = inputs.start->ensemble.architecture.columns;
  }
  check_savable(data, given);
  Fitted fitted;
  fitted.about_size = size_remarks(data, given);
  callback.on_prepared(data, fitted.about_size);

  fitted.options = with_views(given);
  fitted.options.train.views = train_options_for(data, given).views;
  if (inputs.start != nullptr && given.train.hidden == std::vector<int>{0}) {
    const auto& hidden = inputs.start->ensemble.architecture.hidden;
    fitted.options.train.hidden.assign(hidden.begin(), hidden.end());
  }
  std::optional<TrainResult> ready;
  if (chooses_lambda(given) && (given.lambda_auto || data.validation.rows() > 0)) {
    fitted.lambda = choose_lambda(data, fitted.options, &callback);
    ready = std::exchange(fitted.lambda->trained, std::nullopt);
    fitted.options.train.lambda = fitted.lambda->lambda;
    fitted.options.lambda_auto = false;
    callback.on_lambda_choice(*fitted.lambda);
  }
  const Ensemble* start = inputs.start == nullptr ? nullptr : &inputs.start->ensemble;
  RunResult result = run(data, fitted.options, start, &callback, start == nullptr && ready ? &*ready : nullptr);
  refuse_divergence(result.trained);
  if (wants_baselines(fitted.options.train)) {
    // Rows that the members were refitted on cannot judge them.
    TrainResult judged = result.trained;
    if (result.before_refit && data.test.rows() == 0) judged.ensemble = *result.before_refit;
    const Threads threads(fitted.options.train.threads);
    result.baselines = measure_baselines(data, judged, threads);
    result.ranges = metric_ranges(data, judged, threads);
    result.data_sha256 = rows_sha256(data);
  }
  fitted.model = model_of(data, fitted.options, result);
  fitted.split = data.split;
  fitted.left_out = data.left_out;
  fitted.log = std::move(result.trained.log);
  fitted.warnings = warnings_of(data);
  if (result.trained.status != TrainStatus::stopped) {
    add_remarks(data, result, fitted);
  }
  fitted.reading = reading(fitted.model.summary, fitted.options, fitted.lambda.has_value());
  fitted.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return fitted;
}

Split split(const Table& table, const RunOptions& options) {
  refuse_problems(options);
  const SplitKind kinds[] = {options.split.kind};
  refuse_unsupported(unsupported_by_splits(options, kinds));
  return prepare(table, options).split;
}

namespace {

// A model of such rows is right nearly everywhere when it never answers with the rare class, which is seldom what is
// wanted. There is no remark where the user has taken care of it.
constexpr double kRareShare = 0.1;
std::optional<std::string> rare_class_remark(const Prepared& data, const RunOptions& options) {
  const auto& classes = data.schema.classes;
  if (classes.size() != 2 || !options.class_weight.empty() || options.threshold) return std::nullopt;
  const auto second = static_cast<std::size_t>(std::ranges::count(data.train.labels, 1));
  const std::size_t rows = data.train.rows();
  const std::size_t rare = std::min(second, rows - second);
  if (rare == 0 || static_cast<double>(rare) >= kRareShare * static_cast<double>(rows)) return std::nullopt;
  std::string text =
      fmt::format("only {} of {} training rows are {}; {} gives them more weight", thousands(rare), thousands(rows),
                  quote(classes[second == rare ? 1 : 0]), option_mention("class_weight", "balanced"));
  if (second == rare) text += fmt::format(", and {} finds more of them", option_mention("threshold", "f1"));
  return text;
}

}  // namespace

std::vector<std::string> size_remarks(const Prepared& data, const RunOptions& options) {
  std::vector<std::string> remarks;
  const int batch_size = batch_size_of(options.train, data.train.rows());
  if (data.train.rows() < static_cast<std::size_t>(batch_size)) {
    remarks.push_back(fmt::format("there are only {} to train on, fewer than a batch of {}",
                                  counted(data.train.rows(), "row"), batch_size));
  }
  const auto views = with_views(options).train.views;
  const auto others = std::ranges::count_if(views, [](View view) { return !is_for_networks(view); });
  const auto networks = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, options.train.members - others));
  const bool asked_for = options.train.members != RunOptions().train.members;
  if (asked_for && networks > data.schema.features.size()) {
    remarks.push_back(fmt::format(
        "there are {} for {}, but only as many gradients as columns can be orthogonal", counted(networks, "network"),
        counted(data.schema.features.size(), data.schema.by_column ? "column" : "encoded column")));
  }
  if (auto remark = rare_class_remark(data, options)) remarks.push_back(std::move(*remark));
  return remarks;
}

}  // namespace perpend
