#include "apps/perpend/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "apps/perpend/clock.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/flag_spelling.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/study/select.h"
#include "perpend/study/sqlite_view.h"
#include "perpend/study/sweep.h"

namespace perpend::app {

namespace {

Shard shard_of(const std::string& text) {
  if (text.empty()) return {};
  Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, shard.count) : first;
  if (!slash || second.ec != std::errc() || second.ptr != end || shard.index < 1 || shard.index > shard.count) {
    throw UsageError("--shard is " + quote(text) + "; it must be I/N with I from 1 to N, such as 2/8");
  }
  --shard.index;
  return shard;
}

// Returns the command as it can be pasted.
std::string command_again(const SweepArguments& arguments) {
  std::vector<std::string> words = arguments.again;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  add("--shard", arguments.shard);
  add("--keep-models", arguments.keep_models);
  add("--data-dir", arguments.data_dir);
  add("--threads", arguments.threads == 0 ? "" : std::to_string(arguments.threads));
  if (arguments.list_saved) words.emplace_back("--list-saved");
  if (arguments.json) words.emplace_back("--json");
  std::string command = "perpend";
  for (const auto& word : words) command += " " + shell_word(word);
  return command;
}

// Shows the rate, the time left and the best so far. On a terminal one line is overwritten; a log gets one line per
// minute.
class SweepProgress {
 public:
  SweepProgress(const Study& study, bool list_saved) : study_(study), list_saved_(list_saved) {}

  void start(std::size_t missing, int ranks, int threads) {
    missing_ = missing;
    start_ = told_ = Clock::now();
    say("{:<16} {} to run, {}{} at once\n", "trials", thousands(missing),
        ranks > 1 ? fmt::format("{} ranks with ", ranks) : "", threads);
  }

  void saved(const SavedTrial& saved) {
    if (list_saved_) {
      print("{}\n", saved.trial.id);
      flush_results();
    }
    ++count_;
    auto& best = best_[{saved.trial.dataset, saved.trial.trial.split}];
    if (!best || better(saved.result, *best)) best = saved.result;
    const double seconds = seconds_since(start_);
    const double left = saved.share > 0 ? seconds * (1 - saved.share) / saved.share : 0;
    const std::string text =
        fmt::format("{} of {} trials  {:.1f}/s  {} left  best of {} {} so far: {} (validation AUC {})", count_,
                    missing_, static_cast<double>(count_) / seconds, saved.share > 0 ? hours(left) : "--:--:--",
                    printable(study_.datasets[saved.trial.dataset].source), name_of(saved.trial.trial.split),
                    name_of(best->trial.method), shown(best->validation_merit));
    line_.show(text);
    if (!messages_are_rich() && seconds_since(told_) > 60) {
      say("{}\n", text);
      told_ = Clock::now();
    }
  }

  void clear() { line_.clear(); }
  double seconds() const { return seconds_since(start_); }

 private:
  const Study& study_;
  bool list_saved_;
  std::size_t missing_ = 0;
  std::size_t count_ = 0;
  std::map<std::pair<std::size_t, SplitKind>, std::optional<TrialResult>> best_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point told_ = Clock::now();
  ProgressLine line_;
};

void say_study(const Study& study) {
  say("{:<16} {}, {}, {}, {}\n", "study", counted(study.datasets.size(), "data set"),
      counted(study.splits.size(), "split"), counted(study.methods.size(), "method"),
      counted(static_cast<std::size_t>(study.restarts), "restart"));
}

void print_outcome(const SweepArguments& arguments, const StudyFolder& folder, const SweepOutcome& outcome,
                   double seconds) {
  const std::size_t left = folder.trials.size() - folder.results.size();
  if (arguments.json) {
    const Json json = {{"folder", arguments.folder},
                       {"trials", folder.trials.size()},
                       {"done", folder.results.size() - folder.diverged()},
                       {"diverged", folder.diverged()},
                       {"left", left},
                       {"before", outcome.before},
                       {"added", outcome.added},
                       {"damaged", folder.damaged},
                       {"seconds", seconds}};
    write_json(json);
    return;
  }
  print("{} of {} trials are in {} ({} new, {} diverged, {} left), {}\n", thousands(folder.results.size()),
        thousands(folder.trials.size()), printable(arguments.folder), thousands(outcome.added), folder.diverged(),
        thousands(left), hours(seconds));
  if (folder.damaged > 0) {
    say("{} could not be used, because a kill or a full disk cut it short, or it belongs to another study. Those "
        "trials ran again.\n",
        counted(folder.damaged, "stored record"));
  }
  print("Next: perpend table {}\n", shell_word(arguments.folder));
}

// Writes the view for queries by SQL. It can be made again at any time. Without new results the old one is good enough,
// and the folder may be read-only.
void write_view(const std::filesystem::path& folder, const PrintedFigures* printed, std::size_t added) {
  const std::string view = sqlite_view(read_study_folder(folder), printed);
  try {
    write_file_durably(folder / "results.sqlite", view);
  } catch (const IoError& error) {
    if (added > 0) throw;
    say("{}; there are no new results\n", error.spelled(flag_spelling));
  }
}

}  // namespace

KeepModels keep_of(const std::string& word) {
  if (word.empty()) return KeepModels::none;
  if (word == "best") return KeepModels::best;
  if (word == "all") return KeepModels::all;
  throw UsageError("--keep-models is " + quote(word) + "; it must be best or all");
}

bool run_sweep(Study study, const SweepArguments& arguments) {
  const SweepOptions options{
      .threads = arguments.threads, .shard = shard_of(arguments.shard), .keep_models = keep_of(arguments.keep_models)};
  auto comm = join_ranks();
  if (comm->size() > 1 && options.shard.count > 1) throw UsageError("--shard is for runs without mpirun");
  const bool first = comm->rank() == 0;
  const StudyTables tables = read_study_tables(study, data_folder(arguments.data_dir).string());
  const InterruptsWait wait;
  SweepProgress progress(study, arguments.list_saved);
  SweepCallback callback;
  callback.stop_requested = interrupted;
  callback.on_start = [&](std::size_t missing) {
    if (!first) return;
    say_study(study);
    for (const auto& line : left_out_lines(study, tables)) say("{:<16} {}\n", "", line);
    const auto threads = static_cast<std::size_t>(Threads(options.threads).count());
    progress.start(missing, comm->size(), static_cast<int>(std::clamp<std::size_t>(missing, 1, threads)));
  };
  callback.on_saved = [&](const SavedTrial& saved) {
    if (first || arguments.list_saved) progress.saved(saved);
  };
  const SweepOutcome outcome = sweep(study, tables, arguments.folder, options, *comm, callback);
  progress.clear();
  if (first && holds_study(arguments.folder)) write_view(arguments.folder, arguments.printed, outcome.added);
  if (outcome.stopped) {
    comm.reset();  // all ranks leave together
    throw Interrupted{
        fmt::format("; {} saved; to resume: {}", counted(outcome.added, "new result"), command_again(arguments))};
  }
  if (first) print_outcome(arguments, read_study_folder(arguments.folder), outcome, progress.seconds());
  return first;
}

}  // namespace perpend::app
