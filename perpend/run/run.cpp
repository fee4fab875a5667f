#include "perpend/run/run.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/parallel.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/random.h"
#include "perpend/data/cells.h"
#include "perpend/data/find_classes.h"
#include "perpend/data/near_duplicates.h"
#include "perpend/data/need_column.h"
#include "perpend/data/row_order.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/regression.h"
#include "perpend/model/predict.h"
#include "perpend/run/baselines.h"
#include "perpend/run/class_weights.h"
#include "perpend/run/directions.h"
#include "perpend/run/row_groups.h"
#include "perpend/run/settle.h"
#include "perpend/run/supported.h"
#include "perpend/run/take_rows.h"
#include "perpend/run/view_weights.h"
#include "perpend/train/bagging.h"
#include "perpend/train/logistic_member.h"

namespace perpend {

namespace {

bool needs_column(SplitKind kind) { return kind == SplitKind::by_column || kind == SplitKind::labels; }

const Column& split_column(const Table& table, const std::string& name) {
  return need_column(table, name, " to split by");
}

std::vector<double> column_numbers(const Table& table, const std::string& name) {
  const Column& column = split_column(table, name);
  const NumericCells cells(column, find_reading(table, column));
  std::vector<double> numbers;
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (!column.is_number(r) && cells.meaning(r) != NumericCells::Meaning::number) {
      throw DataError(table.place(r) + ": column " + quote(name) + " is " + quote(column.text(r)) +
                      ", which is not a number to split by");
    }
    numbers.push_back(cells.number(r));
  }
  return numbers;
}

std::vector<Part> column_parts(const Table& table, const std::string& name) {
  const Column& column = split_column(table, name);
  std::vector<std::string> words;
  for (std::size_t r = 0; r < table.rows; ++r) words.push_back(column.text(r));
  return parse_parts(words);
}

SchemaOptions schema_options(const RunOptions& options) {
  SchemaOptions schema = options.schema;
  schema.by_column = !with_views(options).train.views.empty();
  if (options.split.kind == SplitKind::labels) schema.drop.push_back(options.split_column);
  for (const auto* column : {&options.group, &options.domain}) {
    if (!column->empty()) schema.drop.push_back(*column);
  }
  return schema;
}

// The norm of a row is that of its plain features, whatever networks see of them. Where the schema is by column, levels
// are standardised too, as in the paper's arrays: the norm of plain one-hot levels is the same for every row. A missing
// cell is the mean.
SchemaOptions norm_options(const RunOptions& options) {
  SchemaOptions schema = schema_options(options);
  if (!schema.by_column) return schema;
  schema.by_column = false;
  schema.standardize_one_hot = true;
  if (schema.missing != Missing::error) schema.missing = Missing::mean;
  return schema;
}

// What a split looks at; SplitInput views these values.
struct SplitValues {
  std::vector<std::int32_t> labels;
  RowGroups groups, domains;
  std::vector<double> numbers;
  std::vector<Part> parts;
};

// What a split is stratified by: classes, or strata of the target.
std::vector<std::int32_t> split_labels(const Table& table, const Schema& schema, Rows rows) {
  return schema.quantity ? target_strata(encode_targets(table, schema, rows)) : encode_labels(table, schema, rows);
}

SplitInput read_split_values(const Table& table, const RunOptions& options, const Schema& schema, SplitValues& to) {
  const auto rows = all_rows(table);
  to.labels = split_labels(table, schema, rows);
  SplitInput input{.labels = to.labels,
                   .classes = schema.quantity ? strata_names() : schema.classes,
                   .strata = schema.quantity.has_value()};
  if (!options.group.empty()) to.groups = groups_in(table, options.group, "group");
  input.groups = to.groups.of_row;
  input.group_names = to.groups.names;
  switch (options.split.kind) {
    case SplitKind::extrapolation:
      input.norms = to.numbers = row_norms(encode_inputs(table, schema, rows).view());
      break;
    case SplitKind::by_column:
      input.column = to.numbers = column_numbers(table, options.split_column);
      break;
    case SplitKind::domain:
      to.domains = domains_in(table, options.domain);
      input.domains = to.domains.of_row;
      input.domain_names = to.domains.names;
      break;
    case SplitKind::labels:
      input.parts = to.parts = column_parts(table, options.split_column);
      break;
    case SplitKind::random:
    case SplitKind::limited:
    case SplitKind::none:
      break;
  }
  return input;
}

// Gives `out` its split and the domains that it leaves out.
void split_table(const Table& table, const RunOptions& options, const Schema* fixed, Prepared& out) {
  check_group_columns(options, fixed);
  SplitOptions split = options.split;
  split.seed = options.train.seed;
  const Schema schema = fixed != nullptr ? *fixed
                        : split.kind == SplitKind::extrapolation
                            ? fit_schema(table, all_rows(table), norm_options(options))
                            : fit_classes(table, schema_options(options));
  SplitValues values;
  const SplitInput input = read_split_values(table, options, schema, values);
  out.split = split_rows(input, split);
  if (split.kind == SplitKind::none) {
    std::vector<std::string> unused = options.schema.drop;
    std::erase(unused, options.group);  // groups are kept together, so equal rows of two groups are not the same
    out.split.train = rows_by_content(table, options.schema.sample_weight, unused);
  }
  if (split.kind == SplitKind::domain) out.left_out = left_out_of(values.domains, split);
}

std::optional<Evaluation> evaluate_part(const TrainResult& trained, const Dataset& part, const Tangents& tangents,
                                        const Threads& threads) {
  if (part.rows() == 0) return std::nullopt;
  return evaluate_ensemble(trained.ensemble, trained.decision, part, threads, tangents);
}

void find_manifold(const std::string& text, std::size_t table_rows, const PrepareInputs& more, const Threads& threads,
                   Prepared& data) {
  data.manifold = fit_manifold(parse_manifold(text), data.train.inputs.view(), data.train.weights, table_rows, threads);
  if (!data.manifold.of_table.empty() && (more.validation != nullptr || more.unlabeled != nullptr)) {
    throw ConfigError(printable(text) + " has one basis per row of the table, but none for the rows " +
                      (more.validation != nullptr ? "to validate on" : "without labels") +
                      ", which are not in the table; use one basis for all rows");
  }
  const auto at = [&](InputsView part, const std::vector<std::uint32_t>& rows) {
    return tangents_at(data.manifold, part, rows, threads);
  };
  data.tangents = {at(data.train.inputs.view(), data.split.train),
                   at(data.validation.inputs.view(), data.split.validation),
                   at(data.test.inputs.view(), data.split.test),
                   {}};
  if (data.unlabeled.rows() > 0) data.tangents.unlabeled = at(data.unlabeled.view(), {});
}

// Warns of a class whose training rows all have weight 0. The model never learns to answer it.
std::optional<std::string> weightless_warning(const Prepared& data) {
  if (data.schema.quantity || (data.schema.sample_weight.empty() && data.train.weights.empty())) return std::nullopt;
  std::vector<double> sums(data.schema.classes.size(), 0);
  for (std::size_t r = 0; r < data.train.rows(); ++r) {
    sums[static_cast<std::size_t>(data.train.labels[r])] += data.train.weights.empty() ? 1 : data.train.weights[r];
  }
  const auto none = static_cast<std::size_t>(std::ranges::find(sums, 0.0) - sums.begin());
  if (none == sums.size()) return std::nullopt;
  const auto more = static_cast<std::size_t>(std::ranges::count(sums, 0.0)) - 1;
  return "class " + quote(data.schema.classes[none]) +
         (more > 0 ? " (and " + thousands(more) + " more)" : std::string()) + " has weight 0 in every training row" +
         (data.schema.sample_weight.empty() ? std::string() : " (column " + quote(data.schema.sample_weight) + ")") +
         "; the model cannot learn it";
}

// What training gets of the prepared data.
class TrainingRows {
 public:
  explicit TrainingRows(const Prepared& data) : data_(data), tangents_(training_tangents(data, true)) {}
  TrainInput input(const Ensemble* initial, TrainCallback* callback) const {
    return {.train = &data_.train,
            .validation = &data_.validation,
            .initial = initial,
            .callback = callback,
            .tangents = &tangents_,
            .unlabeled = &data_.unlabeled};
  }

