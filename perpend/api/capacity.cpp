#include "perpend/api/capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>

#include "perpend/api/fit.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/report/capacity_page.h"

namespace perpend {

namespace {

// After this many numbers of networks in a row that improve no restart, no more are tried.
constexpr int kUselessInARow = 2;

RunOptions run_options(const CapacityOptions& options, std::uint64_t seed) {
  RunOptions run;
  run.schema = options.run.schema;
  if (run.schema.missing == Missing::automatic) run.schema.missing = Missing::indicator;
  run.group = options.run.group;
  run.class_weight = options.run.class_weight;
  run.manifold = options.manifold;
  run.views_auto = false;
  run.train.views.clear();
  run.train.early_stopping = 0;
  run.train.seed = seed;
  run.train.threads = options.run.train.threads;
  return run;
}

void refuse_problems(const CapacityOptions& options) {
  std::string problems;
  for (const auto& list : {validate(run_options(options, 0)), validate(options.settings)}) {
    for (const auto& problem : list) problems += (problems.empty() ? "" : "; ") + problem;
  }
  if (!problems.empty()) throw ConfigError(problems);
}

// Ends trainings between two steps once the callback asks for it.
class CapacityStop final : public TrainCallback {
 public:
  explicit CapacityStop(CapacityCallback* asked) : asked_(asked) {}
  bool stop_requested() override {
    if (asked_ != nullptr && !stopped_ && asked_->stop_requested()) stopped_ = true;
    return stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  CapacityCallback* asked_;
  std::atomic<bool> stopped_ = false;
};

struct Restart {
  CapacityData data;
  std::uint64_t seed = 0;
  double guess = 0;
  double alone = 0;
  std::size_t best = 0;  // the largest count so far
};

// All trainings with the same number of networks: trials[restart][lambda].
using Trials = std::vector<std::vector<CapacityTrial>>;

Trials trials_with(int members, const std::vector<double>& lambdas, const std::vector<Restart>& restarts,
                   const Threads& threads, CapacityCallback* callback, CapacityStop& stop) {
  Trials trials(restarts.size(), std::vector<CapacityTrial>(lambdas.size()));
  const std::size_t jobs = restarts.size() * lambdas.size();
  std::mutex speaks;
  std::size_t done = 0;
  threads.for_each(jobs, [&](std::size_t job) {
    const Restart& restart = restarts[job / lambdas.size()];
    const std::size_t at = job % lambdas.size();
    TrainOptions train = capacity_training(members, lambdas[at], restart.data.train.rows());
    train.seed = restart.seed;
    if (!stop.stop_requested()) trials[job / lambdas.size()][at] = capacity_trial(restart.data, train, &stop);
    const std::scoped_lock lock(speaks);
    if (callback != nullptr) callback->on_progress(members, ++done, jobs);
  });
  return trials;
}

struct MeanAndError {
  double mean = 0, error = 0;
};

MeanAndError mean_and_error(const std::vector<double>& values) {
  MeanAndError found;
  if (values.empty()) return found;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) found.mean += value / n;
  for (const double value : values) found.error += (value - found.mean) * (value - found.mean);
  found.error = values.size() < 2 ? 0 : std::sqrt(found.error / (n - 1) / n);
  return found;
}

double mean_cos2(const CapacityTrial& trial) {
  const std::size_t members = trial.cos2.rows();
  double sum = 0;
  for (std::size_t a = 0; a < members; ++a) {
    for (std::size_t b = a + 1; b < members; ++b) sum += trial.cos2(a, b);
  }
  return members < 2 ? 0 : sum / (static_cast<double>(members * (members - 1)) / 2);
}

double most_cos2(const CapacityTrial& trial) {
  double most = 0;
  for (std::size_t a = 0; a < trial.cos2.rows(); ++a) {
    for (std::size_t b = a + 1; b < trial.cos2.rows(); ++b) most = std::max(most, trial.cos2(a, b));
  }
  return most;
}

CapacityRow row_of(int members, const Trials& trials, std::size_t at, std::vector<Restart>& restarts,
                   const CapacitySettings& settings) {
  CapacityRow row;
  row.members = members;
  std::vector<double> best, weakest, cos2, largest;
  for (std::size_t r = 0; r < restarts.size(); ++r) {
    const CapacityTrial& trial = trials[r][at];
    if (members == 1 && trial.ok) restarts[r].alone = trial.measures[0];
    row.counts.push_back(counted_in(trial, restarts[r].alone, restarts[r].guess, settings));
    restarts[r].best = std::max(restarts[r].best, row.counts.back());
    if (!trial.ok) continue;
    best.push_back(restarts[r].alone - std::ranges::max(trial.measures));
    weakest.push_back(restarts[r].alone - std::ranges::min(trial.measures));
    cos2.push_back(mean_cos2(trial));
    largest.push_back(most_cos2(trial));
  }
  row.best_loss = mean_and_error(best).mean;
  row.weakest_loss = mean_and_error(weakest).mean;
  row.weakest_loss_error = mean_and_error(weakest).error;
  row.cos2 = mean_and_error(cos2).mean;
  row.largest_cos2 = mean_and_error(largest).mean;
  return row;
}

void add_ridge(int members, const std::vector<double>& lambdas, const Trials& trials, Capacity& to) {
  for (std::size_t at = 0; at < lambdas.size(); ++at) {
    std::vector<double> losses, cos2;
    for (const auto& restart : trials) {
      if (!restart[at].ok) continue;
      losses.push_back(restart[at].loss);
      cos2.push_back(mean_cos2(restart[at]));
    }
    if (losses.size() < trials.size()) continue;  // a lambda that diverges is not the best
    CapacityCell cell{.members = members, .lambda = lambdas[at], .loss = mean_and_error(losses).mean, .cos2 = {}};
    if (members > 1) cell.cos2 = mean_and_error(cos2).mean;
    to.ridge.push_back(cell);
  }
}

// Returns the k-th smallest count, for the least k such that a share q of the restarts has no larger one.
std::size_t count_at(const std::vector<std::size_t>& sorted, double q) {
  const auto place = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(place, 1) - 1];
}

// Whether one network alone is no better than a guess by more than noise.
bool has_learned_nothing(const Capacity& found) {
  constexpr double kLeastSkill = 0.05;
  return found.alone - found.guess < std::max(kLeastSkill, 2 * found.alone_error);
}

void conclude(const std::vector<Restart>& restarts, Capacity& found) {
  std::vector<double> alone, guess;
  for (const auto& restart : restarts) {
    alone.push_back(restart.alone);
    guess.push_back(restart.guess);
    found.found.push_back(restart.best);
  }
  found.alone = mean_and_error(alone).mean;
  found.alone_error = mean_and_error(alone).error;
  found.guess = mean_and_error(guess).mean;
  if (has_learned_nothing(found)) {
    std::ranges::fill(found.found, 0);
    return;
  }
  std::vector<std::size_t> sorted = found.found;
  std::ranges::sort(sorted);
  found.number = count_at(sorted, 0.5);
  found.low = count_at(sorted, 0.025);
  found.high = count_at(sorted, 0.975);
  found.at_least = found.number == static_cast<std::size_t>(found.most) && found.most > 1;
}

std::string measure_name(const Dataset& rows) {
  if (rows.quantity) return "R²";
  return rows.classes.size() > 2 ? "accuracy" : "AUC";
}

std::string ordinal(std::size_t n) {
  static constexpr const char* kWords[] = {"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh"};
  return n < std::size(kWords) ? kWords[n] : fmt::format("{}th", n);
}

const CapacityRow* row_with(const Capacity& found, std::size_t members) {
  for (const auto& row : found.rows) {
    if (static_cast<std::size_t>(row.members) == members) return &row;
  }
  return nullptr;
}

std::string points(double loss, const std::string& measure) {
  return fmt::format("{:.{}f} points of {}", 100 * loss, std::abs(loss) < 0.095 ? 1 : 0, measure);
}

// Says what one more network would cost.
std::string next_one(const Capacity& found) {
  const CapacityRow* row = row_with(found, found.number + 1);
  if (row == nullptr) return "";
  const double tolerated = (1 - found.keep) * (found.alone - found.guess);
  const std::string who = "a " + ordinal(found.number + 1) + " one";
  if (row->weakest_loss <= tolerated) {
    return fmt::format(": {} would not be independent (mean cos² {:.2f} with its nearest)", who, row->largest_cos2);
  }
  return fmt::format(": with {}, the weakest loses {}", who, points(row->weakest_loss, found.measure));
}

}  // namespace

