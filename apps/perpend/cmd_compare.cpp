#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "apps/perpend/clock.h"
#include "apps/perpend/command.h"
#include "apps/perpend/compare_view.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/read_summary.h"
#include "apps/perpend/run_flags.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"
#include "perpend/study/plan.h"
#include "perpend/study/select.h"

namespace perpend::app {

namespace {

struct CompareArguments {
  std::string data;
  std::string data_dir;
  std::vector<std::string> splits = {"random", "extrapolation"};
  std::vector<int> members = {5};
  std::vector<double> lambdas;
  double minutes = 2;
  int restarts = 10;
  bool unlimited = false;  // restarts given, minutes not
  bool json = false;
};

// All that one comparison is asked to do.
struct Question {
  const Table& table;
  RunOptions options;
  std::optional<Schema> published;
  std::vector<SplitKind> splits;
  Grid grid;
  int restarts;
  std::optional<double> budget;  // seconds
};

std::vector<SplitKind> parse_splits(const std::vector<std::string>& words, const RunOptions& options) {
  std::vector<SplitKind> splits;
  for (const auto& word : words) {
    RunOptions one = options;
    find_option("split").set(one, word);
    if (one.split.kind == SplitKind::none) throw ConfigError("split none has no rows to choose and to test by");
    for (const auto& problem : validate(one)) throw ConfigError(problem);
    if (std::ranges::find(splits, one.split.kind) == splits.end()) splits.push_back(one.split.kind);
  }
  return splits;
}

Grid grid_of(const CompareArguments& arguments, const RunOptions& options) {
  Grid grid = default_grid(options.train.penalty_reduction);
  grid.members = arguments.members;
  if (!arguments.lambdas.empty()) set_lambdas(grid, arguments.lambdas);
  const std::size_t splits[] = {arguments.splits.size()};
  refuse_too_many_trials(grid, all_methods(), splits);
  RunOptions one = options;
  for (const int members : grid.members) {
    one.train.members = members;
    for (const auto& problem : validate(one)) throw ConfigError(problem);
  }
  for (const double lambda : arguments.lambdas) {
    one.train.lambda = lambda;
    for (const auto& problem : validate(one)) throw ConfigError(problem);
  }
  return grid;
}

std::vector<TrialData> prepare_restart(const Question& question, int restart) {
  std::vector<TrialData> data;
  for (const auto split : question.splits) {
    data.push_back(prepare_trials(question.table, question.options, split, restart,
                                  question.published ? &*question.published : nullptr));
  }
  return data;
}

std::vector<Trial> trials_of(const Question& question, int restart) {
  std::vector<Trial> trials;
  for (const auto split : question.splits) {
    const auto own = grid(question.grid, split, restart);
    trials.insert(trials.end(), own.begin(), own.end());
  }
  return trials;
}

std::string plan_of(const CompareArguments& arguments, const Question& question, const std::vector<TrialData>& data) {
  std::string text = what_was_read(question.table, data.front().prepared, question.options);
  if (question.published) text += published_encoding(arguments.data);
  for (const auto& rows : data) {
    text += split_line(name_of(rows.split), rows.prepared, question.options.train.seed);
    if (!rows.prepared.manifold.summary.empty())
      text += fmt::format("{:<16} lit along {}\n", "", printable(rows.prepared.manifold.summary));
  }
  return text;
}

class Comparison {
 public:
  Comparison(const Question& question, HeldMessages& held, Clock::time_point start)
      : question_(question), held_(held), start_(start), threads_(question.options.train.threads) {}

  Compared run(std::vector<TrialData> data) {
    fit_into_budget(data);
    double longest = 0;
    for (int restart = 0; restart < question_.restarts; ++restart) {
      const double before = seconds_since(start_);
      if (restart > 0) {
        if (question_.budget && before + longest > *question_.budget) break;
        data = prepare_restart(question_, restart);
        cut_epochs(data, question_.options, done_.epochs_share);
      }
      if (!add_restart(data, restart)) break;
      longest = std::max(longest, seconds_since(start_) - before);
    }
    done_.summaries = summarize_splits(select_by_validation(done_.results));
    done_.seconds = seconds_since(start_);
    done_.budget = question_.budget;
    return std::move(done_);
  }

 private:
  void fit_into_budget(std::vector<TrialData>& data) {
    if (!question_.budget) return;
    const auto trials = trials_of(question_, 0);
    const double visit =
        measure_row_visit(data, question_.options, trials, threads_, {.stop_requested = interrupted, .on_finish = {}});
    // The rest is for what the estimate leaves out: evaluation, and the threads that wait for the last trial.
    const double left = 0.85 * (*question_.budget - seconds_since(start_));
    done_.epochs_share = cut_epochs(data, question_.options, trials, threads_.count(), visit, left);
  }

