#include "perpend/run/run.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/parallel.h"
#include "perpend/data/find_classes.h"
#include "perpend/data/near_duplicates.h"
#include "perpend/data/need_column.h"
#include "perpend/data/row_order.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/model/predict.h"
#include "perpend/run/supported.h"
#include "perpend/train/bagging.h"

namespace perpend {

namespace {

bool needs_column(SplitKind kind) { return kind == SplitKind::by_column || kind == SplitKind::labels; }

const Column& split_column(const Table& table, const std::string& name) {
  return need_column(table, name, " to split by");
}

std::vector<double> column_numbers(const Table& table, const std::string& name) {
  const Column& column = split_column(table, name);
  std::vector<double> numbers;
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (!column.is_number(r)) {
      throw DataError(table.place(r) + ": column " + quote(name) + " is " + quote(column.text(r)) +
                      ", which is not a number to split by");
    }
    numbers.push_back(column.number(r));
  }
  return numbers;
}

std::vector<Part> column_parts(const Table& table, const std::string& name) {
  const Column& column = split_column(table, name);
  std::vector<std::string> words;
  for (std::size_t r = 0; r < table.rows; ++r) words.push_back(column.text(r));
  return parse_parts(words);
}

struct Groups {
  std::vector<std::uint32_t> of_row;  // indices into names
  std::vector<std::string> names;     // in order of appearance
};

Groups column_groups(const Table& table, const std::string& name) {
  const Column& column = split_column(table, name);
  Groups groups;
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::size_t r = 0; r < table.rows; ++r) {
    std::string text = column.text(r);
    if (text.empty()) {
      throw DataError(table.place(r) + ": column " + quote(name) + " is empty; every row needs a group");
    }
    const auto [at, added] = known.emplace(text, static_cast<std::uint32_t>(groups.names.size()));
    if (added) groups.names.push_back(std::move(text));
    groups.of_row.push_back(at->second);
  }
  return groups;
}

void check_group(const RunOptions& options, const Schema* fixed) {
  const std::string& group = options.group;
  if (group.empty()) return;
  if (group == options.schema.target || group == options.schema.sample_weight) {
    throw ConfigError("column " + quote(group) + " cannot be both group and " +
                      (group == options.schema.target ? "target" : "sample weight"));
  }
  const auto is_group = [&](const InputColumn& column) { return column.name == group; };
  if (fixed != nullptr && std::ranges::any_of(fixed->columns, is_group)) {
    throw ConfigError("the preset's encoding has " + quote(group) + " as an input, so it cannot be the group");
  }
}

SchemaOptions schema_options(const RunOptions& options) {
  SchemaOptions schema = options.schema;
  if (options.split.kind == SplitKind::labels) schema.drop.push_back(options.split_column);
  if (!options.group.empty()) schema.drop.push_back(options.group);
  return schema;
}

