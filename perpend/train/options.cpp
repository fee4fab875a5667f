#include "perpend/train/options.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/option_mention.h"

namespace perpend {

TrainOptions default_recipe() {
  TrainOptions options;
  options.members = 12;
  options.hidden = {0};
  options.dropout = 0.2;
  options.learning_rate = 2e-3;
  options.batch_size = 0;
  options.early_stopping = 8;
  options.rate_drops = 2;
  return options;
}

TrainOptions published_options() {
  TrainOptions options;
  options.penalty_reduction = PenaltyReduction::sum;
  options.shuffle = false;
  options.published = true;
  return options;
}

bool has_lambda(Method method) { return method_info(method).lambda.has_value(); }

double lambda_of(const TrainOptions& options) {
  const MethodInfo& method = method_info(options.method);
  const auto usual = options.views.empty() || !method.lambda_of_views ? method.lambda : method.lambda_of_views;
  return options.lambda.value_or(usual.value_or(1));
}

double weight_decay_of(const TrainOptions& options) {
  return options.weight_decay.value_or(method_info(options.method).weight_decay);
}

int default_epochs(std::size_t rows) {
  const auto n = static_cast<std::int64_t>(rows);
  return n == 0 ? 0 : static_cast<int>((kRowVisits + n - 1) / n);
}

int epochs_per_measurement(std::size_t rows) {
  const auto n = std::max<std::int64_t>(1, static_cast<std::int64_t>(rows));
  return static_cast<int>((kVisitsPerMeasurement + n - 1) / n);
}

int epochs_of(const TrainOptions& options, std::size_t rows) {
  if (!options.plan.empty()) {
    int sum = 0;
    for (const RatePhase& phase : options.plan) sum += phase.epochs;
    return sum;
  }
  if (options.epochs) return *options.epochs;
  if (options.early_stopping == 0) return default_epochs(rows);
  const auto n = std::max<std::int64_t>(1, static_cast<std::int64_t>(rows));
  return static_cast<int>(std::max<std::int64_t>(1, kMostRowVisits / n));
}

std::vector<std::size_t> hidden_of(const TrainOptions& options, std::size_t rows) {
  if (options.hidden != std::vector<int>{0}) return {options.hidden.begin(), options.hidden.end()};
  return {std::size_t{rows < 2500 ? 64U : rows < 10000 ? 128U : 256U}};
}

int batch_size_of(const TrainOptions& options, std::size_t rows) {
  if (options.batch_size > 0) return options.batch_size;
  return static_cast<int>(std::clamp<std::size_t>(rows / 20, 16, 256));
}

namespace {

void want(bool holds, const std::string& name, double value, const std::string& range,
          std::vector<std::string>& problems) {
  if (holds) return;
  std::string number = std::to_string(value);
  if (number.find('.') != std::string::npos) number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  problems.push_back(option_mention(name) + " is " + number + "; it must be " + range);
}

}  // namespace

namespace {

// Checks the views that one member each may have: logistic and trees.
void check_single_views(const TrainOptions& o, std::vector<std::string>& problems) {
  std::vector<View> single;
  for (const View view : {View::logistic, View::trees}) {
    if (has_view(o.views, view)) single.push_back(view);
  }
  if (single.empty()) return;
  const std::string given = option_mention("views", words_of(single));
  const bool networks = std::ranges::any_of(o.views, is_for_networks);
  const auto count = static_cast<int>(single.size());
  const MethodInfo& method = method_info(o.method);
  if (!method.has_single_members()) {
    problems.push_back(given + " does not go with method " + method.word + "; leave it out");
  } else if (networks && o.members <= count) {
    problems.push_back(given + " takes one member each, and networks need the others; give " +
                       option_mention("members") + " of at least " + std::to_string(count + 1));
  } else if (!networks && o.members != count) {
    problems.push_back(given + " takes one member each; add linear or piecewise for the other members, or give " +
                       option_mention("members", std::to_string(count)));
  }
}

}  // namespace

std::string objective_name(const TrainOptions& o) {
  const MethodInfo& method = method_info(o.method);
  return method.takes("penalty") ? option_mention("penalty", penalty_info(o.penalty).word)
                                 : std::string("method ") + method.word;
}

std::vector<std::string> validate(const TrainOptions& o) {
  std::vector<std::string> problems;
  want(o.members >= 1 && o.members <= static_cast<int>(kMostMembers), "members", o.members, "from 1 to 4096", problems);
  const double lambda = lambda_of(o);
  want(std::isfinite(lambda) && lambda >= 0, "lambda", lambda, "finite and at least 0", problems);
  for (const int units : o.hidden == std::vector<int>{0} ? std::vector<int>() : o.hidden)
    want(units >= 1 && units <= static_cast<int>(kMostUnits), "hidden", units, "from 1 to 65536", problems);
  if (o.hidden.size() > kMostLayers)
    problems.push_back(option_mention("hidden") + " has more than 200 layers; that is the most");
  want(o.dropout >= 0 && o.dropout <= 0.99, "dropout", o.dropout, "from 0 to 0.99", problems);
  const double decay = weight_decay_of(o);
  want(std::isfinite(decay) && decay >= 0, "weight_decay", decay, "finite and at least 0", problems);
  want(std::isfinite(o.learning_rate) && o.learning_rate > 0, "learning_rate", o.learning_rate, "finite and above 0",
       problems);
  want(o.batch_size >= 0 && o.batch_size <= (1 << 22), "batch_size", o.batch_size, "from 1 to 4194304", problems);
  want(!o.epochs || *o.epochs >= 0, "epochs", o.epochs.value_or(0), "at least 0", problems);
  want(o.threads >= 0 && o.threads <= 1024, "threads", o.threads, "from 0 (all) to 1024", problems);
  want(std::isfinite(o.ascent.epsilon) && o.ascent.epsilon > 0, "epsilon", o.ascent.epsilon, "finite and above 0",
       problems);
  want(o.ascent.steps >= 1 && o.ascent.steps <= 10000, "ascent_steps", o.ascent.steps, "from 1 to 10000", problems);
  want(support_of(o).dropout || o.dropout == 0, "dropout", o.dropout, "0 with " + objective_name(o), problems);
  check_single_views(o, problems);
  want(o.early_stopping >= 0, "early_stopping", o.early_stopping, "at least 0 (0 is off)", problems);
  return problems;
}

}  // namespace perpend