MeasuredCapacity capacity(const Table& table, const CapacityOptions& options, CapacityCallback* callback) {
  refuse_problems(options);
  const CapacitySettings& settings = options.settings;
  const Threads threads(options.run.train.threads);
  CapacityStop stop(callback);
  MeasuredCapacity found;
  found.lambda = settings.lambda;
  found.keep = settings.keep;
  found.bound = settings.bound;
  found.most = settings.most;
  std::vector<Restart> restarts;
  for (int r = 0; r < settings.restarts; ++r) {
    const std::uint64_t seed = options.run.train.seed + static_cast<std::uint64_t>(r);
    const RunOptions run = run_options(options, seed);
    const Prepared data = prepare(table, run);
    Restart& restart = restarts.emplace_back();
    restart.data = capacity_data(data, seed);
    restart.seed = seed;
    restart.guess = guessed_measure(restart.data.held_out);
    if (r > 0) continue;
    found.warnings = data.fit.warnings;
    found.measure = measure_name(data.train);
    found.training_rows = restart.data.train.rows();
    found.held_out_rows = restart.data.held_out.rows();
    found.features = data.train.inputs.cols();
    if (data.manifold.directions > 0) found.surface = data.manifold.summary;
  }
  const std::vector<double> lambdas = settings.ridge ? ridge_lambdas(settings) : std::vector<double>{settings.lambda};
  const auto strong = static_cast<std::size_t>(std::ranges::find(lambdas, settings.lambda) - lambdas.begin());
  std::size_t best = 0;
  for (int members = 1, useless = 0; members <= settings.most && useless < kUselessInARow; ++members) {
    const Trials trials = trials_with(members, lambdas, restarts, threads, callback, stop);
    if (stop.stopped()) break;
    found.rows.push_back(row_of(members, trials, strong, restarts, settings));
    if (settings.ridge) add_ridge(members, lambdas, trials, found);
    std::size_t sum = 0;
    for (const auto& restart : restarts) sum += restart.best;
    useless = sum > best ? 0 : useless + 1;
    best = sum;
  }
  found.stopped = stop.stopped();
  if (!found.stopped) conclude(restarts, found);
  return found;
}

