#include "apps/perpend/data_icu.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/perpend/clock.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/source.h"
#include "perpend/icu/challenge.h"
#include "perpend/icu/mimic.h"
#include "perpend/icu/rules.h"

namespace perpend::app {

namespace {

using Json = nlohmann::ordered_json;

bool to_stdout(const IcuArguments& arguments) { return arguments.output.empty() || arguments.output == "-"; }

// If the table goes to stdout, it is the result, and the counts are a message.
void say_or_print(const IcuArguments& arguments, const std::string& text) {
  to_stdout(arguments) ? write_message(text) : write_text(text);
}

std::string percent(std::size_t part, std::size_t whole) {
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Json to_json(const IcuReport& report) {
  Json cohort = Json::array();
  for (const auto& step : report.cohort) {
    cohort.push_back({{"rule", step.rule},
                      {"patients", step.patients},
                      {"admissions", step.admissions},
                      {"stays", step.stays},
                      {"hours", step.hours}});
  }
  Json events = Json::array();
  for (const auto& e : report.events) {
    events.push_back({{"table", e.table},
                      {"bytes", e.bytes},
                      {"read", e.read},
                      {"other_items", e.other_items},
                      {"no_cohort", e.no_cohort},
                      {"error", e.error},
                      {"no_value", e.no_value},
                      {"out_of_range", e.out_of_range},
                      {"used", e.used},
                      {"moved", e.moved}});
  }
  return {{"cohort", cohort},
          {"events", events},
          {"rows", report.rows},
          {"columns", report.columns},
          {"patients", report.patients},
          {"deaths", report.deaths}};
}

std::string text_of(const IcuReport& report, const std::string& output) {
  std::string text =
      fmt::format("{:<40} {:>10} {:>11} {:>10} {:>11}\n", "cohort", "patients", "admissions", "stays", "hours");
  for (const auto& step : report.cohort) {
    text += fmt::format("{:<40} {:>10} {:>11} {:>10} {:>11}\n", step.rule, thousands(step.patients),
                        thousands(step.admissions), thousands(step.stays), thousands(step.hours));
  }
  text += fmt::format("\n{:<13} {:>12} {:>12} {:>12} {:>8} {:>9} {:>13} {:>12} {:>8}\n", "events", "rows read",
                      "other items", "no cohort", "errors", "no value", "out of range", "used", "moved");
  for (const auto& e : report.events) {
    text += fmt::format("{:<13} {:>12} {:>12} {:>12} {:>8} {:>9} {:>13} {:>12} {:>8}\n", e.table, thousands(e.read),
                        thousands(e.other_items), thousands(e.no_cohort), thousands(e.error), thousands(e.no_value),
                        thousands(e.out_of_range), thousands(e.used), thousands(e.moved));
  }
  text +=
      fmt::format("\n{}: {} (hours begun) of {}, {}; {} died in hospital ({})\n", printable(output),
                  counted(report.rows, "row"), counted(report.patients, "patient"), counted(report.columns, "column"),
                  thousands(report.deaths), percent(report.deaths, report.patients));
  return text;
}

void say_next(const IcuArguments& arguments, const std::string& group) {
  if (to_stdout(arguments)) return;
  say("Next: perpend train {} --target {}{} --missing mean -o icu.safetensors\n", shell_word(arguments.output),
      kIcuTarget, group);
}

class IcuProgressLine {
 public:
  void operator()(const IcuProgress& progress) {
    if (progress.rows > 0 && seconds_since(shown_) < 0.1) return;
    if (progress.rows == 0) start_ = Clock::now();
    shown_ = Clock::now();
    const double bytes = static_cast<double>(progress.bytes);
    const std::string share =
        progress.total ? fmt::format("{:3.0f} %  ", 100 * bytes / static_cast<double>(*progress.total)) : "";
    line_.show(fmt::format("{:<13} {}{} rows  {:.0f} MB/s", progress.table, share, thousands(progress.rows),
                           bytes / 1e6 / std::max(seconds_since(start_), 1e-3)));
  }

 private:
  ProgressLine line_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = Clock::now();
};

void make_from_mimic(const std::string& folder, const IcuArguments& arguments) {
  IcuOptions options;
  std::optional<DurableFile> file;
  if (!to_stdout(arguments)) {
    file.emplace(arguments.output, arguments.force);
    const auto parent = std::filesystem::path(arguments.output).parent_path();
    options.scratch = parent.empty() ? "." : parent;
  } else {
    options.scratch = std::filesystem::temp_directory_path();
  }
  IcuReport report;
  {
    IcuProgressLine line;
    options.progress = std::ref(line);
    report = make_mimic_table(
        folder, [&](std::string_view text) { file ? file->write(text) : write_data(text); }, options);
  }
  if (file) file->commit();
  if (arguments.json) {
    write_json(to_json(report));
  } else {
    say_or_print(arguments, text_of(report, to_stdout(arguments) ? "stdout" : arguments.output));
    say_next(arguments, " --group " + std::string(kIcuGroup));
  }
}

void make_from_challenge(const std::string& path, const IcuArguments& arguments) {
  ChallengeReport report;
  const std::string text = csv_text(make_challenge_table(read_csv(path), &report));
  if (to_stdout(arguments)) {
    write_data(text);
  } else {
    write_file_durably(arguments.output, text, arguments.force);
  }
  if (arguments.json) {
    const Json json = {{"rows", report.rows},     {"columns", report.columns},           {"deaths", report.deaths},
                       {"values", report.values}, {"out_of_range", report.out_of_range}, {"moved", report.moved}};
    write_json(json);
    return;
  }
  say_or_print(
      arguments,
      fmt::format(
          "{}: {}, {}; {} died in hospital ({})\n{} of {} measurements are out of range and now empty, {} moved to "
          "a limit\n",
          to_stdout(arguments) ? "stdout" : printable(arguments.output), counted(report.rows, "stay"),
          counted(report.columns, "column"), thousands(report.deaths), percent(report.deaths, report.rows),
          thousands(report.out_of_range), thousands(report.values), thousands(report.moved)));
  say_next(arguments, "");
}

}  // namespace

void make_icu(const IcuArguments& arguments) {
  if (arguments.print_rules) return write_data(icu_rules_csv());
  if (arguments.json && to_stdout(arguments)) {
    throw UsageError("the table and --json cannot both go to stdout; name a file for the table with -o");
  }
  const std::string source = arguments.from.empty() ? "" : arguments.from[0];
  if (source == "mimic") return make_from_mimic(arguments.from[1], arguments);
  if (source == "physionet2012") return make_from_challenge(arguments.from[1], arguments);
  throw UsageError((source.empty() ? "data make icu needs your files" : "there is no source " + quote(source)) +
                   "; give --from mimic FOLDER or --from physionet2012 FILE.csv");
}

}  // namespace perpend::app