 private:
  const Prepared& data_;
  Tangents tangents_;
};

OutOfBagScores score_out_of_bag(const Ensemble& ensemble, const Dataset& data, std::uint64_t seed,
                                const Threads& threads) {
  const OutOfBag judged = out_of_bag(ensemble, data, seed, threads);
  OutOfBagScores result;
  if (data.quantity) {
    std::vector<double> predictions, targets;
    for (std::size_t i = 0; i < judged.rows.size(); ++i) {
      predictions.push_back(judged.probabilities(i, 0));
      targets.push_back(data.quantity->predicted(data.targets[judged.rows[i]]));
    }
    static_cast<Scores&>(result) = score_numbers(predictions, targets, data.quantity->loss);
  } else {
    std::vector<std::int32_t> labels;
    for (const auto r : judged.rows) labels.push_back(data.labels[r]);
    static_cast<Scores&>(result) = score_classes(judged.probabilities.view(), labels);
  }
  result.rows = judged.rows.size();
  result.seen_by_all = data.rows() - judged.rows.size();
  return result;
}

}  // namespace

Tangents training_tangents(const Prepared& data, bool with_unlabeled) {
  const Tangents& own = data.tangents.train;
  if (!with_unlabeled || data.unlabeled.rows() == 0 || own.empty() || own.is_shared()) return own;
  return Tangents::joined(own, data.tangents.unlabeled);
}

