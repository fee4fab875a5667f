#include "perpend/api/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "perpend/api/compare_summary.h"
#include "perpend/api/fit.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/regression.h"
#include "perpend/model/regression.h"
#include "perpend/run/baselines.h"
#include "perpend/run/supported.h"
#include "perpend/study/plan.h"

namespace perpend {

namespace {

using Clock = std::chrono::steady_clock;

// The rest of a budget is for what the estimate leaves out: evaluation, and threads that wait for the last trial.
constexpr double kBudgetForTraining = 0.85;

std::vector<int> members_of(const CompareOptions& options) {
  return options.members.empty() ? std::vector<int>{options.run.train.members} : options.members;
}

std::vector<Method> methods_of(const CompareOptions& options) {
  std::vector<Method> wanted;
  for (const Method method : all_methods()) {
    const bool is_named = std::ranges::find(options.methods, method) != options.methods.end();
    if (options.methods.empty() ? method_info(method).usual : is_named) wanted.push_back(method);
  }
  return wanted;
}

Grid checked_grid(const CompareOptions& options) {
  Grid values;
  if (options.run.train.published) values = default_grid(options.run.train.penalty_reduction);
  values.members = members_of(options);
  if (!options.lambdas.empty()) set_lambdas(values, options.lambdas, true);
  const std::vector<Method> methods = methods_of(options);
  const std::size_t splits[] = {options.splits.size()};
  refuse_too_many_trials(values, options.methods.empty() ? usual_methods() : methods, splits);
  RunOptions one = options.run;
  for (const int members : values.members) {
    one.train.members = members;
    refuse_problems(one);
  }
  for (const double lambda : options.lambdas) {
    one.train.lambda = lambda;
    refuse_problems(one);
  }
  return values;
}

void check_splits(const CompareOptions& options) {
  if (options.splits.empty()) throw ConfigError("no split is given to compare on; give random or extrapolation");
  for (const SplitKind split : options.splits) {
    if (split == SplitKind::none)
      throw ConfigError("split none leaves no rows to choose a model by and none to test it on; choose another split");
    RunOptions one = options.run;
    one.split.kind = split;
    refuse_problems(one);
  }
}

// Returns each split once, at its first place.
std::vector<SplitKind> distinct(const std::vector<SplitKind>& splits) {
  std::vector<SplitKind> found;
  for (const SplitKind split : splits) {
    if (std::ranges::find(found, split) == found.end()) found.push_back(split);
  }
  return found;
}

CompareOptions with_distinct_splits(CompareOptions options) {
  options.splits = distinct(options.splits);
  return options;
}

RunOptions with_most_members(const CompareOptions& options) {
  RunOptions run = options.run;
  run.train.members = std::ranges::max(members_of(options));
  return run;
}

// Logistic regression, or linear regression where the target is a number.
OtherModel plain_regression(const TrialData& of) {
  if (!of.prepared.schema.quantity) {
    return {.name = kLogistic,
            .answers = [](const TrialData& rows) { return logistic_answers(rows.prepared.train, rows.prepared.test); }};
  }
  return {.name = kLinear, .answers = [](const TrialData& rows) {
            const auto numbers = linear_answers(rows.prepared.train, rows.prepared.test);
            Matrix<double, axis::Row, axis::Out> answers(numbers.size(), 1);
            for (std::size_t r = 0; r < numbers.size(); ++r) answers(r, 0) = numbers[r];
            return answers;
          }};
}

Scores score_answers(const Matrix<double, axis::Row, axis::Out>& answers, const Dataset& test) {
  if (!test.quantity) return score_classes(answers.view(), test.labels);
  std::vector<double> numbers;
  for (std::size_t r = 0; r < answers.rows(); ++r) numbers.push_back(answers(r, 0));
  return score_numbers(numbers, targets_of(test), test.quantity->loss);
}

// Returns the methods that can learn such a target from these rows. A method that was named is not left out.
std::vector<Method> methods_for(const TrialData& rows, const CompareOptions& given) {
  if (!given.methods.empty()) return methods_of(given);
  const RunOptions& options = given.run;
  std::vector<Method> able;
  for (const Method method : methods_of(given)) {
    TrainOptions own = options.train;
    own.method = method;
    const ObjectiveSupport support = support_of(own);
    const auto& target = rows.prepared.schema.quantity;
    if (method_info(method).needs_unlabeled && rows.prepared.unlabeled.rows() == 0) continue;
    const bool squared = target && target->loss.kind == RegressionLoss::Kind::squared;
    if (!target || (support.regression && (squared || support.any_loss))) able.push_back(method);
  }
  return able;
}

OtherResult result_of(const OtherModel& model, const TrialData& rows) {
  OtherResult result{.name = model.name, .split = rows.split, .restart = rows.restart, .test = {}, .problem = {}};
  try {
    result.test = score_answers(model.answers(rows), rows.prepared.test);
  } catch (const std::exception& error) {
    result.problem = error.what();
  }
  return result;
}

class Comparison {
 public:
  Comparison(const Table& table, const CompareOptions& options, const CompareInputs& inputs, CompareCallback& callback)
      : table_(table),
        options_(with_distinct_splits(options)),
        inputs_(inputs),
        callback_(callback),
        threads_(options.run.train.threads) {
    refuse_problems(options_);
    done_.options = options.run;
    done_.grid = checked_grid(options_);
    done_.own_encoding = inputs.encoding != nullptr;
    done_.budget = options.seconds;
  }

