#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/study_folder_view.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/report.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/report/study_page.h"
#include "perpend/run/option_table.h"

namespace perpend::app {

namespace {

struct ReportArguments {
  std::string model, data, newer, output, data_dir;
  std::vector<std::string> features;  // as typed
  std::vector<double> epsilons = DistanceOptions().epsilons;
  ReportOptions options;
  const PrintedFigures* printed = nullptr;  // for a study: figures shown beside ours
  bool distance = false;                    // --epsilon or --norm was typed
  bool force = false;
};

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string page_of_model(const ReportArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const std::string folder = data_folder(arguments.data_dir).string();
  std::optional<Table> data, newer;
  if (!arguments.data.empty()) data = read_source(arguments.data, folder);
  if (!arguments.newer.empty()) newer = read_source(arguments.newer, folder);
  const ViewSources sources{data ? &*data : nullptr, newer ? &*newer : nullptr,
                            newer ? "new: " + printable(file_name(arguments.newer)) : ""};
  ReportOptions options = arguments.options;
  for (const auto& word : arguments.features) {
    for (auto& name : parse_names("features", word)) options.features.push_back(std::move(name));
  }
  if (arguments.distance) options.epsilons = arguments.epsilons;
  options.version = PERPEND_VERSION;
  options.model_path = arguments.model;
  options.newer_path = arguments.newer;
  std::vector<std::string> warnings;
  std::string html = report(model, file_name(arguments.model), sources, options, &warnings);
  for (const auto& warning : warnings) warn(warning);
  return html;
}

std::string page_of_study(const ReportArguments& arguments) {
  if (!arguments.data.empty() || !arguments.newer.empty() || !arguments.features.empty() || arguments.distance) {
    throw UsageError(
        fmt::format("{} is a folder, and the report of a study takes no table, no --new, no --features, no --epsilon "
                    "and no --norm; leave them out",
                    quote(arguments.model)));
  }
  return page_html(study_page(view_study_folder(arguments.model, arguments.printed), PERPEND_VERSION));
}

void report_verb(const ReportArguments& arguments) {
  if (arguments.output.empty()) throw UsageError("no page is given; add -o FILE.html");
  if (!arguments.features.empty() && arguments.data.empty() && arguments.newer.empty()) {
    throw UsageError("--features needs rows: perpend report MODEL DATA --features COLS");
  }
  check_writable(arguments.output, arguments.force);
  const bool is_study = std::filesystem::is_directory(arguments.model);
  const std::string html = is_study ? page_of_study(arguments) : page_of_model(arguments);
  write_file_durably(arguments.output, html, arguments.force);
  print("Report: {} ({:.0f} kB); open it in any browser, no network needed\n", printable(arguments.output),
        static_cast<double>(html.size()) / 1000);
}

}  // namespace

void add_report(CLI::App& program, Action& chosen, const PrintedFigures& printed) {
  auto arguments = std::make_shared<ReportArguments>();
  arguments->printed = &printed;
  auto* verb = program.add_subcommand("report", "Write one offline page that shows a model or a study");
  verb->footer(
      "  perpend report loans.safetensors loans.csv -o loans.html               the table it was trained on\n"
      "  perpend report loans.safetensors loans.csv --new 2027.csv -o loans.html   ... and rows from elsewhere\n"
      "  perpend report loans.safetensors -o loans.html                         what the model file alone knows\n"
      "  perpend report icu.safetensors icu.csv --features age,bun -o icu.html  what each member makes of these "
      "columns\n"
      "  perpend report loans.safetensors loans.csv --epsilon 0.1,1,10 --norm linf -o loans.html\n"
      "  perpend report runs/table1 -o table1.html                              a study, finished or not\n");
  verb->add_option("model", arguments->model, "Model file, or folder of a sweep")->required();
  add_data(*verb, arguments->data, "The table it was trained on");
  verb->add_option("-o,--output", arguments->output, "HTML page to write")->type_name("FILE");
  verb->add_option("--new", arguments->newer, "Rows from elsewhere, with or without target")->type_name("DATA");
  verb->add_option("--features", arguments->features,
                   "Columns whose input gradients are drawn, however small their share [for ICU tables, those of the "
                   "paper's figure]; a name with a comma stands in double quotes")
      ->type_name("COLS");
  auto* epsilon =
      verb->add_option(
              "--epsilon", arguments->epsilons,
              "Distances at which independence is measured, in standard deviations of a number [0.03,0.1,0.3,1,3]")
          ->delimiter(',')
          ->check(between(1e-6, 1e6))
          ->option_text("E[,E]");
  auto* norm = verb->add_option("--norm", arguments->options.norm, "Norm of the distances [l2]")
                   ->check(CLI::IsMember({"l2", "linf"}))
                   ->option_text("l2|linf");
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->options.threads);
  add_force(*verb, arguments->force, "the page");
  verb->callback([arguments, epsilon, norm, &chosen] {
    arguments->distance = epsilon->count() + norm->count() > 0;
    chosen = [arguments] { report_verb(*arguments); };
  });
}

}  // namespace perpend::app
