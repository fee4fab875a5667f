#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>

#include "apps/perpend/clock.h"
#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/read_summary.h"
#include "apps/perpend/results.h"
#include "apps/perpend/run_flags.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/compare.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"
#include "perpend/run/supported.h"

namespace perpend::app {

namespace {

struct CompareArguments {
  std::string data;
  std::string data_dir;
  std::string unlabeled;
  std::vector<std::string> splits = {"random", "extrapolation"};
  std::vector<std::string> methods;
  CompareOptions options;
  double minutes = 2;
  bool unlimited = false;  // restarts were given, and minutes were not
  bool json = false;
};

std::vector<SplitKind> parse_splits(const std::vector<std::string>& words) {
  std::vector<SplitKind> splits;
  for (const auto& word : words) {
    RunOptions one;
    find_option("split").set(one, word);
    splits.push_back(one.split.kind);
  }
  return splits;
}

std::vector<Method> parse_methods(const std::vector<std::string>& words) {
  std::vector<Method> methods;
  for (const auto& word : words) {
    const MethodInfo* info = find_method(word);
    if (info == nullptr) refuse_word("methods", word, find_option("method").choices);
    methods.push_back(info->id);
  }
  return methods;
}

class CompareProgress final : public CompareCallback {
 public:
  CompareProgress(const Table& table, const CompareOptions& options, std::string encoding_line, HeldMessages& held)
      : table_(table), options_(options), encoding_line_(std::move(encoding_line)), held_(held) {}

  void on_prepared(std::span<const TrialData> data, const std::vector<std::string>& remarks) override {
    held_.write(what_was_read(table_, data.front().prepared, remarks) + encoding_line_);
    for (const auto& rows : data) {
      held_.write(split_line(name_of(rows.split), rows.prepared, options_.run.train.seed));
      const std::string& manifold = rows.prepared.manifold.summary;
      if (!manifold.empty())
        held_.write(fmt::format("{:<16} {} along {}\n", "", methods_taking("manifold"), printable(manifold)));
    }
    if (data.front().prepared.unlabeled.rows() == 0 && options_.methods.empty()) {
      held_.write(fmt::format("{:<16} {}, which need rows without labels (--unlabeled)\n", "left out",
                              methods_needing_unlabeled()));
    }
    wait_.emplace();
  }
  void on_progress(int restart, std::size_t done, std::size_t trainings, double seconds) override {
    const std::string budget = options_.seconds ? fmt::format(" of {:.0f}", *options_.seconds) : "";
    line_.show(fmt::format("restart {}  {}/{} trainings  {:.0f}{} s", restart, done, trainings, seconds, budget));
    if (seconds > 1) held_.release();
  }
  bool stop_requested() override { return interrupted(); }
  void end() { line_.clear(); }

 private:
  const Table& table_;
  const CompareOptions& options_;
  std::string encoding_line_;
  HeldMessages& held_;
  std::optional<InterruptsWait> wait_;  // while there is something to stop
  ProgressLine line_;
};

// A value of the option table as it is typed behind its flag.
std::string typed(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const auto& part : value) text += (text.empty() ? "" : ",") + csv_cell(typed(part));
  return text;
}

std::string flag(const OptionGiven& given) {
  std::string name = given.name;
  std::ranges::replace(name, '_', '-');
  if (find_option(given.name).yes_no()) return (given.json == "false" ? " --no-" : " --") + name;
  const std::string value = typed(Json::parse(given.json));
  // A value that begins with a dash would be read as another flag.
  return " --" + name + (value.starts_with("-") ? "=" : " ") + shell_word(value);
}

// Returns the command that trains the best method again as in the first restart. Empty where no training was good
// enough.
std::string train_command(const CompareArguments& arguments, const ComparedSplit& split) {
  if (!split.retrain) return "";
  std::string command = "perpend train " + shell_word((arguments.data.starts_with("-") ? "./" : "") + arguments.data);
  if (!arguments.data_dir.empty()) command += " --data-dir " + shell_word(arguments.data_dir);
  if (split.retrain->train.published) command += " --preset published";
  for (const auto& given : options_to_give(*split.retrain)) command += flag(given);
  if (!arguments.unlabeled.empty() && support_of(split.retrain->train).unlabeled) {
    command += " --unlabeled " + shell_word((arguments.unlabeled.starts_with("-") ? "./" : "") + arguments.unlabeled);
  }
  return command + fmt::format(" -o {}-{}.safetensors", name_of(split.retrain->train.method), name_of(split.split));
}

std::string train_lines(const CompareArguments& arguments, const ComparedSplit& split) {
  const std::string command = train_command(arguments, split);
  if (command.empty()) return "";
  return fmt::format("Train {} as in restart 1: {}\n", split.models[*split.best_method].name, command);
}

void print_compared(const CompareArguments& arguments, const Compared& compared) {
  if (arguments.json) {
    Json json = {{"data", arguments.data}, {"interrupted", interrupted()}};
    json.update(Json::parse(to_json(compared)));
    for (std::size_t i = 0; i < compared.summaries.size(); ++i) {
      json["splits"][i]["command"] = train_command(arguments, compared.summaries[i]);
    }
    write_json(json);
    return;
  }
  print("{}", to_text(compared, [&](const ComparedSplit& split) { return train_lines(arguments, split); }));
}

void compare_verb(const CompareArguments& arguments, const RunFlags& flags) {
  CompareOptions options = arguments.options;
  options.run = flags.options();
  if (options.run.schema.target.empty()) options.run.schema.target = target_of(arguments.data);
  if (options.run.schema.target.empty()) throw UsageError("no target is given; add --target COLUMN");
  options.splits = parse_splits(arguments.splits);
  options.methods = parse_methods(arguments.methods);
  refuse_problems(options);
  if (!arguments.unlimited) options.seconds = 60 * arguments.minutes;
  const std::string folder = data_folder(arguments.data_dir).string();
  const Table table = read_source(arguments.data, folder);
  std::optional<Table> unlabeled;
  if (!arguments.unlabeled.empty()) unlabeled = read_source(arguments.unlabeled, folder);
  const auto published = flags.published_schema(arguments.data, table, options.run);

  HeldMessages held;
  CompareProgress progress(table, options, published ? published_encoding(arguments.data) : "", held);
  const Compared compared = compare(table, options,
                                    {.encoding = published ? &*published : nullptr,
                                     .unlabeled = unlabeled ? &*unlabeled : nullptr,
                                     .callback = &progress});
  progress.end();
  held.release();
  if (compared.restarts == 0) throw Interrupted{"; no restart was finished"};
  print_compared(arguments, compared);
  if (interrupted()) throw Interrupted{"; the table shows what was finished: " + counted(compared.restarts, "restart")};
}

std::string words_of_methods(std::span<const Method> methods) {
  std::vector<std::string> words;
  for (const Method method : methods) words.push_back(name_of(method));
  return fmt::format("{}", fmt::join(words, ","));
}

// "ncl 0.1,0.3,0.5,0.9; lit 0.001,0.003,0.01,0.03": those of the published recipe.
std::string published_lambdas() {
  std::string text;
  for (const auto& [method, lambdas] : default_grid(PenaltyReduction::sum).lambdas) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", method_info(method).word, fmt::join(lambdas, ","));
  }
  return text;
}

}  // namespace

