#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "apps/perpend/clock.h"
#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/read_summary.h"
#include "apps/perpend/results.h"
#include "apps/perpend/run_flags.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"
#include "perpend/run/run.h"
#include "perpend/run/saved_model.h"

namespace perpend::app {

namespace {

struct TrainArguments {
  std::string data;
  std::string output;
  std::string data_dir;
  std::string init;
  std::string unlabeled;
  bool force = false;
  bool json = false;
  bool list_rows = false;
  bool keep_on_interrupt = false;
  bool print_options = false;
};

// A bar on a terminal: learners of boosting, epochs, loss, penalty, time left. Elsewhere what was read is shown once
// training has lasted a second, so that mistakes which show up sooner stay alone on their line.
class TrainProgress : public TrainCallback {
 public:
  TrainProgress(std::string title_shown, HeldMessages& held) : title(std::move(title_shown)), held_(held) {}
  void on_epoch(const EpochRecord& record, int epochs) override {
    const bool last = record.epoch == epochs && record.round == rounds;
    if (seconds_since(shown_) < 0.1 && !last) return;
    shown_ = Clock::now();
    double fit = 0;
    for (const double f : record.fit) fit += f / static_cast<double>(record.fit.size());
    const double earlier = record.round > 0 ? record.round - 1 : 0;
    const double done = (earlier + static_cast<double>(record.epoch) / epochs) / std::max(rounds, 1);
    const int full = static_cast<int>(done * 20);
    const double left = seconds_since(start_) * (1 - done) / done;
    std::string bar;
    for (int i = 0; i < 20; ++i) bar += i < full ? "█" : "·";
    const std::string round = record.round > 0 ? fmt::format(" learner {}/{} ", record.round, rounds) : "";
    line_.show(fmt::format("{}{}{} epoch {}/{}  loss {:.4f}  penalty {:.4f}  {:.0f} s left", title, bar, round,
                           record.epoch, epochs, fit, record.penalty, left));
  }
  bool stop_requested() override {
    if (seconds_since(start_) > 1) held_.release();
    return interrupted();
  }
  std::string title;
  int rounds = 0;  // of boosting

