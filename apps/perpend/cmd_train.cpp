#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "apps/perpend/clock.h"
#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/flag_spelling.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/read_summary.h"
#include "apps/perpend/results.h"
#include "apps/perpend/run_flags.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/fit.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"
#include "perpend/run/supported.h"

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

std::string curve_of(const LambdaChoice& choice) {
  std::string text = fmt::format("{:<16} lambda     {}      gradients' cos²\n", "lambda auto",
                                 choice.regression ? "validation, log(error)" : "validation log-loss");
  for (const auto& trial : choice.trials) {
    text += fmt::format(
        "{:<16} {:<8g} {}{}\n", "", trial.lambda,
        trial.diverged
            ? "diverged"
            : fmt::format("{:.4f} ± {:.4f}          {}", trial.log_loss, trial.standard_error, shown(trial.grad_cos2)),
        trial.lambda == choice.lambda
            ? fmt::format("   <- the largest within {:g} of the best; it costs {:.4f}", kFreeLogLoss, choice.price())
            : "");
  }
  return text;
}

// Shows the progress of a fit. On a terminal that is a bar: learners of boosting, epochs, loss, penalty, time left.
// Elsewhere, what was read is shown once training has lasted a second. So an error that occurs sooner is the only line.
class TrainProgress : public FitCallback {
 public:
  TrainProgress(const Table& table, const RunOptions& options, std::string encoding_line, HeldMessages& held)
      : table_(table), options_(options), encoding_line_(std::move(encoding_line)), held_(held) {}

  void on_prepared(const Prepared& data, const std::vector<std::string>& remarks) override {
    held_.write(what_was_read(table_, data, remarks) + encoding_line_);
    held_.write(split_line("split", data, options_.train.seed) + manifold_lines(data, options_));
    wait_.emplace();
    begin(chooses_lambda(options_) ? "lambda auto  " : "training  ");
  }

  void on_lambda_choice(const LambdaChoice& choice) override {
    throw_if_interrupted();
    held_.write(curve_of(choice));
    begin("training  ");
  }

  void on_epoch(const EpochRecord& record, int epochs) override {
    const int rounds = record.round > 0 ? options_.train.members : 0;  // of boosting
    const bool last = record.epoch == epochs && record.round == rounds;
    if (seconds_since(shown_) < 0.1 && !last) return;
    shown_ = Clock::now();
    double fit = 0;
    for (const double f : record.fit) fit += f / static_cast<double>(record.fit.size());
    if (options_.train.early_stopping > 0) {  // the number of epochs is not known
      const std::string seen =
          record.validation_log_loss ? fmt::format("  validation {:.4f}", *record.validation_log_loss) : "";
      line_.show(fmt::format("{}epoch {}{}  loss {:.4f}  penalty {:.4f}{}", title_, record.epoch,
                             options_.train.epochs ? fmt::format("/{}", epochs) : "", fit, record.penalty, seen));
      return;
    }
    const double earlier = record.round > 0 ? record.round - 1 : 0;
    const double done = (earlier + static_cast<double>(record.epoch) / epochs) / std::max(rounds, 1);
    const int full = static_cast<int>(done * 20);
    const double left = seconds_since(start_) * (1 - done) / done;
    std::string bar;
    for (int i = 0; i < 20; ++i) bar += i < full ? "█" : "·";
    const std::string round = rounds > 0 ? fmt::format(" learner {}/{} ", record.round, rounds) : "";
    line_.show(fmt::format("{}{}{} epoch {}/{}  loss {:.4f}  penalty {:.4f}  {:.0f} s left", title_, bar, round,
                           record.epoch, epochs, fit, record.penalty, left));
  }

  bool stop_requested() override {
    if (seconds_since(start_) > 1) held_.release();
    return interrupted();
  }

  void end() { line_.clear(); }

 private:
  void begin(const std::string& title) {
    line_.clear();
    title_ = title;
    start_ = Clock::now();
    shown_ = start_ - std::chrono::hours(1);
  }

  const Table& table_;
  const RunOptions& options_;
  std::string encoding_line_;
  HeldMessages& held_;
  std::optional<InterruptsWait> wait_;  // while there is something to stop, and not while the table is prepared
  ProgressLine line_;
  std::string title_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = Clock::now();
};

Json result_json(const TrainArguments& arguments, const Fitted& fitted) {
  Json json = {{"model", arguments.output}};
  json.update(Json::parse(to_json(fitted, arguments.list_rows)));
  return json;
}

void print_result(const TrainArguments& arguments, const Fitted& fitted) {
  const RunSummary& summary = fitted.model.summary;
  const JudgedPart judged = summary.judged();
  const auto views = member_views(fitted.model);
  if (summary.test && summary.validation) print("\n{}", evaluation_table("validation", *summary.validation, views));
  print("\n{}", evaluation_table(judged.name == "training" ? "train" : judged.name, *judged.evaluation, views,
                                 summary.baselines ? &*summary.baselines : nullptr));
  if (const std::string lines = threshold_lines(fitted.model); !lines.empty()) print("\n{}", lines);
  if (summary.out_of_bag) print("\n{}", out_of_bag_line(*summary.out_of_bag));
  print("\n{}\nSaved {} ({:.0f} kB, {:.1f} s). Next: perpend predict {} NEW.csv\n",
        spelled(fitted.reading, flag_spelling), printable(arguments.output),
        static_cast<double>(std::filesystem::file_size(arguments.output)) / 1000, fitted.seconds,
        shell_word(arguments.output));
}

