#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/study_folder_view.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/report/model_page.h"
#include "perpend/report/study_page.h"
#include "perpend/run/view_model.h"
#include "perpend/store/trained_model.h"

namespace perpend::app {

namespace {

struct ReportArguments {
  std::string model, data, newer, output, data_dir;
  int threads = 0;
  bool force = false;
};

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

Page page_of_model(const ReportArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const std::string folder = data_folder(arguments.data_dir).string();
  std::optional<Table> data, newer;
  if (!arguments.data.empty()) data = read_source(arguments.data, folder);
  if (!arguments.newer.empty()) newer = read_source(arguments.newer, folder);
  const ViewSources sources{data ? &*data : nullptr, newer ? &*newer : nullptr,
                            newer ? "new: " + printable(file_name(arguments.newer)) : ""};
  const ModelView view = view_model(model, file_name(arguments.model), sources, arguments.threads);
  return model_page(view, method_title(view.method, view.lambda), PERPEND_VERSION);
}

Page page_of_study(const ReportArguments& arguments) {
  if (!arguments.data.empty() || !arguments.newer.empty()) {
    throw UsageError(
        fmt::format("{} is a folder: a study's report takes no table and no --new", quote(arguments.model)));
  }
  return study_page(view_study_folder(arguments.model), PERPEND_VERSION);
}

void report_verb(const ReportArguments& arguments) {
  if (arguments.output.empty()) throw UsageError("no page given; add -o FILE.html");
  // Tells now what would fail after the work.
  const DurableFile attempt(arguments.output, arguments.force);
  const bool is_study = std::filesystem::is_directory(arguments.model);
  const std::string html = page_html(is_study ? page_of_study(arguments) : page_of_model(arguments));
  write_file_durably(arguments.output, html, arguments.force);
  fmt::print("Report: {} ({:.0f} kB); open it in any browser, no network needed\n", printable(arguments.output),
             static_cast<double>(html.size()) / 1000);
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<ReportArguments>();
  auto* verb = program.add_subcommand("report", "Write one offline page that shows a model or a study");
  verb->footer(
      "  perpend report loans.safetensors loans.csv -o loans.html               the table it was trained on\n"
      "  perpend report loans.safetensors loans.csv --new 2027.csv -o loans.html   ... and rows from elsewhere\n"
      "  perpend report loans.safetensors -o loans.html                         what the model file alone knows\n"
      "  perpend report runs/table1 -o table1.html                              a study, finished or not\n");
  verb->add_option("model", arguments->model, "Model file, or folder of a sweep")->required();
  verb->add_option("data", arguments->data, "The table it was trained on: CSV, ARFF, npy, builtin:NAME, - for stdin");
  verb->add_option("-o,--output", arguments->output, "Page to write")->type_name("FILE");
  verb->add_option("--new", arguments->newer, "Rows from elsewhere, with or without target")->type_name("DATA");
  verb->add_option("--data-dir", arguments->data_dir, "Folder of the public sets")->type_name("DIR");
  verb->add_option("--threads", arguments->threads, "0: all (0)")->check(CLI::Range(0, 1024));
  verb->add_flag("--force", arguments->force, "Overwrite the page");
  verb->callback([arguments, &chosen] { chosen = [arguments] { report_verb(*arguments); }; });
}

}  // namespace perpend::app
