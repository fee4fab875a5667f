#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "apps/perpend/clock.h"
#include "apps/perpend/command.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/message.h"
#include "perpend/study/best_so_far.h"
#include "perpend/study/table.h"

namespace perpend::app {

namespace {

struct StatusArguments {
  std::string folder;
  bool watch = false;
  bool json = false;
};

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

Json status_json(const Progress& found) {
  return {{"trials", found.trials},
          {"done", found.done},
          {"diverged", found.diverged},
          {"left", found.left},
          {"trials_per_second", number_json(found.trials_per_second)},
          {"eta_seconds", number_json(found.eta_seconds)}};
}

std::string counts_line(const Progress& found) {
  std::string text = fmt::format("{}   done {}   diverged {}   left {}", counted(found.trials, "trial"),
                                 thousands(found.done), thousands(found.diverged), thousands(found.left));
  if (found.left == 0) return text + "\n";
  if (!found.trials_per_second) return text + "   no trial has finished lately\n";
  text += fmt::format("   {:.3g} trials/s", *found.trials_per_second);
  return text + fmt::format("   ETA {}\n", found.eta_seconds ? hours(*found.eta_seconds) : "-");
}

std::string best_lines(const StudyFolder& folder) {
  const auto best = best_so_far(folder);
  if (best.empty()) return "";
  const auto names = dataset_names(folder.study);
  std::size_t width = std::string_view("best so far").size();
  for (const auto& name : names) width = std::max(width, printable(name).size());
  constexpr auto kLine = "{:<{}}  {:<13}  {:<8}  {:>7}  {:>9}  {:>14}\n";
  std::string text =
      "\n" + fmt::format(kLine, "best so far", width, "split", "method", "members", "lambda", "validation AUC");
  for (const std::size_t i : best) {
    const StudyResult& one = folder.results[i];
    const Trial& trial = one.result.trial;
    text += fmt::format(kLine, printable(names[folder.trials[one.trial].dataset]), width, name_of(trial.split),
                        name_of(trial.method), trial.members, trial.lambda ? fmt::format("{:.4g}", *trial.lambda) : "-",
                        shown(one.result.validation_merit));
  }
  return text;
}

std::string remarks(const StudyFolder& folder) {
  std::string text;
  if (folder.damaged > 0) {
    text += fmt::format(
        "\n"
        "{} could not be used, because a kill or a full disk cut it short, or it is not a result of its trial. The "
        "trial runs again.\n",
        counted(folder.damaged, "stored record"));
  }
  if (folder.foreign > 0) {
    text += fmt::format("\n{} of trials of another study; they are not used.\n", counted(folder.foreign, "result"));
  }
  return text;
}

std::string status_text(const StudyFolder& folder, const Progress& found) {
  return counts_line(found) + best_lines(folder) + remarks(folder);
}

// On a terminal the text replaces the last one. Elsewhere one line tells what is new, and the end shows everything.
void watch(const std::string& path) {
  const bool rich = results_are_rich();
  std::string last;
  for (;;) {
    const auto start = Clock::now();
    const StudyFolder folder = read_study_folder(path);
    const Progress found = progress(folder, now());
    const bool done = found.left == 0;
    if (rich) {
      const auto lines = std::ranges::count(last, '\n');
      last = status_text(folder, found);
      redraw_text(static_cast<std::size_t>(lines), last);
    } else {
      const std::string line = done ? status_text(folder, found) : counts_line(found);
      if (line != last) write_text(line);
      last = line;
    }
    flush_results();
    if (done) return;
    // A large folder takes a while to read; the sweep needs the machine more.
    const double rest = std::max(2.0, 10 * seconds_since(start));
    std::this_thread::sleep_for(std::chrono::duration<double>(rest));
  }
}

void status_verb(const StatusArguments& arguments) {
  if (arguments.watch) return watch(arguments.folder);
  const StudyFolder folder = read_study_folder(arguments.folder);
  const Progress found = progress(folder, now());
  arguments.json ? write_json(status_json(found)) : write_text(status_text(folder, found));
}

}  // namespace

void add_status(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<StatusArguments>();
  auto* verb = program.add_subcommand("status", "Show how far a sweep is");
  verb->footer(
      "  perpend status runs/first\n"
      "  perpend status runs/first --watch            until it is done, or Ctrl-C\n"
      "  perpend status runs/first --json\n");
  verb->add_option("folder", arguments->folder, "Folder of a sweep")->required()->type_name("DIR");
  auto* watching = verb->add_flag("--watch", arguments->watch, "Show it again every 2 seconds until nothing is left");
  add_json(*verb, arguments->json)->excludes(watching);
  verb->callback([arguments, &chosen] { chosen = [arguments] { status_verb(*arguments); }; });
}

}  // namespace perpend::app
