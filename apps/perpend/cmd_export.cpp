#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/model.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend::app {

namespace {

struct ExportArguments {
  std::string model, onnx;
  bool force = false;
};

void export_verb(const ExportArguments& arguments) {
  if (arguments.onnx.empty()) throw UsageError("no file is given to write the graph to; add --onnx FILE");
  const TrainedModel model = load_model(arguments.model);
  const std::string bytes = to_onnx(model, PERPEND_VERSION);
  write_file_durably(arguments.onnx, bytes, arguments.force);
  print("{}: {}, {}; {} in, probabilities, label, disagreement and member_probabilities out\n",
        printable(arguments.onnx), counted(model.ensemble.members.size(), "member"), counted(bytes.size(), "byte"),
        counted(model.schema.columns.size(), "column"));
}

}  // namespace

void add_export(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<ExportArguments>();
  auto* verb =
      program.add_subcommand("export", "Write a model as one ONNX graph, for programs that cannot call perpend");
  verb->footer(
      "  perpend export loans.safetensors --onnx loans.onnx     encoding, members and decision in one graph\n");
  add_model(*verb, arguments->model);
  verb->add_option("--onnx", arguments->onnx, "ONNX file to write (opset 17, ai.onnx.ml 3)")->type_name("FILE");
  add_force(*verb, arguments->force, "the file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { export_verb(*arguments); }; });
}

}  // namespace perpend::app