  // False when it was interrupted: then nothing of it counts.
  bool add_restart(const std::vector<TrialData>& data, int restart) {
    const auto trials = trials_of(question_, restart);
    const auto show = [&](std::size_t done) {
      const std::string budget = question_.budget ? fmt::format(" of {:.0f}", *question_.budget) : "";
      line_.show(fmt::format("restart {}  {}/{} trainings  {:.0f}{} s", restart + 1, done, trials.size(),
                             seconds_since(start_), budget));
      if (seconds_since(start_) > 1) held_.release();
    };
    show(0);
    const auto results =
        run_trials(data, question_.options, trials, threads_, {.stop_requested = interrupted, .on_finish = show});
    if (interrupted()) return false;
    done_.results.insert(done_.results.end(), results.begin(), results.end());
    ++done_.restarts;
    return true;
  }

  const Question& question_;
  HeldMessages& held_;
  Clock::time_point start_;
  Threads threads_;
  ProgressLine line_;
  Compared done_;
};

void print_compared(const CompareArguments& arguments, const Question& question, const Compared& compared) {
  if (arguments.json) {
    Json json = {{"data", arguments.data}, {"interrupted", interrupted()}};
    json["options"] = Json::parse(options_to_json(question.options));
    for (const char* varied : {"split", "method", "members", "lambda"}) json["options"].erase(varied);
    json["encoding"] = question.published ? "published" : "training rows";
    json["grid"] = {{"members", question.grid.members}};
    for (const auto& [method, lambdas] : question.grid.lambdas) json["grid"][name_of(method)] = lambdas;
    json.update(compared_json(compared));
    write_json(json);
    return;
  }
  for (const auto& split : compared.summaries) print("{}", split_table(split, compared));
  print("\n{}.\n* mean ± standard error overlaps the best; members and lambda: chosen most often by validation AUC.\n",
        work_done(compared));
}

void compare_verb(const CompareArguments& arguments, const RunFlags& flags) {
  RunOptions options = flags.options();
  if (options.schema.target.empty()) throw UsageError("no target given; add --target COLUMN");
  const auto splits = parse_splits(arguments.splits, options);
  const Grid grid = grid_of(arguments, options);
  const auto start = Clock::now();
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  Question question{.table = table,
                    .options = options,
                    .published = flags.published_schema(arguments.data, table, options),
                    .splits = splits,
                    .grid = grid,
                    .restarts = arguments.restarts,
                    .budget = std::nullopt};
  if (!arguments.unlimited) question.budget = 60 * arguments.minutes;
  auto data = prepare_restart(question, 0);
  HeldMessages held;
  held.write(plan_of(arguments, question, data));

  const InterruptsWait wait;
  const Compared compared = Comparison(question, held, start).run(std::move(data));
  held.release();
  if (compared.restarts == 0) throw Interrupted{"; no restart was finished"};
  print_compared(arguments, question, compared);
  if (interrupted()) throw Interrupted{"; the table is of what was finished: " + counted(compared.restarts, "restart")};
}

}  // namespace

void add_compare(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<CompareArguments>();
  auto* verb = program.add_subcommand("compare", "Every method on the same splits of a table: which one is best");
  verb->footer(
      "  perpend compare loans.csv --target default\n"
      "  perpend compare loans.csv --target default --minutes 10 --members 2,5,13\n"
      "  perpend compare builtin:shortcut --target target --restarts 5 --json\n"
      "  perpend compare ionosphere --target target --preset published --split extrapolation --restarts 5 \\\n"
      "    --lambdas 0.001,0.01,0.1,1,10\n");
  verb->add_option("data", arguments->data, "CSV, ARFF, X.npy,y.npy, builtin:NAME, a public set, or - for stdin")
      ->required();
  auto* minutes = verb->add_option("--minutes", arguments->minutes,
                                   "Time budget [2]; restarts go on while the next is expected to fit, one is always "
                                   "finished")
                      ->type_name("N")
                      ->check(between(1e-3, 1e6));
  auto* restarts = verb->add_option("--restarts", arguments->restarts,
                                    "Splits and first weights to average over, at most [10]; without --minutes there "
                                    "is then no time limit")
                       ->type_name("N")
                       ->check(whole_between(1, 10000));
  verb->add_option("--members", arguments->members, "Numbers of members to choose from [5]")
      ->type_name("N,N")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--lambdas", arguments->lambdas,
                   "lambdas to choose from, for each method that has one [ncl 0.1,0.3,0.5,0.9; ace 0.03,0.1,0.3,1; "
                   "lit 0.1,0.3,1,3, with --penalty-reduction sum 0.001,0.003,0.01,0.03]")
      ->type_name("X,X")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--split", arguments->splits, "Splits, a table each [random,extrapolation]")
      ->type_name("WORD,WORD")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--data-dir", arguments->data_dir, "Folder of the public sets")->type_name("DIR");
  verb->add_flag("--json", arguments->json, "One JSON document, with every training's figures");
  const RunFlags flags(*verb, {"split", "method", "members", "lambda"});
  verb->callback([arguments, flags, minutes, restarts, &chosen] {
    arguments->unlimited = restarts->count() > 0 && minutes->count() == 0;
    chosen = [arguments, flags] { compare_verb(*arguments, flags); };
  });
}

}  // namespace perpend::app