Split split_table(const Table& table, const RunOptions& options, const Schema* fixed) {
  check_group(options, fixed);
  const auto rows = all_rows(table);
  const bool by_norm = options.split.kind == SplitKind::extrapolation;
  const Schema schema = fixed != nullptr ? *fixed
                        : by_norm        ? fit_schema(table, rows, schema_options(options))
                                         : fit_classes(table, schema_options(options));
  const auto labels = encode_labels(table, schema, rows);
  SplitInput input{.labels = labels, .classes = schema.classes};
  Groups groups;
  if (!options.group.empty()) groups = column_groups(table, options.group);
  input.groups = groups.of_row;
  input.group_names = groups.names;
  std::vector<double> numbers;
  std::vector<Part> parts;
  SplitOptions split = options.split;
  split.seed = options.train.seed;
  if (by_norm) {
    numbers = row_norms(encode_inputs(table, schema, rows).view());
    input.norms = numbers;
  } else if (split.kind == SplitKind::by_column) {
    numbers = column_numbers(table, options.split_column);
    input.column = numbers;
  } else if (split.kind == SplitKind::labels) {
    parts = column_parts(table, options.split_column);
    input.parts = parts;
  }
  Split parts_found = split_rows(input, split);
  if (split.kind == SplitKind::none) parts_found.train = rows_by_content(table, options.schema.sample_weight);
  return parts_found;
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

// A class all of whose training rows have weight 0 is one the model never learns to answer.
std::optional<std::string> weightless_warning(const Prepared& data) {
  if (data.schema.sample_weight.empty()) return std::nullopt;
  std::vector<double> sums(data.schema.classes.size(), 0);
  for (std::size_t r = 0; r < data.train.rows(); ++r) {
    sums[static_cast<std::size_t>(data.train.labels[r])] += data.train.weights.empty() ? 1 : data.train.weights[r];
  }
  const auto none = static_cast<std::size_t>(std::ranges::find(sums, 0.0) - sums.begin());
  if (none == sums.size()) return std::nullopt;
  const auto more = static_cast<std::size_t>(std::ranges::count(sums, 0.0)) - 1;
  return "class " + quote(data.schema.classes[none]) +
         (more > 0 ? " (and " + thousands(more) + " more)" : std::string()) +
         " has weight 0 in every training row (column " + quote(data.schema.sample_weight) +
         "); the model cannot learn it";
}

// What training is given of prepared data. Bases of the rows without labels follow those of the training rows.
class TrainingRows {
 public:
  explicit TrainingRows(const Prepared& data) : data_(data) {
    if (data.unlabeled.rows() > 0 && !data.tangents.train.empty() && !data.tangents.train.is_shared()) {
      joined_ = Tangents::joined(data.tangents.train, data.tangents.unlabeled);
    }
  }
  TrainInput input(const Ensemble* initial, TrainCallback* callback) const {
    return {.train = &data_.train,
            .validation = &data_.validation,
            .initial = initial,
            .callback = callback,
            .tangents = joined_.empty() ? &data_.tangents.train : &joined_,
            .unlabeled = &data_.unlabeled};
  }

 private:
  const Prepared& data_;
  Tangents joined_;
};

OutOfBagScores score_out_of_bag(const Ensemble& ensemble, const Dataset& data, std::uint64_t seed,
                                const Threads& threads) {
  const OutOfBag judged = out_of_bag(ensemble, data, seed, threads);
  std::vector<std::int32_t> labels;
  for (const auto r : judged.rows) labels.push_back(data.labels[r]);
  OutOfBagScores result;
  static_cast<Scores&>(result) = score_classes(judged.probabilities.view(), labels);
  result.rows = judged.rows.size();
  result.seen_by_all = data.rows() - judged.rows.size();
  return result;
}

}  // namespace

bool trains_along_manifold(const TrainOptions& options) { return support_of(options).tangents; }