// Returns loans.safetensors for data/loans.csv and for builtin:loans. Empty where the data have no name to use:
// standard input, several files, a query.
std::string default_output(const std::string& data) {
  if (data == "-" || data.find_first_of("*?,") != std::string::npos) return "";
  std::string name = std::filesystem::path(data.substr(data.rfind(':') + 1)).filename().string();
  name = name.substr(0, name.find('.', 1));
  return name.empty() ? "" : name + ".safetensors";
}

void check_output(const TrainArguments& arguments) {
  if (arguments.data.empty()) throw UsageError("no DATA is given; try perpend train --help");
  if (arguments.output.empty()) throw UsageError("no model file is given; add -o MODEL.safetensors");
  check_writable(arguments.output, arguments.force);
}

// Says that an interrupted training has saved its model.
std::string kept(const TrainArguments& arguments, const RunSummary& summary) {
  return fmt::format("; the model after {} is saved as {}; go on from it with --init", counted(summary.steps, "step"),
                     printable(arguments.output));
}

void train_verb(TrainArguments arguments, const RunFlags& flags) {
  if (arguments.print_options) {
    print("{}", options_markdown());
    return;
  }
  if (arguments.output.empty()) arguments.output = default_output(arguments.data);
  check_output(arguments);
  RunOptions options = flags.options();
  if (options.schema.target.empty()) options.schema.target = target_of(arguments.data);
  if (options.schema.target.empty()) throw UsageError("no target is given; add --target COLUMN");
  const std::string folder = data_folder(arguments.data_dir).string();
  std::optional<TrainedModel> start;
  if (!arguments.init.empty()) start = load_model(arguments.init);
  const Table table = read_source(arguments.data, folder);
  const auto published = flags.published_schema(arguments.data, table, options);
  std::optional<Table> unlabeled;
  if (!arguments.unlabeled.empty()) unlabeled = read_source(arguments.unlabeled, folder);

  HeldMessages held;
  TrainProgress progress(table, options, published ? published_encoding(arguments.data) : "", held);
  const Fitted fitted = fit(table, options,
                            {.unlabeled = unlabeled ? &*unlabeled : nullptr,
                             .start = start ? &*start : nullptr,
                             .encoding = published ? &*published : nullptr,
                             .callback = &progress});
  progress.end();
  if (interrupted() && !arguments.keep_on_interrupt) throw Interrupted();
  save_model(arguments.output, fitted.model, arguments.force);
  if (interrupted()) throw Interrupted{kept(arguments, fitted.model.summary)};
  held.release();
  for (const auto& remark : fitted.remarks) say("{}\n", spelled(remark, flag_spelling));
  if (arguments.json) {
    write_json(result_json(arguments, fitted));
  } else {
    print_result(arguments, fitted);
  }
}

}  // namespace

void add_train(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<TrainArguments>();
  auto* verb = program.add_subcommand("train", "Train an ensemble on a table and save it");
  verb->footer(
      "  perpend train loans.csv --target default                  writes loans.safetensors\n"
      "  perpend train loans.csv --target default -o m.safetensors --members 3 --lambda auto\n"
      "  perpend train ionosphere --target target -o m.safetensors --split extrapolation --preset published --lambda "
      "0.01\n"
      "  perpend train loans.csv --target default -o m.safetensors --method ncl --lambda 0.5\n"
      "  perpend train loans.csv --target default -o m.safetensors --unlabeled next_year.csv\n"
      "  perpend train loans.csv --target default -o m.safetensors --calibrate temperature --threshold recall=0.9\n"
      "  perpend train patients.csv --target died -o m.safetensors --split domain --domain hospital --test-domains "
      "north,south\n"
      "  perpend train builtin:shortcut --target target -o m.safetensors --json\n");
  add_data(*verb, arguments->data, "Table to train on");
  verb->add_option("-o,--output", arguments->output,
                   "Model file to write [named like DATA: loans.safetensors for loans.csv]")
      ->type_name("MODEL");
  add_force(*verb, arguments->force, "the model file");
  auto* json = add_json(*verb, arguments->json);
  verb->add_flag("--list-rows", arguments->list_rows, "With --json: add the row numbers of each part of the split")
      ->needs(json);
  verb->add_flag("--keep-on-interrupt", arguments->keep_on_interrupt,
                 "On Ctrl-C, save what is trained so far (" + methods_in_turn() + ": the finished learners)");
  verb->add_option("--unlabeled", arguments->unlabeled,
                   "Rows without labels, such as those of next year; members are kept apart there, too (" +
                       methods_using_unlabeled() + "; " + methods_needing_unlabeled() + " cannot do without)")
      ->type_name("DATA");
  verb->add_option("--init", arguments->init, "Model whose weights training starts from")->type_name("MODEL");
  add_data_dir(*verb, arguments->data_dir);
  verb->add_flag("--print-options", arguments->print_options, "Print the options as Markdown and exit");
  const RunFlags flags(*verb);
  verb->callback([arguments, flags, &chosen] { chosen = [arguments, flags] { train_verb(*arguments, flags); }; });
}

}  // namespace perpend::app
