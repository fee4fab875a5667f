#include "apps/perpend/read_summary.h"

#include <fmt/format.h>

#include "apps/perpend/flag_spelling.h"
#include "perpend/base/message.h"
#include "perpend/data/public.h"
#include "perpend/run/supported.h"

namespace perpend::app {

namespace {

std::string classes_line(const Prepared& data, const Table& table) {
  if (data.schema.quantity) {
    return fmt::format("a number, mean {:.4g}, standard deviation {:.4g}", data.schema.quantity->mean,
                       data.schema.quantity->sd);
  }
  std::vector<std::size_t> counts(data.schema.classes.size(), 0);
  for (const auto* part : {&data.train, &data.validation, &data.test}) {
    for (const auto label : part->labels) ++counts[static_cast<std::size_t>(label)];
  }
  std::string text;
  for (std::size_t k = counts.size(); k-- > 0 && counts.size() - k <= 3;) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", printable(data.schema.classes[k]),
                        100.0 * static_cast<double>(counts[k]) / static_cast<double>(table.rows));
  }
  return text;
}

}  // namespace

std::string what_was_read(const Table& table, const Prepared& data, const std::vector<std::string>& remarks) {
  std::size_t numbers = 0;
  for (const auto& column : data.schema.columns) numbers += column.kind == ColumnKind::numeric ? 1 : 0;
  const std::size_t categories = data.schema.columns.size() - numbers;
  std::string text = fmt::format(
      "{:<16} {}, {}: {}, {} ({}), target {} ({})\n", printable(table.source), counted(table.rows, "row"),
      counted(table.columns.size(), "column"), counted(numbers, "number"),
      categories == 1 ? "1 category" : thousands(categories) + " categories",
      counted(data.schema.features.size(), "encoded column"), printable(data.schema.target), classes_line(data, table));
  const auto warn_of = [&](const std::string& what) {
    text += fmt::format("{:<16} warning: {}\n", "", spelled(what, flag_spelling));
  };
  for (const auto& warning : data.fit.warnings) warn_of(warning);
  for (const auto& warning : data.encoded.warnings()) warn_of(warning);
  for (const auto& remark : remarks) warn_of(remark);
  return text;
}

std::string published_encoding(const std::string& set) {
  const PublicSet& known = *find_public_set(set);
  return fmt::format("{:<16} encoded like the paper's arrays: with the statistics of {}, including test rows\n", "",
                     known.statistics_rows < known.rows
                         ? fmt::format("the first {}", counted(known.statistics_rows, "row"))
                         : fmt::format("all {}", counted(known.rows, "row")));
}

std::string split_line(const std::string& name, const Prepared& data, std::uint64_t seed) {
  const std::string unlabeled =
      data.unlabeled.rows() > 0 ? fmt::format("  without labels {}", thousands(data.unlabeled.rows())) : "";
  const std::string left_out = left_out_line(data.left_out);
  return fmt::format("{:<16} train {}  validation {}  test {}{}   seed {}\n", name, thousands(data.train.rows()),
                     thousands(data.validation.rows()), thousands(data.test.rows()), unlabeled, seed) +
         (left_out.empty() ? "" : fmt::format("{:<16} {}\n", "", left_out));
}

std::string manifold_lines(const Prepared& data, const RunOptions& options) {
  if (data.manifold.summary.empty()) return "";
  std::string text = fmt::format("{:<16} {}\n", "manifold " + printable(options.manifold.substr(0, 40)),
                                 printable(data.manifold.summary));
  if (!trains_along_manifold(options.train)) {
    text += fmt::format("{:<16} only {} trains along it; here it is only measured\n", "", methods_taking("manifold"));
  }
  return text;
}

}  // namespace perpend::app
