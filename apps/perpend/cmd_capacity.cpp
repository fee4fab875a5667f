#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/results.h"
#include "apps/perpend/run_flags.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/capacity.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"

namespace perpend::app {

namespace {

struct CapacityArguments {
  std::string data, data_dir, report;
  CapacityOptions options;
  bool no_ridge = false;
  bool json = false;
  bool force = false;
};

class CapacityProgress final : public CapacityCallback {
 public:
  void on_progress(int members, std::size_t done, std::size_t trainings) override {
    line_.show(
        fmt::format("{}  {}/{} trainings", counted(static_cast<std::size_t>(members), "network"), done, trainings));
  }
  bool stop_requested() override { return interrupted(); }
  void end() { line_.clear(); }

 private:
  InterruptsWait wait_;
  ProgressLine line_;
};

void capacity_verb(const CapacityArguments& arguments, const RunFlags& flags) {
  CapacityOptions options = arguments.options;
  options.run = flags.options();
  options.settings.ridge = !arguments.no_ridge;
  if (options.run.schema.target.empty()) options.run.schema.target = target_of(arguments.data);
  if (options.run.schema.target.empty()) throw UsageError("no target is given; add --target COLUMN");
  if (!arguments.report.empty()) check_writable(arguments.report, arguments.force);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  CapacityProgress progress;
  const MeasuredCapacity found = capacity(table, options, &progress);
  progress.end();
  if (found.stopped) throw Interrupted{"; nothing is counted"};
  for (const auto& warning : found.warnings) warn(warning);
  // Before the page, which the disk may refuse after hours of training.
  if (arguments.json) {
    Json json = {{"data", arguments.data}};
    json.update(Json::parse(to_json(found)));
    write_json(json);
  } else {
    print("{}", to_text(found));
  }
  if (arguments.report.empty()) return;
  const std::string name = printable(std::filesystem::path(arguments.data).filename().string());
  write_file_durably(arguments.report, capacity_page_html(found, name, PERPEND_VERSION), arguments.force);
  if (!arguments.json) print("Report: {}\n", printable(arguments.report));
}

// Of the options of a run, a count uses only those of columns, the group, the seed and the threads.
std::vector<std::string> not_of_capacity() {
  const std::vector<std::string> taken = {"group", "seed", "threads"};
  const std::vector<std::string> refused = {"increasing", "decreasing"};
  std::vector<std::string> names;
  for (const auto& option : option_table()) {
    const bool takes = std::string(option.group) == "Columns" ? std::ranges::find(refused, option.name) == refused.end()
                                                              : std::ranges::find(taken, option.name) != taken.end();
    if (!takes) names.push_back(option.name);
  }
  return names;
}

}  // namespace

void add_capacity(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<CapacityArguments>();
  auto* verb = program.add_subcommand("capacity", "Count the locally independent models that the data hold");
  verb->footer(
      "  perpend capacity loans.csv --target default\n"
      "  perpend capacity loans.csv --target default -o capacity.html   the curves as an offline page\n"
      "  perpend capacity builtin:planted-3 --target target             a set that holds three\n"
      "  perpend capacity builtin:blocks --target target --manifold none   near-duplicates count as explanations\n"
      "\n"
      "perpend trains 1, 2, 3, ... networks together, with a strong penalty that keeps them independent. The capacity "
      "is\n"
      "the number of networks that can do so and still be almost as good on held-out rows as one network alone.\n"
      "The documentation explains it on the page \"How many models the data hold\".\n");
  CapacitySettings& settings = arguments->options.settings;
  add_data(*verb, arguments->data, "Table with labels")->required();
  verb->add_option("--most", settings.most, "Largest number of networks to train together [8]")
      ->type_name("N")
      ->check(whole_between(2, kMostCapacity));
  verb->add_option("--restarts", settings.restarts,
                   "Number of times to count, each time with other held-out rows and other initial weights [5]")
      ->type_name("N")
      ->check(whole_between(1, 1000));
  verb->add_option("--lambda", settings.lambda, "Strength of the penalty [5]")
      ->type_name("X")
      ->check(between(1e-6, 1e6));
  verb->add_option(
          "--keep-share", settings.keep,
          "A network is good if it keeps this share of the lead that one network alone has over a guess [0.95]")
      ->type_name("X")
      ->check(between(0.01, 1));
  verb->add_option("--most-cos2", settings.bound,
                   "Two networks are independent if their mean cos^2 is at most X [0.05]")
      ->type_name("X")
      ->check(between(1e-6, 0.99));
  verb->add_option("--manifold", arguments->options.manifold,
                   "Directions along which input gradients are compared: auto, none, pca:K or a FILE with one basis "
                   "for all rows [auto]")
      ->type_name("SPEC");
  verb->add_flag("--no-ridge", arguments->no_ridge,
                 "Do not search the best lambda for each number of networks; that saves five of six trainings");
  verb->add_option("-o,--report", arguments->report, "Offline page (HTML) to write the curves to")
      ->type_name("FILE")
      ->check(not_empty());
  add_data_dir(*verb, arguments->data_dir);
  add_json(*verb, arguments->json);
  add_force(*verb, arguments->force, "the page");
  const RunFlags flags(*verb, not_of_capacity());
  verb->callback([arguments, flags, &chosen] { chosen = [arguments, flags] { capacity_verb(*arguments, flags); }; });
}

}  // namespace perpend::app