std::vector<std::string> validate(const RunOptions& options) {
  auto problems = validate(options.train);
  if (needs_column(options.split.kind) && options.split_column.empty()) {
    problems.push_back("this split needs " + option_mention("split_column") + ", the name of a column");
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

Prepared prepare(const Table& table, const RunOptions& options, const PrepareInputs& inputs) {
  Prepared out;
  out.split = split_table(table, options, inputs.encoding);
  out.schema = inputs.encoding != nullptr ? *inputs.encoding
                                          : fit_schema(table, out.split.train, schema_options(options), &out.fit);
  out.train = encode(table, out.schema, out.split.train, &out.encoded);
  if (options.split.kind == SplitKind::none && copies_of_rows(table, options.schema.sample_weight)) {
    out.train.weights.clear();
  }
  EncodeReport held_out;
  out.validation = inputs.validation == nullptr
                       ? encode(table, out.schema, out.split.validation, &held_out)
                       : encode(*inputs.validation, out.schema, all_rows(*inputs.validation), &held_out);
  out.encoded += held_out;
  out.test = encode(table, out.schema, out.split.test, &held_out);
  out.encoded += held_out;
  if (inputs.unlabeled != nullptr) {
    out.unlabeled = encode_inputs(*inputs.unlabeled, out.schema, all_rows(*inputs.unlabeled), &held_out);
    out.encoded += held_out;
  }
  if (auto warning = weightless_warning(out)) out.fit.warnings.push_back(std::move(*warning));
  if (auto warning = formula_warning(out.schema.classes)) out.fit.warnings.push_back(std::move(*warning));
  find_manifold(options.manifold, table.rows, inputs, Threads(options.train.threads), out);
  if (out.manifold.directions == 0) {
    if (auto warning = near_duplicate_warning(out.train)) out.fit.warnings.push_back(std::move(*warning));
  }
  return out;
}

void check_start(const Schema& there, const Schema& here) {
  const std::string difference = first_difference(there, here);
  if (difference.empty()) return;
  throw ConfigError("the weights to start from belong to other data: " + difference +
                    "; start from a model of this table's columns and classes");
}

RunResult run(const Prepared& data, const RunOptions& options, const Ensemble* initial, TrainCallback* callback) {
  RunResult result;
  result.trained = train(TrainingRows(data).input(initial, callback), options.train);
  if (result.trained.status == TrainStatus::diverged) return result;
  const Threads threads(options.train.threads);
  result.train = evaluate_part(result.trained, data.train, data.tangents.train, threads);
  result.validation = evaluate_part(result.trained, data.validation, data.tangents.validation, threads);
  result.test = evaluate_part(result.trained, data.test, data.tangents.test, threads);
  if (data.unlabeled.rows() > 0) {
    result.unlabeled_cos2 = gradient_diversity(result.trained.ensemble, data.unlabeled.view(), threads).cos2;
  }
  if (method_info(options.train.method).bootstrap) {
    result.out_of_bag = score_out_of_bag(result.trained.ensemble, data.train, options.train.seed, threads);
  }
  return result;
}

namespace {

// Mean and standard error of the ensemble's log-loss over rows.
std::pair<double, double> log_loss_with_error(const TrainResult& trained, const Dataset& data, const Threads& threads) {
  const auto members = member_probabilities(trained.ensemble, data.inputs.view(), threads);
  double sum = 0;
  double squares = 0;
  for (const double loss : row_log_losses(decide(trained.decision, members).view(), data.labels)) {
    sum += loss;
    squares += loss * loss;
  }
  const auto n = static_cast<double>(data.rows());
  const double variance = std::max(0.0, squares / n - sum / n * (sum / n));
  return {sum / n, std::sqrt(variance / n)};
}

}  // namespace

const std::vector<double>& lambda_grid() {
  static const std::vector<double> grid = {0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0};
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
    const bool is_free = trial.log_loss <= best->log_loss + std::max(best->standard_error, free_loss);
    if (is_free) largest = std::max(largest, trial.lambda);
  }
  return largest;
}

LambdaChoice choose_lambda(const Prepared& data, const RunOptions& options, TrainCallback* callback) {
  if (data.validation.rows() == 0) {
    throw ConfigError(option_mention("lambda", "auto") +
                      " needs validation rows; use a split that has them, or give a number");
  }
  const Threads threads(options.train.threads);
  const TrainingRows rows(data);
  LambdaChoice choice;
  for (const double lambda : lambda_grid()) {
    TrainOptions trial_options = options.train;
    trial_options.lambda = lambda;
    const int full = trial_options.epochs.value_or(default_epochs(data.train.rows()));
    trial_options.epochs = std::max(1, full / 2);
    const TrainResult trained = train(rows.input(nullptr, callback), trial_options);
    LambdaTrial trial{.lambda = lambda, .log_loss = 0, .standard_error = 0, .grad_cos2 = {}, .diverged = false};
    trial.diverged = trained.status == TrainStatus::diverged;
    if (trained.status == TrainStatus::stopped) break;
    if (!trial.diverged) {
      std::tie(trial.log_loss, trial.standard_error) = log_loss_with_error(trained, data.validation, threads);
      const auto seen = evaluate_part(trained, data.validation, data.tangents.validation, threads);
      trial.grad_cos2 = data.manifold.directions > 0 ? seen->tangent_cos2 : seen->grad_cos2;
    }
    choice.trials.push_back(trial);
  }
  choice.lambda = free_lambda(choice.trials);
  return choice;
}

}  // namespace perpend
