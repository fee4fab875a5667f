#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/monitor.h"
#include "perpend/base/error.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

struct MonitorArguments {
  std::string model, data, data_dir, fail_if;
  MonitorOptions options;
  bool json = false;
};

// For pipelines: fails after the results are written.
void fail_if_asked(const MonitorArguments& arguments, Verdict verdict) {
  const bool is_alarm = (arguments.fail_if == "drift" && verdict != Verdict::like) ||
                        (arguments.fail_if == "far" && verdict == Verdict::far);
  if (!is_alarm) return;
  flush_results();
  throw AlarmError(fmt::format("the rows of {} are {} from home (--fail-if {})", arguments.data,
                               verdict == Verdict::far ? "far" : "different", arguments.fail_if));
}

void monitor_verb(const MonitorArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  Monitoring found = monitor(model, table, arguments.options);
  found.next = next_commands(found, arguments.model, arguments.data, arguments.options.labels == model.schema.target);
  if (arguments.json) {
    Json json = {{"model", arguments.model}};
    json.update(Json::parse(to_json(found)));
    write_json(json);
  } else {
    print("{}", text_of(found));
  }
  fail_if_asked(arguments, found.verdict);
}

}  // namespace

void add_monitor(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<MonitorArguments>();
  auto* verb = program.add_subcommand("monitor", "Has the world moved? Compare new rows with the training rows");
  verb->footer(
      "  perpend monitor loans.safetensors october.csv\n"
      "  perpend monitor loans.safetensors october.csv --labels default     also how good the model is there\n"
      "  perpend monitor loans.safetensors 2026.csv --window month          month by month, and since when\n"
      "  perpend monitor loans.safetensors today.csv --fail-if drift        exit code 9 if the rows moved\n"
      "\n"
      "The model file is enough: it keeps how the columns were distributed and what the members answered, but no cell "
      "of any\n"
      "row. The verdict is like, moved or far. Rows that are like the training rows are called moved as rarely as "
      "--alarm\n"
      "says. `drift` is how far a column moved, from 0 to 1. `matters` is how much that move changes the answers.\n");
  add_model(*verb, arguments->model);
  add_data(*verb, arguments->data, "New rows, with or without labels")->required();
  verb->add_option("--labels", arguments->options.labels, "Column that holds the labels of the rows")->type_name("COL");
  verb->add_option("--window", arguments->options.window,
                   "Look at the rows in windows, in their order: N rows each, or rows with equal values in column COL")
      ->type_name("N|COL");
  verb->add_option("--alarm", arguments->options.alarm,
                   "Share of false alarms: how often rows like the training rows may be called moved [0.01]")
      ->check(between(0, 1))
      ->type_name("SHARE");
  verb->add_option("--fail-if", arguments->fail_if,
                   "Exit with code 9 if the verdict is moved or far (drift), or only if it is far (far)")
      ->check(CLI::IsMember({"drift", "far"}))
      ->option_text("drift|far");
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->options.threads);
  add_json(*verb, arguments->json);
  verb->callback([arguments, &chosen] { chosen = [arguments] { monitor_verb(*arguments); }; });
}

}  // namespace perpend::app
