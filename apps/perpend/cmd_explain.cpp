#include <fmt/format.h>

#include <optional>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/explain_view.h"
#include "apps/perpend/flag_spelling.h"
#include "apps/perpend/measure_flags.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/explain.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

struct ExplainArguments {
  std::string model, data, output, data_dir, manifold, curve;
  std::optional<std::size_t> row;
  std::size_t top = 5;
  int threads = 0;
  bool permute = false;
  bool json = false;
  bool force = false;
};

std::string number_text_of_row(const RowExplained& found, const TrainedModel& model) {
  const Answers& answer = found.answer;
  std::string text = fmt::format("row {}: {} is predicted as {:.4g} (members", thousands(found.row + 1),
                                 quote(model.schema.target), answer.numbers[0]);
  for (const double number : answer.numbers_of_members) text += fmt::format(" {:.4g}", number);
  text += ")";
  if (answer.members > 1 && found.familiar_percent) text += ": " + familiar_words(*found.familiar_percent);
  return text + "\n";
}

std::string row_text(const RowExplained& found, const TrainedModel& model) {
  const auto& classes = model.schema.classes;
  const Answers& answer = found.answer;
  if (answer.is_regression()) return number_text_of_row(found, model);
  const std::size_t shown = answer.shown_class(0);
  std::string text = fmt::format("row {}: probability of {} {:.3f} (members", thousands(found.row + 1),
                                 quote(classes[shown]), answer.probability(0, shown));
  for (std::size_t m = 0; m < answer.members; ++m) text += fmt::format(" {:.3f}", answer.of_member(m, 0, shown));
  text += fmt::format("), prediction {}", quote(classes[answer.predicted[0]]));
  if (answer.members > 1 && found.familiar_percent) text += ": " + familiar_words(*found.familiar_percent);
  return text + "\n";
}

std::string score_named(const Schema& schema) {
  if (schema.quantity) return "the prediction of " + quote(schema.target) + " in standard deviations";
  if (schema.classes.size() > 2) return "the log-odds of the class that a member predicts";
  return "the log-odds of " + quote(schema.classes[1]);
}

std::string unit_named(const Schema& schema) {
  if (!schema.by_column) return "per standard deviation of a number, or for a level";
  return "per standard deviation of a number, and of a category's level compared with the mean level";
}

void print_text(const ExplainArguments& arguments, const Table& table, const TrainedModel& model,
                const Explained& found, const std::optional<ColumnsWorth>& worth) {
  const std::string substitutes = substitutes_text(found.all, model.schema, arguments.top);
  if (found.row) {
    print("{}{}{}", row_text(*found.row, model), looked_at_text(found.row->members, model.schema, arguments.top),
          substitutes);
    return;
  }
  print("{}: {}. Gradients are those of {}, {}.\n\n{}{}{}", printable(table.source), counted(table.rows, "row"),
        score_named(model.schema), unit_named(model.schema), worth ? worth_text(*worth, arguments.top) : "",
        explanation_text(found.all, model, arguments.top), substitutes);
}

// Writes the CSV that -o asks for, to its file or to stdout. Returns whether it was stdout.
bool write_csv(const ExplainArguments& arguments, const std::string& csv) {
  if (arguments.output == "-") {
    write_data(csv);
    return true;
  }
  if (!arguments.output.empty()) write_file_durably(arguments.output, csv, arguments.force);
  return false;
}

void write_result(const ExplainArguments& arguments, const std::string& result) {
  Json json = {{"model", arguments.model}};
  json.update(Json::parse(result));
  write_json(json);
}

void show_curve(const ExplainArguments& arguments, const TrainedModel& model, const Table& table) {
  EncodeReport report;
  const Dependence found = partial_dependence(model, table, arguments.curve, arguments.threads, &report);
  for (const auto& warning : report.warnings()) warn(warning);
  if (write_csv(arguments, dependence_csv(found))) return;
  if (arguments.json) return write_result(arguments, to_json(found));
  print("{}", dependence_text(found, model.schema));
}

void explain_verb(const ExplainArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  if (!arguments.curve.empty()) return show_curve(arguments, model, table);
  ExplainOptions options{.manifold = arguments.manifold, .threads = arguments.threads};
  if (arguments.row) options.row = *arguments.row - 1;
  if (options.row && *options.row >= table.rows) throw UsageError(no_such_row(*options.row, table));
  const Explained found = explain(model, table, options);
  std::optional<ColumnsWorth> worth;
  if (arguments.permute) worth = permutation_importance(model, table, {.threads = arguments.threads});
  for (const auto& note : found.notes) say("{}\n", spelled(note, flag_spelling));
  for (const auto& warning : found.warnings) warn(warning);
  if (write_csv(arguments, worth ? worth_csv(*worth) : explanation_csv(found.all, model.schema))) return;
  if (arguments.json) {
    Json json = Json::parse(to_json(found, model));
    if (worth) json["permutation"] = Json::parse(to_json(*worth));
    write_result(arguments, json.dump());
  } else {
    print_text(arguments, table, model, found, worth);
  }
}

}  // namespace

void add_explain(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<ExplainArguments>();
  auto* verb = program.add_subcommand("explain",
                                      "Show which columns each member looks at, and which columns can replace others");
  verb->footer(
      "  perpend explain loans.safetensors loans.csv\n"
      "  perpend explain loans.safetensors loans.csv --row 17      one row: what each member used for it\n"
      "  perpend explain loans.safetensors loans.csv --permute     what each column is worth\n"
      "  perpend explain loans.safetensors loans.csv --curve age   how the answers change with a column\n"
      "  perpend explain loans.safetensors loans.csv -o gradients.csv\n");
  add_model(*verb, arguments->model);
  add_data(*verb, arguments->data, "Rows to explain, with or without target")->required();
  auto* row = verb->add_option("--row", arguments->row, "Explain row N of the data; the first row is 1")
                  ->check(whole_between(1, std::int64_t{1} << 48))
                  ->option_text("N");
  auto* permute = verb->add_flag("--permute", arguments->permute,
                                 "Add how much the loss grows when each column is shuffled; this needs the target")
                      ->excludes(row);
  verb->add_option("--curve", arguments->curve, "Show how the answers of each member change with this column")
      ->check(not_empty())
      ->excludes(row)
      ->excludes(permute)
      ->option_text("COL");
  verb->add_option("--top", arguments->top, "Number of columns to show per member [5]")
      ->check(whole_between(1, 10000))
      ->option_text("K");
  verb->add_option("-o,--output", arguments->output,
                   "CSV file to write: one line per member and encoded column, or level of a category; with --permute "
                   "or --curve, their figures")
      ->excludes(row)
      ->option_text("FILE");
  add_manifold_flag(*verb, arguments->manifold);
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->threads);
  add_json(*verb, arguments->json);
  add_force(*verb, arguments->force, "the output file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { explain_verb(*arguments); }; });
}

}  // namespace perpend::app