std::vector<View> auto_views(const RunOptions& options) {
  const bool plain = options.manifold != "none" || !options.schema.standardize || options.train.published ||
                     support_of(options.train).ascent;
  if (plain) return {};
  const MethodInfo& method = method_info(options.train.method);
  std::vector<View> views = {View::linear, View::piecewise};
  if (options.train.members < kFewestForSingleViews || !method.has_single_members()) return views;
  if (options.train.activation == Activation::relu) views.push_back(View::logistic);
  views.push_back(View::trees);
  return views;
}

RunOptions with_views(RunOptions options) {
  if (options.views_auto) options.train.views = auto_views(options);
  options.views_auto = false;
  return options;
}

bool chooses_lambda(const RunOptions& options) {
  if (options.lambda_auto || options.train.lambda) return options.lambda_auto;
  const std::vector<View> views = with_views(options).train.views;
  const auto networks =
      options.train.members - std::ranges::count_if(views, [](View v) { return !is_for_networks(v); });
  const bool trains = options.train.epochs != 0 && networks > 1 && options.train.early_stopping > 0;
  return method_info(options.train.method).lambda_auto && trains && !views.empty();
}

TrainOptions train_options_for(const Prepared& data, const RunOptions& options) {
  TrainOptions train = with_views(options).train;
  if (data.train.columns.empty()) train.views.clear();  // an encoding that was given has plain features
  train.directions = directions_of(data.schema, options);
  // Layers that are too narrow for the classes cannot hold a logistic regression.
  const Architecture shape{.hidden = hidden_of(train, data.train.rows()), .classes = data.train.classes.size()};
  if (options.views_auto && !holds_logistic(shape)) std::erase(train.views, View::logistic);
  if (train.early_stopping == 0 || data.validation.rows() > 0) return train;
  train.early_stopping = 0;
  train.epochs = train.epochs.value_or(kEpochsWithoutValidation);
  return train;
}

bool trains_along_manifold(const TrainOptions& options) { return support_of(options).tangents; }

