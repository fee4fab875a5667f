#include "perpend/study/table_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "perpend/base/message.h"
#include "perpend/data/source.h"

namespace perpend {

namespace {

std::string upper_first(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// A rounded zero has no sign.
std::string rounded(double value, int digits) {
  const double unit = std::pow(10.0, -digits);
  return fmt::format("{:.{}f}", std::abs(value) < unit / 2 ? 0.0 : value, digits);
}

// One figure in pieces, which every format puts together in its own way. Empty: there is no figure.
struct Shown {
  std::string mean, sd;
  bool best = false;
  bool partial = false;  // undefined in some restarts
  std::string printed_mean, printed_sd;
  Difference difference = Difference::absent;
};

Shown shown(const TableEntry& entry, const TableFigure& figure) {
  const int digits = figure.metric == "auc" ? 3 : 2;
  return {.mean = figure.ours.mean ? rounded(*figure.ours.mean, digits) : "",
          .sd = figure.ours.sd ? rounded(*figure.ours.sd, digits) : "",
          .best = figure.best,
          .partial = figure.ours.count > 0 && figure.ours.count < entry.restarts,
          .printed_mean = std::string(figure.printed.mean_text),
          .printed_sd = std::string(figure.printed.sd_text),
          .difference = figure.difference};
}

const char* mark_of(Difference difference) {
  if (difference == Difference::differs) return " ≠";
  return difference == Difference::unknown ? " ?" : "";
}

std::string with_sd(const std::string& mean, const std::string& sd) { return sd.empty() ? mean : mean + " ± " + sd; }

bool any_partial(const StudyTable& table) {
  for (const auto& entry : table.entries) {
    for (const auto& figure : figures_of(table, entry)) {
      if (shown(entry, figure).partial) return true;
    }
  }
  return false;
}

std::string how_much_is_in(const StudyTable& table) {
  const bool all = table.in == table.trials;
  std::string text = "Trials in: " + (all ? "all " : thousands(table.in) + " of ") + thousands(table.trials);
  if (table.diverged > 0) text += fmt::format(", {} of them diverged", thousands(table.diverged));
  return text + (all ? "." : ". An entry averages the restarts whose grid is complete.");
}

// Boosting ends with a network that fits every training row, often the first. Then the network cannot be compared with
// others.
std::vector<std::string> lone_networks(const StudyTable& table) {
  std::vector<std::string> lines;
  for (const auto method : all_methods()) {
    std::size_t alone = 0, restarts = 0;
    for (const auto& entry : table.entries) {
      if (entry.ours.method != method) continue;
      alone += entry.ours.alone;
      restarts += entry.restarts;
    }
    if (alone == 0) continue;
    lines.push_back(
        fmt::format("{} kept one network in {} of {}: it fits every training row, so there is no diversity.",
                    upper_first(name_of(method)), thousands(alone), counted(restarts, "restart")));
  }
  return lines;
}

// What the marks mean. Each mark is written as in the format.
struct Marks {
  std::string best, partial, differs, unknown, plus_minus;
  std::string rule;  // by which figures differ; {0}: the publication's name, {1}: its restarts
};

void add_printed_notes(const StudyTable& table, const Marks& marks, std::vector<std::string>& lines) {
  const PrintedFigures& printed = *table.printed;
  const PrintedComparison counts = compare_with_printed(table);
  const bool other_data = std::ranges::any_of(
      table.entries, [](const TableEntry& e) { return e.printed != nullptr && !e.printed->same_data; });
  if (other_data) {
    lines.push_back(fmt::format("The {}'s figures are of {} ({} rows), which is not this data:", printed.name,
                                printed.other_data, thousands(printed.other_data_rows)));
    lines.emplace_back("they stand beside ours and are not compared.");
  } else if (counts.compared + counts.unknown == 0) {
    lines.push_back(fmt::format("Nothing here has a figure of the {} to compare with.", printed.name));
  }
  if (counts.compared > 0) {
    lines.push_back(fmt::format("{} differs from the {}'s: {} of {}, by the rule", marks.differs, printed.name,
                                thousands(counts.differ), counted(counts.compared, "compared figure")));
    lines.push_back(fmt::format(fmt::runtime(marks.rule), printed.name, printed.restarts) +
                    fmt::format(" of the {}'s last digit.", printed.name));
  }
  if (counts.unknown > 0) {
    lines.push_back(fmt::format("{} of one restart, whose error is not known: not compared ({}).", marks.unknown,
                                counted(counts.unknown, "figure")));
  }
}

std::vector<std::string> notes(const StudyTable& table, const Marks& marks) {
  std::vector<std::string> lines = {how_much_is_in(table)};
  lines.push_back(
      fmt::format("Test rows: mean {} sd over restarts; members and lambda of each chosen by its validation AUC.",
                  marks.plus_minus));
  lines.push_back(
      fmt::format("{} mean {} standard error overlaps that of the best AUC.", marks.best, marks.plus_minus));
  if (any_partial(table))
    lines.push_back(fmt::format("{} undefined in some restarts, mean of the others.", marks.partial));
  for (const auto& line : lone_networks(table)) lines.push_back(line);
  if (table.printed != nullptr) add_printed_notes(table, marks, lines);
  return lines;
}

// Whether this entry begins another data set or split than the one before.
bool begins_split(const StudyTable& table, std::size_t i) {
  return i == 0 || table.entries[i].split != table.entries[i - 1].split;
}
bool begins_dataset(const StudyTable& table, std::size_t i) {
  return begins_split(table, i) || table.entries[i].dataset != table.entries[i - 1].dataset;
}
bool ends_split(const StudyTable& table, std::size_t i) {
  return i + 1 == table.entries.size() || begins_split(table, i + 1);
}

std::string restarts_of(const StudyTable& table, const TableEntry& entry) {
  return fmt::format("{}/{}", entry.restarts, table.restarts);
}

// ---- text

// The AUC leaves room for a star, and the others for a sign.
std::string text_ours(const Shown& figure, bool starred) {
  std::string text = with_sd(figure.mean, figure.sd);
  if (text.empty()) text = "-";
  if (figure.partial) text += "°";
  if (starred) return (figure.best ? "* " : "  ") + text;
  return figure.mean.starts_with('-') ? text : " " + text;
}

std::string text_printed(const Shown& figure) {
  if (figure.printed_mean.empty()) return "-";
  return with_sd(figure.printed_mean, figure.printed_sd) + mark_of(figure.difference);
}

// Cells of one line: our figures and the printed ones of three metrics, then the restarts.
struct TextRow {
  std::string first;
  std::array<std::string, 3> ours, printed;
  std::string restarts;
};

std::string text_line(const TextRow& row, bool beside) {
  std::string line =
      beside ? fmt::format("{:<11} {:<16} {:<11} {:<13} {:<9} {:<13} {:<9} {:>8}", row.first, row.ours[0],
                           row.printed[0], row.ours[1], row.printed[1], row.ours[2], row.printed[2], row.restarts)
             : fmt::format("{:<11} {:<18} {:<19} {:<17} {:>8}", row.first, row.ours[0], row.ours[1], row.ours[2],
                           row.restarts);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string text_header(SplitKind split, const PrintedFigures* printed) {
  std::string text = name_of(split) + " split\n";
  if (printed == nullptr)
    return text + text_line({"", {"  AUC", " error correlation", " gradients' cos²"}, {}, "done"}, false);
  text += fmt::format("{:<11} {:<28} {:<23} {}\n", "", "  AUC", " error correlation", " gradients' cos²");
  return text +
         text_line({"", {"  ours", " ours", " ours"}, {printed->name, printed->name, printed->name}, "done"}, true);
}

std::string to_text(const StudyTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    const TableEntry& entry = table.entries[i];
    if (begins_split(table, i)) text += (i > 0 ? "\n" : "") + text_header(entry.split, table.printed);
    if (begins_dataset(table, i)) text += printable(table.datasets[entry.dataset]) + "\n";
    TextRow row{"  " + name_of(entry.ours.method), {}, {}, restarts_of(table, entry)};
    const auto figures = figures_of(table, entry);
    for (std::size_t f = 0; f < figures.size(); ++f) {
      const Shown figure = shown(entry, figures[f]);
      row.ours[f] = text_ours(figure, f == 0);
      row.printed[f] = text_printed(figure);
    }
    text += text_line(row, table.printed != nullptr);
  }
  text += "\n";
  const Marks marks = {"*", "°", "≠", "?", "±", "|ours - {0}| > 2 √(se² + sd²/{1}) + half a unit"};
  for (const auto& line : notes(table, marks)) text += line + "\n";
  return text;
}

// ---- Markdown

std::string markdown_ours(const Shown& figure) {
  if (figure.mean.empty()) return "-";
  return with_sd(figure.best ? "**" + figure.mean + "**" : figure.mean, figure.sd) + (figure.partial ? "°" : "");
}

std::string to_markdown(const StudyTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    const TableEntry& entry = table.entries[i];
    if (begins_split(table, i)) {
      text += fmt::format("{}### {} split\n\n", i > 0 ? "\n" : "", upper_first(name_of(entry.split)));
      const std::string beside = table.printed == nullptr ? "" : fmt::format(" {} |", table.printed->name);
      const char* rule = table.printed == nullptr ? "" : "---|---|---|";
      text += fmt::format(
          "| data set | method | AUC |{0} error correlation |{0} gradients' cos² |{0} restarts "
          "|\n|---|---|---|---|---|{1}"
          "---|\n",
          beside, rule);
    }
    text += fmt::format("| {} | {} |", markdown_escaped(table.datasets[entry.dataset]), name_of(entry.ours.method));
    for (const auto& one : figures_of(table, entry)) {
      const Shown figure = shown(entry, one);
      text += " " + markdown_ours(figure) + " |";
      if (table.printed != nullptr) text += " " + text_printed(figure) + " |";
    }
    text += " " + restarts_of(table, entry) + " |\n";
  }
  const Marks marks = {"Bold:", "°", "≠", "?", "±", "\\|ours - {0}\\| > 2 √(se² + sd²/{1}) + half a unit"};
  text += "\n";
  for (const auto& line : notes(table, marks)) text += line + "\n";
  return text;
}

// ---- LaTeX

std::string latex_escaped(std::string_view name) {
  std::string text;
  for (const char c : printable(name)) {
    if (c == '\\') {
      text += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      text += fmt::format("\\{}{{}}", c);
    } else {
      if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) text += '\\';
      text += c;
    }
  }
  return text;
}

std::string latex_figure(const std::string& mean, const std::string& sd, const std::string& after) {
  if (mean.empty()) return "---";
  return fmt::format("${}{}{}$", mean, sd.empty() ? "" : " \\pm " + sd, after);
}

std::string latex_row(const StudyTable& table, std::size_t i) {
  const TableEntry& entry = table.entries[i];
  std::string text =
      fmt::format("{} & {}", begins_dataset(table, i) ? latex_escaped(table.datasets[entry.dataset]) : "",
                  method_info(entry.ours.method).short_name);
  for (const auto& one : figures_of(table, entry)) {
    const Shown figure = shown(entry, one);
    const std::string mean = figure.best ? "\\mathbf{" + figure.mean + "}" : figure.mean;
    text += " & " + latex_figure(figure.mean.empty() ? "" : mean, figure.sd, figure.partial ? "^{\\circ}" : "");
    const bool differs = figure.difference == Difference::differs;
    const char* mark = differs ? "\\ \\neq" : figure.difference == Difference::unknown ? "\\ ?" : "";
    if (table.printed != nullptr) text += " & " + latex_figure(figure.printed_mean, figure.printed_sd, mark);
  }
  return text + fmt::format(" & {} \\\\\n", restarts_of(table, entry));
}

std::string latex_begin(const StudyTable& table, SplitKind split) {
  const Marks marks = {
      "Bold:",
      "$^{\\circ}$",
      "$\\neq$",
      "?",
      "$\\pm$",
      "$|\\mathrm{{ours}} - \\mathrm{{{0}}}| > 2 \\sqrt{{\\mathrm{{se}}^2 + \\mathrm{{sd}}^2 / {1}}}$ plus half a "
      "unit"};
  std::string text =
      fmt::format("\\begin{{table}}\n\\centering\n\\small\n\\caption{{{} split.", upper_first(name_of(split)));
  for (const auto& line : notes(table, marks)) text += "\n  " + line;
  text += fmt::format("}}\n\\begin{{tabular}}{{@{{}}ll{}r@{{}}}}\n\\toprule\n",
                      table.printed != nullptr ? "llllll" : "lll");
  text += "Data set & Method";
  for (const char* metric : {"AUC", "$\\rho_{av}$", "$\\nabla_{\\cos^2}$"}) {
    text += fmt::format(" & {}{}", metric, table.printed != nullptr ? " & " + table.printed->name : "");
  }
  return text + " & Restarts \\\\\n\\midrule\n";
}

std::string to_latex(const StudyTable& table) {
  std::string text = "% Needs \\usepackage{booktabs}.\n";
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    if (begins_split(table, i)) {
      text += latex_begin(table, table.entries[i].split);
    } else if (begins_dataset(table, i)) {
      text += "\\addlinespace\n";
    }
    text += latex_row(table, i);
    if (ends_split(table, i)) text += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
  }
  return text;
}