  Compared run() {
    std::vector<TrialData> data = prepare_restart(0);
    check_coming_domains(data);
    methods_ = methods_for(data.front(), options_);
    callback_.on_prepared(data, size_remarks(data.front().prepared, with_most_members(options_)));
    fit_into_budget(data);
    for (const auto& rows : data) first_restart_.push_back(options_of(rows, options_.run, {.split = rows.split}));
    double longest = 0;
    for (int restart = 0; restart < options_.restarts; ++restart) {
      const double before = seconds();
      if (restart > 0) {
        if (options_.seconds && before + longest > *options_.seconds) break;
        data = prepare_restart(restart);
        cut_epochs(data, options_.run, done_.epochs_share);
      }
      if (!add_restart(data, restart)) break;
      longest = std::max(longest, seconds() - before);
    }
    done_.summaries = summarize(done_.results, done_.others);
    for (auto& split : done_.summaries) add_retraining(split);
    done_.seconds = seconds();
    return std::move(done_);
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  PrepareInputs given() const { return {.encoding = inputs_.encoding, .unlabeled = inputs_.unlabeled}; }

  std::vector<TrialData> prepare_restart(int restart) const {
    std::vector<TrialData> data;
    for (const auto split : options_.splits) {
      data.push_back(prepare_trials(table_, options_.run, split, restart, given()));
    }
    return data;
  }

  // Each restart leaves out another domain. A domain that cannot be left out is refused before the first training, not
  // after hours of training.
  void check_coming_domains(const std::vector<TrialData>& first) const {
    for (const auto& rows : first) {
      if (rows.split != SplitKind::domain || !options_.run.split.test_domains.empty()) continue;
      const auto domains = static_cast<int>(rows.prepared.left_out.known);
      for (int restart = 1; restart < std::min(options_.restarts, domains); ++restart) {
        prepare_trials(table_, options_.run, rows.split, restart, given());
      }
    }
  }

  std::vector<Trial> trials_of(int restart) const {
    std::vector<Trial> trials;
    for (const auto split : options_.splits) {
      const auto own = grid(done_.grid, methods_, split, restart);
      trials.insert(trials.end(), own.begin(), own.end());
    }
    return trials;
  }

  StudyCallback asking(std::function<void(std::size_t)> on_finish) {
    return {.stop_requested = [this] { return callback_.stop_requested(); }, .on_finish = std::move(on_finish)};
  }

  void fit_into_budget(std::vector<TrialData>& data) {
    if (!options_.seconds) return;
    const auto trials = trials_of(0);
    const double visit = measure_row_visit(data, options_.run, trials, threads_, asking({}));
    const double left = kBudgetForTraining * (*options_.seconds - seconds());
    done_.epochs_share = cut_epochs(data, options_.run, trials, threads_.count(), visit, left);
  }

  // Returns false when it was stopped. Then nothing of the restart counts.
  bool add_restart(const std::vector<TrialData>& data, int restart) {
    const auto trials = trials_of(restart);
    const auto show = [&](std::size_t done) { callback_.on_progress(restart + 1, done, trials.size(), seconds()); };
    show(0);
    const auto others = results_of_others(data);
    const auto results = run_trials(data, options_.run, trials, threads_, asking(show));
    if (callback_.stop_requested()) return false;
    done_.results.insert(done_.results.end(), results.begin(), results.end());
    done_.others.insert(done_.others.end(), others.begin(), others.end());
    for (const auto& rows : data) {
      if (rows.split == SplitKind::domain) done_.left_out.push_back(rows.prepared.left_out);
    }
    ++done_.restarts;
    return true;
  }

  std::vector<OtherResult> results_of_others(const std::vector<TrialData>& data) {
    std::vector<OtherResult> results;
    for (const auto& rows : data) {
      results.push_back(result_of(plain_regression(rows), rows));
      for (const auto& other : inputs_.others) {
        if (!callback_.stop_requested()) results.push_back(result_of(other, rows));
      }
    }
    return results;
  }

  void add_retraining(ComparedSplit& split) const {
    if (!split.best_method) return;
    const auto place = std::ranges::find(options_.splits, split.split) - options_.splits.begin();
    const auto selected = select_by_validation(done_.results);
    const auto first = std::ranges::find_if(selected, [&](const TrialResult& result) {
      const Trial& trial = result.trial;
      return trial.split == split.split && trial.method == split.models[*split.best_method].method &&
             trial.restart == 0;
    });
    RunOptions options = first_restart_[static_cast<std::size_t>(place)];
    options.train.method = first->trial.method;
    options.train.members = first->trial.members;
    options.train.lambda = first->trial.lambda;
    split.retrain = std::move(options);
  }

  std::vector<Method> methods_;  // those that are compared
  const Table& table_;
  const CompareOptions options_;
  const CompareInputs& inputs_;
  CompareCallback& callback_;
  Clock::time_point start_ = Clock::now();
  Threads threads_;
  std::vector<RunOptions> first_restart_;  // per split; the method's own options are not set
  Compared done_;
};

}  // namespace

void refuse_problems(const CompareOptions& options) {
  refuse_unsupported(unsupported(options.run, methods_of(options)));
  refuse_unsupported(unsupported_by_splits(options.run, options.splits));
  check_splits(options);
  checked_grid(options);
}

Compared compare(const Table& table, const CompareOptions& options, const CompareInputs& inputs) {
  CompareCallback silent;
  return Comparison(table, options, inputs, inputs.callback == nullptr ? silent : *inputs.callback).run();
}

std::string work_done(const Compared& compared) {
  std::string text = fmt::format("{} in {:.0f} s", counted(compared.restarts, "restart"), compared.seconds);
  if (compared.budget) text += fmt::format(" of {:.0f} s", *compared.budget);
  if (compared.epochs_share < 1) {
    text += fmt::format(", with {:.0f} % of the epochs: one restart with all of them would not fit",
                        100 * compared.epochs_share);
  }
  return text;
}

}  // namespace perpend