std::vector<std::string> validate(const RunOptions& options) {
  auto problems = validate(options.train);
  for (auto& problem : class_weight_problems(options.class_weight)) problems.push_back(std::move(problem));
  for (auto& problem : direction_problems(options)) problems.push_back(std::move(problem));
  if (needs_column(options.split.kind) && options.split_column.empty()) {
    problems.push_back("this split needs " + option_mention("split_column") + ", the name of a column");
  }
  if (options.split.kind == SplitKind::domain && options.domain.empty()) {
    problems.push_back("this split needs " + option_mention("domain") +
                       ", the column that says which domain a row comes from");
  }
  if (!(options.split.quantile > 0 && options.split.quantile < 1)) {
    problems.push_back(option_mention("split_quantile") + " must be above 0 and below 1");
  }
  if (options.manifold != "none" && !trains_along_manifold(options.train) &&
      method_info(options.train.method).takes("penalty")) {
    problems.push_back(option_mention("manifold") + " is given, but penalty " +
                       penalty_info(options.train.penalty).word + " does not use it; choose " +
                       option_mention("penalty") + " " + penalties_along_manifolds());
  }
  if (!options.views_auto && !options.train.views.empty()) {
    const std::string plain =
        "; leave " + option_mention("views") + " out, or give " + option_mention("views", "plain");
    if (options.manifold != "none") problems.push_back(option_mention("manifold") + " needs plain features" + plain);
    if (!options.schema.standardize) problems.push_back("views need numbers that are standardised" + plain);
    if (support_of(options.train).ascent)
      problems.push_back(objective_name(options.train) + " needs plain features" + plain);
  }
  if (options.bins && !(*options.bins >= 2 && *options.bins <= kMostBins)) {
    problems.push_back(option_mention("bins") + " is " + std::to_string(*options.bins) +
                       "; it must be auto, or from 2 to 256");
  }
  if (options.lambda_auto && !options.train.views.empty() &&
      std::ranges::none_of(options.train.views, is_for_networks)) {
    problems.push_back(option_mention("lambda", "auto") +
                       " needs networks; leave it out, or add linear or piecewise to " + option_mention("views"));
  }
  if (options.aggregate == Aggregate::gate && !(options.increasing.empty() && options.decreasing.empty())) {
    problems.push_back("a gate does not keep " + option_mention("increasing") + " and " + option_mention("decreasing") +
                       " columns, because weights change along them; give " + option_mention("aggregate", "stack") +
                       ", or leave it out");
  }
  if (options.lambda_auto && !has_lambda(options.train.method)) {
    problems.push_back(option_mention("lambda") + " is auto, but this method has no lambda; leave it out, or choose " +
                       methods_taking("lambda"));
  }
  return problems;
}

void refuse_problems(const RunOptions& options) {
  std::string problems;
  for (const auto& problem : validate(options)) problems += (problems.empty() ? "" : "; ") + problem;
  if (!problems.empty()) throw ConfigError(problems);
}

namespace {

// Moves a fifth of the training rows to the validation rows. Places are drawn, not rows: a row may stand there several
// times.
bool divide_training_rows(const Table& table, const RunOptions& options, Split& split) {
  const Schema classes = fit_classes(table, schema_options(options));
  const auto labels = split_labels(table, classes, split.train);
  RowGroups groups;
  if (!options.group.empty()) {
    const RowGroups of_table = groups_in(table, options.group, "group");
    std::vector<std::int64_t> number(of_table.names.size(), -1);
    for (const std::uint32_t row : split.train) {
      auto& own = number[of_table.of_row[row]];
      if (own < 0) {
        own = static_cast<std::int64_t>(groups.names.size());
        groups.names.push_back(of_table.names[of_table.of_row[row]]);
      }
      groups.of_row.push_back(static_cast<std::uint32_t>(own));
    }
  }
  const auto division = perpend::divide_training_rows({.labels = labels,
                                                       .classes = classes.quantity ? strata_names() : classes.classes,
                                                       .strata = classes.quantity.has_value(),
                                                       .groups = groups.of_row,
                                                       .group_names = groups.names},
                                                      options.train.seed);
  if (!division) return false;
  const auto rows_at = [&](const std::vector<std::uint32_t>& places) {
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t place : places) rows.push_back(split.train[place]);
    return rows;
  };
  split.validation = rows_at(division->validation);
  split.train = rows_at(division->train);
  return true;
}

}  // namespace