void add_compare(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<CompareArguments>();
  auto* verb =
      program.add_subcommand("compare", "Compare methods and logistic regression on the same splits of a table");
  verb->footer(
      "  perpend compare loans.csv --target default\n"
      "  perpend compare loans.csv --target default --minutes 10 --members 2,5,13\n"
      "  perpend compare loans.csv --target default --methods restarts,subspaces,snapshot,lit\n"
      "  perpend compare patients.csv --target died --split domain --domain hospital --restarts 4\n"
      "  perpend compare builtin:shortcut --target target --restarts 5 --json\n"
      "  perpend compare ionosphere --target target --preset published --split extrapolation --restarts 5 \\\n"
      "    --lambdas 0.001,0.01,0.1,1,10\n");
  add_data(*verb, arguments->data, "Table to compare on")->required();
  auto* minutes = verb->add_option("--minutes", arguments->minutes,
                                   "Time budget in minutes [2]; another restart begins only if it is expected to fit, "
                                   "and the first one always finishes")
                      ->type_name("N")
                      ->check(between(1e-3, 1e6));
  auto* restarts = verb->add_option("--restarts", arguments->options.restarts,
                                    "Largest number of restarts to average over, each with another split and other "
                                    "initial weights [10]; given without --minutes, it lifts the time limit")
                       ->type_name("N")
                       ->check(whole_between(1, 10000));
  verb->add_option("--methods", arguments->methods,
                   "Methods to compare [" + words_of_methods(usual_methods()) + ", and with --unlabeled " +
                       methods_needing_unlabeled() + "]")
      ->type_name("WORD,WORD")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--members", arguments->options.members,
                   "Numbers of members to try; the validation AUC chooses [10; with --preset published 5]")
      ->type_name("N,N")
      ->check(whole_between(1, 4096))
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--lambdas", arguments->options.lambdas,
                   "Lambdas to try for each method that has one; the validation AUC chooses [what train uses; with "
                   "--preset published " +
                       published_lambdas() + "]")
      ->type_name("X,X")
      ->check(between(0, 1e6))
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--split", arguments->splits, "Splits to compare on, with one table each [random,extrapolation]")
      ->type_name("WORD,WORD")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--unlabeled", arguments->unlabeled,
                   "Rows without labels, for " + methods_using_unlabeled() + "; without them " +
                       methods_needing_unlabeled() + " are left out")
      ->type_name("DATA");
  add_data_dir(*verb, arguments->data_dir);
  add_json(*verb, arguments->json, "Print one JSON document, with the figures of every training");
  const RunFlags flags(*verb, {"split", "method", "members", "lambda"});
  verb->callback([arguments, flags, minutes, restarts, &chosen] {
    arguments->unlimited = restarts->count() > 0 && minutes->count() == 0;
    chosen = [arguments, flags] { compare_verb(*arguments, flags); };
  });
}

}  // namespace perpend::app