std::string reading(const Capacity& found) {
  if (found.number == 0) {
    return fmt::format(
        "One network has an {} of {:.3f} on held-out rows, which is not better than a guess ({:.3f}), so "
        "there is no explanation to count.",
        found.measure, found.alone, found.guess);
  }
  const std::string interval = fmt::format("95 % interval {} to {}{}", found.low, found.high,
                                           found.high == static_cast<std::size_t>(found.most) ? " or more" : "");
  if (found.at_least) {
    return fmt::format(
        "The data hold at least {} independent explanations ({}): even with this many, the most that was tried, each "
        "network keeps {:g} % of what one network alone has.",
        found.number, interval, 100 * found.keep);
  }
  if (found.number == 1) {
    return fmt::format("The data hold 1 explanation ({}){}.{}", interval, next_one(found),
                       found.high == 1 ? " The data determine the boundary." : "");
  }
  return fmt::format("The data hold {} independent explanations ({}){}.", found.number, interval, next_one(found));
}

std::string ridge_reading(const Capacity& found) {
  if (found.ridge.empty()) return "";
  std::string text = "The lambda of the best held-out loss is";
  bool any = false;
  for (const auto& row : found.rows) {
    const auto lambda = best_lambda(found, row.members);
    if (row.members < 2 || !lambda) continue;
    text += fmt::format("{} {:g} for {}", any ? "," : "", *lambda,
                        counted(static_cast<std::size_t>(row.members), "network"));
    any = true;
  }
  return any ? text + "." : "";
}

