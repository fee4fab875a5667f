#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/finite_flags.h"
#include "apps/perpend/results.h"
#include "apps/perpend/tangent_flag.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/store/trained_model.h"

namespace perpend::app {

namespace {

struct EvaluateArguments {
  std::string model, data, data_dir, manifold;
  FiniteArguments finite;
  int threads = 0;
  bool json = false;
};

void evaluate_verb(const EvaluateArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  EncodeReport report;
  const Dataset data = encode(table, model.schema, all_rows(table), &report);
  HeldMessages held;
  for (const auto& warning : report.warnings()) held.warn(warning);
  const Threads threads(arguments.threads);
  const Tangents tangents = tangents_for(arguments.manifold, model, data.inputs.view(), threads, held);
  const Evaluation result = evaluate_ensemble(model.ensemble, model.decision, data, threads, tangents);
  const FiniteResults finite = measure_finite(arguments.finite, model.ensemble, data.inputs.view(), threads);
  held.release();
  if (arguments.json) {
    Json json = {{"model", arguments.model}, {"rows", data.rows()}, {"metrics", metrics_json(result)}};
    if (!finite.steps.empty()) json["finite"] = finite_json(finite);
    write_json(json);
  } else {
    print("{}{}", evaluation_table(counted(data.rows(), "row"), result), finite_table(finite));
  }
}

}  // namespace

void add_evaluate(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<EvaluateArguments>();
  auto* verb = program.add_subcommand("evaluate", "Measure a model on labelled rows");
  verb->footer(
      "  perpend evaluate loans.safetensors newer.csv\n"
      "  perpend evaluate m.safetensors builtin:shortcut-failed --json\n"
      "  perpend evaluate m.safetensors newer.csv --epsilon 0.1,0.3,1     independence at a distance\n");
  verb->add_option("model", arguments->model, "Model file")->required();
  verb->add_option("data", arguments->data, "Labelled rows: CSV, ARFF, npy, builtin:NAME, - for stdin")->required();
  add_manifold_flag(*verb, arguments->manifold);
  add_finite_flags(*verb, arguments->finite);
  verb->add_option("--data-dir", arguments->data_dir, "Folder of the public sets")->type_name("DIR");
  verb->add_option("--threads", arguments->threads, "0: all (0)")->check(whole_between(0, 1024));
  verb->add_flag("--json", arguments->json, "One JSON document");
  verb->callback([arguments, &chosen] { chosen = [arguments] { evaluate_verb(*arguments); }; });
}

}  // namespace perpend::app
