#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/independence.h"
#include "perpend/api/metrics.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

struct DiversityArguments {
  std::string model, data, answers, target, data_dir;
  int threads = 0;
  bool json = false;
};

// A zero has no sign.
std::string metric_text(const Metric& value) {
  if (!value) return "-";
  return fmt::format("{:.3f}", std::abs(*value) < 5e-4 ? 0.0 : *value);
}

// Returns one line per model. `at` gives the text of a pair, the earlier model first.
std::string pair_matrix(const std::vector<std::string>& names,
                        const std::function<std::string(std::size_t, std::size_t)>& at) {
  std::string text = fmt::format("{:<14}", "");
  for (const auto& name : names) text += fmt::format(" {:>9.9}", printable(name));
  text += "\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{:<14.14}", printable(names[i]));
    for (std::size_t j = 0; j < names.size(); ++j) {
      text += fmt::format(" {:>9}", i == j ? "" : at(std::min(i, j), std::max(i, j)));
    }
    text += "\n";
  }
  return text;
}

std::string errors_line(const Diversity& errors) {
  return fmt::format("errors         correlation {}   Yule's Q {}   kappa {}\n", metric_text(errors.rho.mean),
                     metric_text(errors.q.mean), metric_text(errors.kappa));
}

// Compares the members of a model by their gradients, and by their errors where the rows have labels.
void diversity_of_model(const DiversityArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  EncodeReport report;
  const LocalIndependence found = local_independence(model, table, arguments.threads, &report);
  for (const auto& warning : report.warnings()) warn(warning);
  if (arguments.json) {
    Json json = {{"model", arguments.model}, {"rows", table.rows}};
    json["gradients"] = Json::parse(to_json(found.gradients));
    json["errors"] = found.errors ? Json{{"rho_av", number_json(found.errors->rho.mean)},
                                         {"q_av", number_json(found.errors->q.mean)},
                                         {"kappa", number_json(found.errors->kappa)}}
                                  : Json(nullptr);
    return write_json(json);
  }
  std::vector<std::string> names;
  for (std::size_t m = 0; m < model.ensemble.differentiable(); ++m) names.push_back(fmt::format("member {}", m + 1));
  const auto cos2 = [&](std::size_t i, std::size_t j) {
    for (const auto& pair : found.gradients.pairs) {
      if (pair.first == i && pair.second == j) return metric_text(pair.cos2);
    }
    return std::string("-");
  };
  print("Squared cosine of the members' input gradients over {}\n{}", counted(table.rows, "row"),
        pair_matrix(names, cos2));
  print("gradients      mean cos^2 {}\n", metric_text(found.gradients.cos2));
  if (found.errors) print("{}", errors_line(*found.errors));
}

// Compares other models by one column of answers each.
void diversity_of_answers(const DiversityArguments& arguments) {
  const Table table = read_source(arguments.answers, data_folder(arguments.data_dir).string());
  const auto [names, errors] = errors_of_answers(table, arguments.target);
  if (errors.size() < 2) {
    throw DataError(fmt::format("{} needs at least two columns of answers, one per model, beside {}",
                                printable(arguments.answers), quote(arguments.target)));
  }
  const Diversity found = local_independence({}, errors).errors.value();
  if (arguments.json) {
    Json json = {{"rows", table.rows}, {"models", names}};
    json["errors"] = Json::parse(to_json(found));
    return write_json(json);
  }
  const auto rho = [&](std::size_t i, std::size_t j) {
    for (const auto& pair : found.pairs) {
      if (pair.first == i && pair.second == j) return metric_text(pair.rho);
    }
    return std::string("-");
  };
  print("Correlation of the models' errors over {}\n{}{}", counted(table.rows, "row"), pair_matrix(names, rho),
        errors_line(found));
}

void diversity_verb(const DiversityArguments& arguments) {
  if (!arguments.answers.empty()) return diversity_of_answers(arguments);
  if (arguments.data.empty()) throw UsageError("diversity needs MODEL and DATA, or --answers FILE --target COL");
  diversity_of_model(arguments);
}

}  // namespace

void add_diversity(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<DiversityArguments>();
  auto* verb = program.add_subcommand("diversity", "Measure the local independence of a model's members, pair by pair");
  verb->footer(
      "  perpend diversity loans.safetensors newer.csv              works without labels; with them it compares "
      "errors, too\n"
      "  perpend diversity --answers answers.csv --target y         other models, with one column of answers each\n"
      "\n"
      "An answer is the class that a model predicts, written as in the target's column. A probability is refused.\n");
  auto* model = verb->add_option("model", arguments->model, "Model file");
  auto* data = add_data(*verb, arguments->data, "Rows, with or without target");
  auto* target =
      verb->add_option("--target", arguments->target, "Column of that table with the right answers")->type_name("COL");
  auto* answers =
      verb->add_option("--answers", arguments->answers,
                       "Table with one column of answers (predicted classes) per model, in place of a model");
  answers->type_name("FILE")->check(not_empty())->needs(target)->excludes(model)->excludes(data);
  target->needs(answers);
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->threads);
  add_json(*verb, arguments->json);
  verb->callback([arguments, &chosen] { chosen = [arguments] { diversity_verb(*arguments); }; });
}

}  // namespace perpend::app