namespace {

double mean_count(const CapacityRow& row) {
  double sum = 0;
  for (const std::size_t count : row.counts) sum += static_cast<double>(count);
  return sum / static_cast<double>(std::max<std::size_t>(1, row.counts.size()));
}

std::string with_error(double value, double error) {
  return error > 0 ? fmt::format("{:.1f} ± {:.1f}", 100 * value, 100 * error) : fmt::format("{:.1f}", 100 * value);
}

}  // namespace

std::string to_text(const Capacity& found) {
  std::string text = reading(found) + "\n\n";
  text +=
      fmt::format("{:>8}  {:>18}  {:>12}  {:>15}  {:>10}  {:>12}{}\n", "networks", "good, independent", "best loses",
                  "weakest loses", "mean cos²", "largest cos²", found.ridge.empty() ? "" : "   best lambda");
  for (const auto& row : found.rows) {
    const auto lambda = best_lambda(found, row.members);
    const bool one = row.members == 1;
    text +=
        fmt::format("{:>8}  {:>17.1f}  {:>12.1f}  {:>15}  {:>9}  {:>12}{}\n", row.members, mean_count(row),
                    100 * row.best_loss, with_error(row.weakest_loss, row.weakest_loss_error),
                    one ? "-" : fmt::format("{:.3f}", row.cos2), one ? "-" : fmt::format("{:.3f}", row.largest_cos2),
                    !one && lambda        ? fmt::format("{:>14g}", *lambda)
                    : found.ridge.empty() ? ""
                                          : fmt::format("{:>14}", "-"));
  }
  text += fmt::format(
      "\n"
      "Means over {}. Losses are points of {} on {} held-out rows, compared with one network alone, which has {:.3f}.\n"
      "Lambda is {:g}. A network is good if it keeps {:g} % of the lead of one network alone over a guess ({:.3f}). "
      "Two are\n"
      "independent if their mean cos² is at most {:g}.\n",
      counted(found.found.size(), "restart"), found.measure, thousands(found.held_out_rows), found.alone, found.lambda,
      100 * found.keep, found.guess, found.bound);
  if (!found.surface.empty()) text += "Gradients are compared along " + found.surface + ".\n";
  const std::string ridge = ridge_reading(found);
  return ridge.empty() ? text : text + ridge + "\n";
}

std::string to_json(const Capacity& found) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const auto& row : found.rows) {
    Json json = {{"members", row.members},
                 {"counts", row.counts},
                 {"best_loses", row.best_loss},
                 {"weakest_loses", row.weakest_loss},
                 {"weakest_loses_standard_error", row.weakest_loss_error}};
    json["grad_cos2"] = row.members > 1 ? Json(row.cos2) : Json(nullptr);
    json["largest_cos2"] = row.members > 1 ? Json(row.largest_cos2) : Json(nullptr);
    const auto lambda = best_lambda(found, row.members);
    json["best_lambda"] = row.members > 1 && lambda ? Json(*lambda) : Json(nullptr);
    rows.push_back(std::move(json));
  }
  Json ridge = Json::array();
  for (const auto& cell : found.ridge) {
    ridge.push_back({{"members", cell.members},
                     {"lambda", cell.lambda},
                     {"loss", cell.loss},
                     {"grad_cos2", cell.cos2 ? Json(*cell.cos2) : Json(nullptr)}});
  }
  const Json json = {{"capacity", found.number},
                     {"interval", {found.low, found.high}},
                     {"at_least", found.at_least},
                     {"restarts", found.found},
                     {"reading", reading(found)},
                     {"measure", found.measure},
                     {"alone", found.alone},
                     {"guess", found.guess},
                     {"lambda", found.lambda},
                     {"keep_share", found.keep},
                     {"most_cos2", found.bound},
                     {"most", found.most},
                     {"rows", {{"train", found.training_rows}, {"held_out", found.held_out_rows}}},
                     {"features", found.features},
                     {"manifold", found.surface.empty() ? Json(nullptr) : Json(found.surface)},
                     {"members", std::move(rows)},
                     {"ridge", std::move(ridge)}};
  return json.dump();
}

std::string capacity_page_html(const Capacity& found, const std::string& name, const std::string& version) {
  return page_html(capacity_page(found, {.name = name,
                                         .reading = reading(found),
                                         .ridge_reading = ridge_reading(found),
                                         .table = to_text(found),
                                         .version = version}));
}

}  // namespace perpend