namespace {

// Refuses options that make sense for classes alone.
void refuse_class_options(const RunOptions& options, const Schema& schema) {
  if (!schema.quantity) return;
  const auto refuse = [&](const char* name) {
    throw ConfigError(option_mention(name) + " is for classes, and the target " + quote(schema.target) +
                      " is a number; leave it out, or give " + option_mention("task", "classify"));
  };
  if (!options.class_weight.empty()) refuse("class_weight");
  if (options.calibrate != Calibrator::none) refuse("calibrate");
  if (options.threshold) refuse("threshold");
  if (options.train.boosting != TrainOptions().boosting) refuse("boosting");
}

}  // namespace

Prepared prepare(const Table& table, const RunOptions& options, const PrepareInputs& inputs) {
  Prepared out;
  split_table(table, options, inputs.encoding, out);
  if (options.train.early_stopping > 0 && out.split.validation.empty() && inputs.validation == nullptr) {
    out.divided = divide_training_rows(table, options, out.split);
  }
  out.schema = inputs.encoding != nullptr ? *inputs.encoding
                                          : fit_schema(table, out.split.train, schema_options(options), &out.fit);
  refuse_class_options(options, out.schema);
  check_directions(table, out.schema, options);
  if (out.divided && inputs.encoding == nullptr) widen_ranges(table, out.split.validation, out.schema);
  out.train = encode(table, out.schema, out.split.train, &out.encoded);
  if (out.schema.by_column) {
    out.train.columns = fit_columns(out.train.inputs.view(), out.schema.level_counts(),
                                    options.bins.value_or(default_bins(out.train.rows())));
  }
  EncodeReport held_out;
  out.validation = inputs.validation == nullptr
                       ? encode(table, out.schema, out.split.validation, &held_out)
                       : encode(*inputs.validation, out.schema, all_rows(*inputs.validation), &held_out);
  out.encoded += held_out;
  if (options.split.kind == SplitKind::none && copies_of_rows(table, options.schema.sample_weight)) {
    out.train.weights.clear();
    if (inputs.validation == nullptr) out.validation.weights.clear();
  }
  check_settling(options, out.validation);
  out.test = encode(table, out.schema, out.split.test, &held_out);
  out.encoded += held_out;
  if (inputs.unlabeled != nullptr) {
    out.unlabeled = encode_inputs(*inputs.unlabeled, out.schema, all_rows(*inputs.unlabeled), &held_out);
    out.encoded += held_out;
  }
  weigh_classes(options.class_weight, out);
  if (auto warning = weightless_warning(out)) out.fit.warnings.push_back(std::move(*warning));
  if (auto warning = formula_warning(out.schema.classes)) out.fit.warnings.push_back(std::move(*warning));
  find_manifold(options.manifold, table.rows, inputs, Threads(options.train.threads), out);
  if (options.manifold == "none") {
    if (auto warning = near_duplicate_warning(out.train, out.schema)) out.fit.warnings.push_back(std::move(*warning));
  }
  return out;
}

void check_start(const Schema& there, const Schema& here) {
  const std::string difference = first_difference(there, here);
  if (difference.empty()) return;
  throw ConfigError("the weights to start from belong to other data: " + difference +
                    "; start from a model of this table's columns and classes");
}

namespace {

bool refits(const Prepared& data, const RunOptions& options, const TrainResult& trained) {
  const MethodInfo& method = method_info(options.train.method);
  const bool stopped_early = trained.stopping || count_networks(trained.ensemble) == 0;
  return options.refit && data.divided && trained.status == TrainStatus::ok && stopped_early && !method.bootstrap &&
         !method.one_after_another && data.tangents.train.empty() &&
         data.train.rows() + data.validation.rows() <= kMostRefitRows;
}

// Trains again on all rows, with those that were held out, by the steps that led to the best weights.
void refit(const Prepared& data, const RunOptions& options, const Ensemble* initial, TrainCallback* callback,
           RunResult& result) {
  if (!refits(data, options, result.trained)) return;
  const Dataset all = joined(data.train, data.validation);
  TrainOptions train_options = train_options_for(data, options);
  if (result.trained.stopping) train_options.plan = result.trained.stopping->plan;
  if (result.trained.ensemble.has_trees()) train_options.tree_rounds = result.trained.ensemble.trees.rounds();
  train_options.early_stopping = 0;
  const auto& hidden = result.trained.ensemble.architecture.hidden;
  train_options.hidden.assign(hidden.begin(), hidden.end());
  TrainInput input = TrainingRows(data).input(initial, callback);
  input.train = &all;
  TrainResult again = train(input, train_options);
  if (again.status != TrainStatus::ok) return;
  result.before_refit = std::exchange(result.trained.ensemble, std::move(again.ensemble));
  result.trained.steps += again.steps;
}

}  // namespace

