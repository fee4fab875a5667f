#include <fmt/format.h>

#include <span>

#include <algorithm>
#include <optional>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/explain_view.h"
#include "apps/perpend/familiar.h"
#include "apps/perpend/tangent_flag.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"

namespace perpend::app {

namespace {

struct ExplainArguments {
  std::string model, data, output, data_dir, manifold;
  std::optional<std::size_t> row;
  std::size_t top = 5;
  int threads = 0;
  bool json = false;
  bool force = false;
};

// What the model answers on one row. With two classes probabilities are those of the second, else of the predicted.
struct RowAnswer {
  std::size_t predicted = 0;
  std::size_t of_class = 0;
  double probability = 0;
  std::vector<double> members;
  double disagreement = 0;
};

RowAnswer answer_of(const TrainedModel& model, InputsView row, const Threads& threads) {
  const auto members = member_probabilities(model.ensemble, row, threads);
  const auto decided = decide(model.decision, members);
  const std::span<const double> mean(decided.row(0), decided.cols());
  RowAnswer answer;
  answer.predicted = static_cast<std::size_t>(std::ranges::max_element(mean) - mean.begin());
  answer.of_class = mean.size() == 2 ? 1 : answer.predicted;
  answer.probability = mean[answer.of_class];
  for (std::size_t m = 0; m < members.members(); ++m) answer.members.push_back(members[m](0, answer.of_class));
  answer.disagreement = row_disagreement(members)[0];
  return answer;
}

std::string row_text(std::size_t number, const RowAnswer& answer, const TrainedModel& model) {
  const auto& classes = model.schema.classes;
  std::string text = fmt::format("row {}: probability of {} {:.3f} (members", thousands(number),
                                 quote(classes[answer.of_class]), answer.probability);
  for (const double p : answer.members) text += fmt::format(" {:.3f}", p);
  text += fmt::format("), prediction {}", quote(classes[answer.predicted]));
  const auto familiar = FamiliarDisagreement::of(model);
  if (answer.members.size() > 1 && familiar) text += ": " + compare_with_familiar(*familiar, answer.disagreement);
  return text + "\n";
}

Json row_json(const ExplainArguments& arguments, const RowAnswer& answer, const TrainedModel& model,
              const Explanation& of_row, const Explanation& of_all) {
  const auto familiar = FamiliarDisagreement::of(model);
  Json members = Json::array();
  for (std::size_t m = 0; m < answer.members.size(); ++m) {
    Json gradient = Json::object();
    for (std::size_t f = 0; f < model.schema.features.size(); ++f) {
      gradient[model.schema.features[f].name] = of_row.members[m].features[f].mean;
    }
    members.push_back({{"probability", answer.members[m]},
                       {"columns", shares_json(of_row.members[m].shares, model.schema)},
                       {"gradient", std::move(gradient)}});
  }
  return {
      {"model", arguments.model},
      {"row", *arguments.row},
      {"class", model.schema.classes[answer.of_class]},
      {"probability", answer.probability},
      {"prediction", model.schema.classes[answer.predicted]},
      {"disagreement", answer.disagreement},
      {"familiar_rows_below_percent", familiar ? Json(familiar->percent_below(answer.disagreement)) : Json(nullptr)},
      {"members", std::move(members)},
      {"substitutes", substitutes_json(of_all, model.schema)}};
}

void explain_row(const ExplainArguments& arguments, const TrainedModel& model, InputsView row,
                 const Explanation& of_all, const Threads& threads) {
  const RowAnswer answer = answer_of(model, row, threads);
  const Explanation of_row = explain(model.ensemble, model.schema, row, threads);
  if (arguments.json) {
    write_json(row_json(arguments, answer, model, of_row, of_all));
    return;
  }
  print("{}{}{}", row_text(*arguments.row, answer, model), looked_at_text(of_row, model.schema, arguments.top),
        substitutes_text(of_all, model.schema, arguments.top));
}

std::string score_named(const Schema& schema) {
  if (schema.classes.size() > 2) return "the log-odds of the class that a member predicts";
  return "the log-odds of " + quote(schema.classes[1]);
}

void explain_verb(const ExplainArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  if (arguments.row && *arguments.row > table.rows) {
    throw UsageError(fmt::format("there is no row {} in {}: it has {}", thousands(*arguments.row),
                                 printable(table.source), counted(table.rows, "row")));
  }
  EncodeReport report;
  const Inputs inputs = encode_inputs(table, model.schema, all_rows(table), &report);
  const Threads threads(arguments.threads);
  HeldMessages held;
  const Tangents tangents = tangents_for(arguments.manifold, model, inputs.view(), threads, held);
  const Explanation explanation = explain(model.ensemble, model.schema, inputs.view(), threads, tangents);
  if (!arguments.output.empty() && arguments.output != "-") {
    write_file_durably(arguments.output, explanation_csv(explanation, model.schema), arguments.force);
  }
  for (const auto& warning : report.warnings()) held.warn(warning);
  held.release();
  if (arguments.output == "-") {
    write_data(explanation_csv(explanation, model.schema));
  } else if (arguments.row) {
    explain_row(arguments, model, inputs.view().middle_rows(*arguments.row - 1, 1), explanation, threads);
  } else if (arguments.json) {
    Json json = {{"model", arguments.model}, {"rows", table.rows}};
    json.update(explanation_json(explanation, model));
    write_json(json);
  } else {
    print("{}: {}. Gradients are those of {}, by one sd of a number or by a level.\n\n{}{}", printable(table.source),
          counted(table.rows, "row"), score_named(model.schema), explanation_text(explanation, model, arguments.top),
          substitutes_text(explanation, model.schema, arguments.top));
  }
}

}  // namespace

void add_explain(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<ExplainArguments>();
  auto* verb =
      program.add_subcommand("explain", "Show which columns each member looks at, and which substitute others");
  verb->footer(
      "  perpend explain loans.safetensors loans.csv\n"
      "  perpend explain loans.safetensors loans.csv --row 17      one row: what each member used for it\n"
      "  perpend explain loans.safetensors loans.csv -o gradients.csv\n");
  verb->add_option("model", arguments->model, "Model file")->required();
  verb->add_option("data", arguments->data, "Rows, with or without target: CSV, ARFF, npy, builtin:NAME, - for stdin")
      ->required();
  auto* row = verb->add_option("--row", arguments->row, "Explain one row of the data; the first row is 1")
                  ->check(whole_between(1, std::int64_t{1} << 48))
                  ->option_text("N");
  verb->add_option("--top", arguments->top, "Columns to show per member (5)")
      ->check(whole_between(1, 10000))
      ->option_text("K");
  verb->add_option("-o,--output", arguments->output, "CSV to write: a line per member and encoded column")
      ->excludes(row)
      ->option_text("FILE");
  add_manifold_flag(*verb, arguments->manifold);
  verb->add_option("--data-dir", arguments->data_dir, "Folder of the public sets")->type_name("DIR");
  verb->add_option("--threads", arguments->threads, "0: all (0)")->check(whole_between(0, 1024));
  verb->add_flag("--json", arguments->json, "One JSON document");
  verb->add_flag("--force", arguments->force, "Overwrite the output file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { explain_verb(*arguments); }; });
}

}  // namespace perpend::app