 private:
  HeldMessages& held_;
  ProgressLine line_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = Clock::now() - std::chrono::hours(1);
};

// NCL and ACE ask for predictions that differ where the data are, so that is what is read first.
std::string reading_of_errors(const Evaluation& seen) {
  if (!seen.rho_av) return "The members make too few errors to say how they correlate";
  std::string text = fmt::format("The members' errors have a mean correlation of {:.2f}", *seen.rho_av);
  if (*seen.rho_av < -0.3) text += ": they err on purpose, each where others do not; a smaller --lambda helps";
  return text;
}

// What the numbers say, in one sentence.
std::string reading(const RunResult& result, const RunOptions& options) {
  const Evaluation& seen = result.test ? *result.test : result.validation ? *result.validation : *result.train;
  if (seen.members.size() == 1) return "One member has nobody to disagree with; ask for more to see independence.";
  if (!seen.grad_cos2) return "Input gradients vanish, so independence cannot be measured.";
  const double cos2 = seen.tangent_cos2.value_or(*seen.grad_cos2);
  if (options.train.method == Method::ncl || options.train.method == Method::ace) {
    return fmt::format("{}. Their input gradients have a mean cos² of {:.3f}{}", reading_of_errors(seen), cos2,
                       cos2 < 0.5 ? "." : ": they share one explanation, which --method lit keeps apart.");
  }
  std::string text = fmt::format("The members' input gradients {}have a mean cos² of {:.3f}: ",
                                 seen.tangent_cos2 ? "along the manifold " : "", cos2);
  if (cos2 < 0.1) {
    text += "they are locally independent explanations.";
  } else if (cos2 < 0.5) {
    text += "they are partly independent; a larger --lambda makes them more so.";
  } else {
    text += options.train.method == Method::lit
                ? "they mostly share one explanation; a larger --lambda or fewer members may help."
                : "they are copies of one explanation; --method lit makes them differ.";
  }
  if (result.unlabeled_cos2 && !seen.tangent_cos2) {
    text += fmt::format(" At the rows without labels cos² is {:.3f}.", *result.unlabeled_cos2);
  }
  double worst = 1;
  double best = 0;
  for (const auto& member : seen.members) {
    worst = std::min(worst, member.auc.value_or(1));
    best = std::max(best, member.auc.value_or(0));
  }
  if (best - worst > 0.1) {
    text +=
        fmt::format(" Members differ in worth (AUC {:.3f} to {:.3f}): the data may not support so many.", worst, best);
  }
  return text;
}

// What only some methods have.
void add_method_results(const RunResult& result, Json& json) {
  if (result.out_of_bag) json["out_of_bag"] = metrics_json(*result.out_of_bag);
  if (!result.trained.log.rounds.empty()) json["boosting"] = rounds_json(result.trained.log);
}

// Why boosting ended before the number of learners that was asked for.
void say_how_boosting_ended(const RunResult& result, const RunOptions& options) {
  const auto& rounds = result.trained.log.rounds;
  const std::size_t kept = result.trained.ensemble.members.size();
  if (rounds.empty() || kept == static_cast<std::size_t>(options.train.members)) return;
  say("{:<16} ended with {} of {}: learner {} {}\n", "boosting", kept, options.train.members, rounds.size(),
      rounds.back().error == 0 ? "makes no error on the training rows"
                               : "is no better than chance on the weighted training rows");
}

std::string curve_of(const LambdaChoice& choice) {
  std::string text = fmt::format("{:<16} lambda     validation log-loss      gradients' cos²\n", "lambda auto");
  for (const auto& trial : choice.trials) {
    text += fmt::format("{:<16} {:<8g} {}{}\n", "", trial.lambda,
                        trial.diverged ? "diverged"
                                       : fmt::format("{:.4f} ± {:.4f}          {}", trial.log_loss,
                                                     trial.standard_error, shown(trial.grad_cos2)),
                        trial.lambda == choice.lambda ? "   <- the largest that costs no validation log-loss" : "");
  }
  return text;
}

void print_result(const TrainArguments& arguments, const Prepared& data, const RunOptions& options,
                  const RunResult& result, double seconds) {
  if (arguments.json) {
    Json json = {
        {"model", arguments.output},
        {"options", Json::parse(options_to_json(options))},
        {"rows", {{"train", data.train.rows()}, {"validation", data.validation.rows()}, {"test", data.test.rows()}}},
        {"steps", result.trained.steps},
        {"seconds", seconds},
        {"status", "ok"},
        {"metrics",
         {{"train", metrics_json(result.train)},
          {"validation", metrics_json(result.validation)},
          {"test", metrics_json(result.test)}}},
        {"log", log_json(result.trained.log)}};
    add_method_results(result, json);
    if (data.unlabeled.rows() > 0) {
      json["rows"]["unlabeled"] = data.unlabeled.rows();
      json["unlabeled"] = {{"grad_cos2", number_json(result.unlabeled_cos2)}};
    }
    if (arguments.list_rows) {
      json["split"] = {{"train", data.split.train}, {"validation", data.split.validation}, {"test", data.split.test}};
    }
    write_json(json);
    return;
  }
  for (const auto& [name, part] : {std::pair("validation", &result.validation), std::pair("test", &result.test)}) {
    if (*part) print("\n{}", evaluation_table(name, **part));
  }
  if (!result.validation && !result.test) print("\n{}", evaluation_table("train", *result.train));
  if (result.out_of_bag) print("\n{}", out_of_bag_line(*result.out_of_bag));
  print("\n{}\nSaved {} ({:.0f} kB, {:.1f} s). Next: perpend predict {} NEW.csv\n", reading(result, options),
        printable(arguments.output), static_cast<double>(std::filesystem::file_size(arguments.output)) / 1000, seconds,
        shell_word(arguments.output));
}

void check_output(const TrainArguments& arguments) {
  if (arguments.data.empty()) throw UsageError("no DATA given; try perpend train --help");
  if (arguments.output.empty()) throw UsageError("no model file given; add -o MODEL.safetensors");
  check_writable(arguments.output, arguments.force);
}

// What an interrupted training says, having saved its model.
std::string kept(const TrainArguments& arguments, const TrainResult& result) {
  return fmt::format("; the model after {} is saved as {}; go on from it with --init",
                     counted(static_cast<std::size_t>(result.steps), "step"), printable(arguments.output));
}

void train_verb(const TrainArguments& arguments, const RunFlags& flags) {
  if (arguments.print_options) {
    print("{}", options_markdown());
    return;
  }
  check_output(arguments);
  RunOptions options = flags.options();
  if (options.schema.target.empty()) throw UsageError("no target given; add --target COLUMN");
  std::optional<TrainedModel> initial;
  if (!arguments.init.empty()) initial = load_model(arguments.init);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  const auto published = flags.published_schema(arguments.data, table, options);
  std::optional<Table> unlabeled;
  if (!arguments.unlabeled.empty()) {
    unlabeled = read_source(arguments.unlabeled, data_folder(arguments.data_dir).string());
  }
  const Prepared data =
      prepare(table, options, published ? &*published : nullptr, {.unlabeled = unlabeled ? &*unlabeled : nullptr});
  if (initial) check_start(initial->schema, data.schema);
  check_savable(data, options);
  HeldMessages held;
  held.write(what_was_read(table, data, options));
  if (published) held.write(published_encoding(arguments.data));
  held.write(split_line("split", data, options.train.seed) + manifold_lines(data, options));

  const auto start = Clock::now();
  const InterruptsWait wait;
  if (options.lambda_auto) {
    TrainProgress progress("lambda auto  ", held);
    const LambdaChoice choice = choose_lambda(data, options, &progress);
    throw_if_interrupted();
    held.write(curve_of(choice));
    options.train.lambda = choice.lambda;
    options.lambda_auto = false;
  }
  TrainProgress training("training  ", held);
  if (options.train.method == Method::adaboost) training.rounds = options.train.members;
  const RunResult result = run(data, options, initial ? &initial->ensemble : nullptr, &training);
  if (result.trained.status == TrainStatus::diverged) {
    throw Error(ErrorKind::diverged, fmt::format("training diverged at step {} in its {}; lower {} or {}",
                                                 result.trained.divergence->step, result.trained.divergence->term,
                                                 option_mention("learning_rate"), option_mention("lambda")));
  }
  if (interrupted() && !arguments.keep_on_interrupt) throw Interrupted();
  save_model(arguments.output, model_of(data, options, result), arguments.force);
  if (interrupted()) throw Interrupted{kept(arguments, result.trained)};
  held.release();
  say_how_boosting_ended(result, options);
  print_result(arguments, data, options, result, seconds_since(start));
}

}  // namespace

void add_train(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<TrainArguments>();
  auto* verb = program.add_subcommand("train", "Train an ensemble on a table and save it");
  verb->footer(
      "  perpend train loans.csv --target default -o loans.safetensors\n"
      "  perpend train loans.csv --target default -o m.safetensors --members 3 --lambda auto\n"
      "  perpend train ionosphere --target target -o m.safetensors --split extrapolation --preset published --lambda "
      "0.01\n"
      "  perpend train loans.csv --target default -o m.safetensors --method ncl --lambda 0.5\n"
      "  perpend train loans.csv --target default -o m.safetensors --unlabeled next_year.csv\n"
      "  perpend train builtin:shortcut --target target -o m.safetensors --json\n");
  verb->add_option("data", arguments->data, "CSV, ARFF, X.npy,y.npy, builtin:NAME, a public set, or - for stdin");
  verb->add_option("-o,--output", arguments->output, "Model file to write")->type_name("MODEL");
  verb->add_flag("--force", arguments->force, "Overwrite the model file");
  verb->add_flag("--json", arguments->json, "One JSON document");
  verb->add_flag("--list-rows", arguments->list_rows, "With --json: the row numbers of each part");
  verb->add_flag("--keep-on-interrupt", arguments->keep_on_interrupt,
                 "On Ctrl-C save what is trained so far (adaboost: the finished learners)");
  verb->add_option("--unlabeled", arguments->unlabeled,
                   "Rows without labels, say next year's: lit keeps the members independent there too")
      ->type_name("DATA");
  verb->add_option("--init", arguments->init, "Start from the weights of this model")->type_name("MODEL");
  verb->add_option("--data-dir", arguments->data_dir, "Folder of the public sets")->type_name("DIR");
  verb->add_flag("--print-options", arguments->print_options, "Print the options as markdown and leave");
  const RunFlags flags(*verb);
  verb->callback([arguments, flags, &chosen] { chosen = [arguments, flags] { train_verb(*arguments, flags); }; });
}

}  // namespace perpend::app