namespace {

// Measures what members that had not seen the validation rows miss on them, and the same on the test rows.
void measure_residuals(const Prepared& data, const Threads& threads, RunResult& result) {
  const Dataset& familiar = data.validation.rows() > 0 ? data.validation : data.train;
  const Ensemble& unseen = result.before_refit ? *result.before_refit : result.trained.ensemble;
  result.residuals = residual_spread(unseen, result.trained.decision, familiar, threads);
  if (result.test) {
    score_interval(result.trained.ensemble, result.trained.decision, data.test, *result.residuals, threads,
                   *result.test);
  }
}

}  // namespace

RunResult run(const Prepared& data, const RunOptions& options, const Ensemble* initial, TrainCallback* callback,
              const TrainResult* ready) {
  RunResult result;
  result.trained =
      ready != nullptr ? *ready : train(TrainingRows(data).input(initial, callback), train_options_for(data, options));
  if (result.trained.status == TrainStatus::diverged) return result;
  const Threads threads(options.train.threads);
  weigh_views(result.trained, data.validation, threads);
  result.aggregate = learn_aggregate(options, data.validation, threads, result.trained);
  settle_decision(options, data.validation, threads, result.trained);
  result.train = evaluate_part(result.trained, data.train, data.tangents.train, threads);
  result.validation = evaluate_part(result.trained, data.validation, data.tangents.validation, threads);
  refit(data, options, initial, callback, result);
  result.test = evaluate_part(result.trained, data.test, data.tangents.test, threads);
  if (data.schema.quantity) measure_residuals(data, threads, result);
  if (data.unlabeled.rows() > 0) {
    result.unlabeled_cos2 = gradient_diversity(result.trained.ensemble, data.unlabeled.view(), threads).cos2;
  }
  if (method_info(options.train.method).bootstrap) {
    result.out_of_bag = score_out_of_bag(result.trained.ensemble, data.train, options.train.seed, threads);
  }
  return result;
}

const std::vector<double>& lambda_grid() {
  static const std::vector<double> grid = {0.0, 0.03, 0.1, 0.3, 1.0};
  return grid;
}

double free_lambda(const std::vector<LambdaTrial>& trials, double free_loss) {
  const LambdaTrial* best = nullptr;
  for (const auto& trial : trials) {
    if (!trial.diverged && (best == nullptr || trial.log_loss < best->log_loss)) best = &trial;
  }
  double largest = 0;
  for (const auto& trial : trials) {
    if (best == nullptr || trial.diverged) continue;
    if (trial.log_loss <= best->log_loss + free_loss) largest = std::max(largest, trial.lambda);
  }
  return largest;
}

double LambdaChoice::price() const {
  double best = INFINITY;
  double chosen = 0;
  for (const auto& trial : trials) {
    if (trial.diverged) continue;
    best = std::min(best, trial.log_loss);
    if (trial.lambda == lambda) chosen = trial.log_loss;
  }
  return std::max(0.0, chosen - best);
}