// ---- CSV

std::string csv_number(const Metric& metric) { return metric ? fmt::format("{}", *metric) : ""; }

std::string to_csv(const StudyTable& table) {
  const PrintedFigures* printed = table.printed;
  std::string text = "split,dataset,method,metric,mean,sd,standard_error,restarts,best";
  text += printed == nullptr ? "\n" : fmt::format(",{0}_mean,{0}_sd\n", printed->name);
  for (const auto& entry : table.entries) {
    for (const auto& figure : figures_of(table, entry)) {
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}", name_of(entry.split),
                     csv_cell(table.datasets[entry.dataset]), name_of(entry.ours.method), figure.metric,
                     csv_number(figure.ours.mean), csv_number(figure.ours.sd), csv_number(figure.ours.standard_error),
                     figure.ours.count, figure.best ? 1 : 0);
      if (printed != nullptr) text += "," + csv_number(figure.printed.mean()) + "," + csv_number(figure.printed.sd());
      text += "\n";
    }
  }
  return text;
}

}  // namespace

std::string markdown_escaped(std::string_view name) {
  std::string text;
  for (const char c : printable(name)) {
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

std::string format_table(const StudyTable& table, TableFormat format) {
  switch (format) {
    case TableFormat::markdown:
      return to_markdown(table);
    case TableFormat::latex:
      return to_latex(table);
    case TableFormat::csv:
      return to_csv(table);
    case TableFormat::text:
      break;
  }
  return to_text(table);
}

}  // namespace perpend
