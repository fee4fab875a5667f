#include "perpend/api/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "perpend/api/fit.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/run/supported.h"
#include "perpend/study/plan.h"

namespace perpend {

namespace {

using Clock = std::chrono::steady_clock;

// The rest of a budget is for what the estimate leaves out: evaluation, and threads that wait for the last trial.
constexpr double kBudgetForTraining = 0.85;

Grid checked_grid(const CompareOptions& options) {
  Grid values = default_grid(options.run.train.penalty_reduction);
  values.members = options.members;
  if (!options.lambdas.empty()) set_lambdas(values, options.lambdas);
  const std::size_t splits[] = {options.splits.size()};
  refuse_too_many_trials(values, all_methods(), splits);
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
  if (options.splits.empty()) throw ConfigError("no split is given to compare on");
  for (const SplitKind split : options.splits) {
    if (split == SplitKind::none)
      throw ConfigError("split none leaves no rows to choose a model by and none to test it on");
    RunOptions one = options.run;
    one.split.kind = split;
    refuse_problems(one);
  }
}

// Each split once, where it stands first.
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
  run.train.members = options.members.empty() ? 1 : std::ranges::max(options.members);
  return run;
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
    callback_.on_prepared(data, size_remarks(data.front().prepared, with_most_members(options_)));
    fit_into_budget(data);
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
    done_.summaries = summarize_splits(select_by_validation(done_.results));
    done_.seconds = seconds();
    return std::move(done_);
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  std::vector<TrialData> prepare_restart(int restart) const {
    std::vector<TrialData> data;
    for (const auto split : options_.splits) {
      data.push_back(prepare_trials(table_, options_.run, split, restart, inputs_.encoding));
    }
    return data;
  }

  // Each restart leaves out another domain. A domain that cannot be left out is refused before the first training, not
  // after hours of it.
  void check_coming_domains(const std::vector<TrialData>& first) const {
    for (const auto& rows : first) {
      if (rows.split != SplitKind::domain || !options_.run.split.test_domains.empty()) continue;
      const auto domains = static_cast<int>(rows.prepared.left_out.known);
      for (int restart = 1; restart < std::min(options_.restarts, domains); ++restart) {
        prepare_trials(table_, options_.run, rows.split, restart, inputs_.encoding);
      }
    }
  }

  std::vector<Trial> trials_of(int restart) const {
    std::vector<Trial> trials;
    for (const auto split : options_.splits) {
      const auto own = grid(done_.grid, split, restart);
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

  // False when it was stopped: then nothing of it counts.
  bool add_restart(const std::vector<TrialData>& data, int restart) {
    const auto trials = trials_of(restart);
    const auto show = [&](std::size_t done) { callback_.on_progress(restart + 1, done, trials.size(), seconds()); };
    show(0);
    const auto results = run_trials(data, options_.run, trials, threads_, asking(show));
    if (callback_.stop_requested()) return false;
    done_.results.insert(done_.results.end(), results.begin(), results.end());
    for (const auto& rows : data) {
      if (rows.split == SplitKind::domain) done_.left_out.push_back(rows.prepared.left_out);
    }
    ++done_.restarts;
    return true;
  }

  const Table& table_;
  const CompareOptions options_;
  const CompareInputs& inputs_;
  CompareCallback& callback_;
  Clock::time_point start_ = Clock::now();
  Threads threads_;
  Compared done_;
};

std::string three_digits(const Metric& metric) { return metric ? fmt::format("{:.3f}", *metric) : "-"; }

// "0.041 (0.020 to 0.062) over bagging, more than noise".
std::string lead_words(const Lead& lead) {
  const std::string over = fmt::format("over {}", name_of(lead.over));
  if (!lead.interval)
    return fmt::format("{} {}, which one restart cannot tell from noise", three_digits(lead.difference.mean), over);
  return fmt::format("{:.3f} ({:.3f} to {:.3f}) {}, {}", *lead.difference.mean, lead.interval->low, lead.interval->high,
                     over, lead.more_than_noise() ? "more than noise" : "no more than noise");
}

// The methods whose mean AUC equals the winner's.
std::vector<std::string> sharing_the_lead(const SplitSummary& split) {
  Metric top;
  for (const auto& method : split.methods) top = std::max(top, method.auc.mean);
  std::vector<std::string> names;
  for (const auto& method : split.methods) {
    if (method.auc.mean == top) names.push_back(name_of(method.method));
  }
  return names;
}

}  // namespace

void refuse_problems(const CompareOptions& options) {
  refuse_unsupported(unsupported(options.run, all_methods()));
  refuse_unsupported(unsupported_by_splits(options.run, options.splits));
  check_splits(options);
  checked_grid(options);
}

Compared compare(const Table& table, const CompareOptions& options, const CompareInputs& inputs) {
  CompareCallback silent;
  return Comparison(table, options, inputs, inputs.callback == nullptr ? silent : *inputs.callback).run();
}

std::string reading(const SplitSummary& split) {
  if (!split.winner) return "No method has a test AUC.\n";
  const auto sharing = sharing_the_lead(split);
  if (sharing.size() > 1) {
    return fmt::format("{} have the same mean AUC: it does not tell them apart here.\n", fmt::join(sharing, ", "));
  }
  const std::string name = name_of(*split.winner);
  if (!split.over_second) return fmt::format("{} has the only test AUC.\n", name);
  std::string text = fmt::format("{} has the best mean AUC; its lead is {}", name, lead_words(*split.over_second));
  if (split.over_restarts && split.over_restarts->over != split.over_second->over) {
    text += ", and " + lead_words(*split.over_restarts);
  }
  return text + ".\n";
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