namespace {

// Returns what trials of lambda train on. Tangents of single rows cannot be drawn from, so such data stay whole.
Prepared trial_data(const Prepared& data, std::uint64_t seed) {
  Prepared some = data;
  if (!data.tangents.train.empty()) return some;
  some.train = some_rows(data.train, kMostTrialRows, seed);
  some.validation = some_rows(data.validation, kMostTrialRows, seed);
  return some;
}

TrainOptions trial_options_for(const Prepared& data, const RunOptions& options) {
  TrainOptions trial = train_options_for(data, options);
  // Members that are not networks are the same whatever lambda is.
  trial.members -= static_cast<int>(std::erase_if(trial.views, [](View view) { return !is_for_networks(view); }));
  if (trial.hidden == std::vector<int>{0}) trial.hidden = {kTrialUnits};
  if (trial.early_stopping == 0) trial.epochs = std::max(1, epochs_of(trial, data.train.rows()) / 2);
  return trial;
}

// Turns a regression's mean loss into a log-loss: that of a distribution around the prediction whose width fits these
// rows. What does not depend on the loss is left out. A normal distribution of variance v costs 1/2 log v, where half
// of v is the mean squared loss. A Laplace distribution costs the log of the mean absolute error. So 0.01 nats are 1 %
// of the RMSE.
MeanOverRows in_nats(MeanOverRows loss, const Dataset& rows) {
  if (!rows.quantity) return loss;
  constexpr double kLeast = 1e-30;
  const double factor = rows.quantity->loss.kind == RegressionLoss::Kind::squared ? 0.5 : 1;
  const double mean = std::max(loss.mean, kLeast);
  return {factor * portable_log(mean), factor * loss.standard_error / mean};
}

LambdaTrial judged_trial(double lambda, const TrainResult& trained, const Prepared& data, const Threads& threads) {
  LambdaTrial trial{.lambda = lambda, .log_loss = 0, .standard_error = 0, .grad_cos2 = {}, .diverged = false};
  trial.diverged = trained.status == TrainStatus::diverged;
  if (trial.diverged) return trial;
  const MeanOverRows loss = in_nats(
      mean_over_rows(ensemble_losses(trained, data.validation, threads), data.validation.weights), data.validation);
  trial.log_loss = loss.mean;
  trial.standard_error = loss.standard_error;
  const auto seen = evaluate_part(trained, data.validation, data.tangents.validation, threads);
  trial.grad_cos2 = data.manifold.directions > 0 ? seen->tangent_cos2 : seen->grad_cos2;
  return trial;
}

double least_loss(const std::vector<LambdaTrial>& trials) {
  double least = INFINITY;
  for (const auto& trial : trials) least = trial.diverged ? least : std::min(least, trial.log_loss);
  return least;
}

}  // namespace

LambdaChoice choose_lambda(const Prepared& whole, const RunOptions& options, TrainCallback* callback) {
  if (whole.validation.rows() == 0) {
    throw ConfigError(option_mention("lambda", "auto") +
                      " needs validation rows; use a split that has them, or give a number");
  }
  const Prepared data = trial_data(whole, options.train.seed);
  const Threads threads(options.train.threads);
  const TrainingRows rows(data);
  TrainOptions trial_options = trial_options_for(data, options);
  std::vector<TrainResult> results;
  LambdaChoice choice;
  choice.regression = whole.schema.quantity.has_value();
  for (const double lambda : lambda_grid()) {
    trial_options.lambda = lambda;
    results.push_back(train(rows.input(nullptr, callback), trial_options));
    if (results.back().status == TrainStatus::stopped) break;
    const LambdaTrial& trial = choice.trials.emplace_back(judged_trial(lambda, results.back(), data, threads));
    if (!trial.diverged && trial.log_loss > least_loss(choice.trials) + 3 * kFreeLogLoss) break;
  }
  choice.lambda = free_lambda(choice.trials);
  const TrainOptions full = train_options_for(whole, options);
  const bool is_whole = data.train.rows() == whole.train.rows() && data.validation.rows() == whole.validation.rows() &&
                        full.early_stopping > 0 &&
                        hidden_of(full, whole.train.rows()) == hidden_of(trial_options, whole.train.rows());
  for (std::size_t i = 0; is_whole && i < choice.trials.size(); ++i) {
    if (choice.trials[i].lambda != choice.lambda || choice.trials[i].diverged) continue;
    choice.trained = std::move(results[i]);
    add_single_members(TrainingRows(whole).input(nullptr, callback), full, *choice.trained);
  }
  return choice;
}

}  // namespace perpend
