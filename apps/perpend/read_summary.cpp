#include "apps/perpend/read_summary.h"

#include <fmt/format.h>

#include "perpend/base/message.h"
#include "perpend/data/public.h"

namespace perpend::app {

namespace {

std::string classes_line(const Prepared& data, const Table& table) {
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

void say_what_was_read(const Table& table, const Prepared& data, const RunOptions& options, std::FILE* to) {
  std::size_t numbers = 0;
  for (const auto& column : data.schema.columns) numbers += column.kind == ColumnKind::numeric ? 1 : 0;
  const std::size_t categories = data.schema.columns.size() - numbers;
  fmt::print(to, "{:<16} {}, {}: {}, {} ({}), target {} ({})\n", printable(table.source), counted(table.rows, "row"),
             counted(table.columns.size(), "column"), counted(numbers, "number"),
             categories == 1 ? "1 category" : thousands(categories) + " categories",
             counted(data.schema.features.size(), "encoded column"), printable(data.schema.target),
             classes_line(data, table));
  for (const auto& warning : data.fit.warnings) fmt::print(to, "{:<16} warning: {}\n", "", warning);
  for (const auto& warning : data.encoded.warnings()) fmt::print(to, "{:<16} warning: {}\n", "", warning);
  if (data.train.rows() < static_cast<std::size_t>(options.train.batch_size)) {
    fmt::print(to, "{:<16} warning: {} to train on, fewer than a batch of {}\n", "", counted(data.train.rows(), "row"),
               options.train.batch_size);
  }
  if (static_cast<std::size_t>(options.train.members) > data.schema.features.size()) {
    fmt::print(to, "{:<16} warning: {} for {}: at most as many gradients as columns can be orthogonal\n", "",
               counted(static_cast<std::size_t>(options.train.members), "member"),
               counted(data.schema.features.size(), "encoded column"));
  }
}

void say_published_encoding(const std::string& set, std::FILE* to) {
  const PublicSet& known = *find_public_set(set);
  fmt::print(to, "{:<16} encoded as the paper's arrays: statistics of {}, test rows among them\n", "",
             known.statistics_rows < known.rows ? fmt::format("the first {}", counted(known.statistics_rows, "row"))
                                                : fmt::format("all {}", counted(known.rows, "row")));
}

void say_split(const std::string& name, const Prepared& data, std::uint64_t seed, std::FILE* to) {
  const std::string unlabeled =
      data.unlabeled.rows() > 0 ? fmt::format("  without labels {}", thousands(data.unlabeled.rows())) : "";
  fmt::print(to, "{:<16} train {}  validation {}  test {}{}   seed {}\n", name, thousands(data.train.rows()),
             thousands(data.validation.rows()), thousands(data.test.rows()), unlabeled, seed);
}

void say_manifold(const Prepared& data, const RunOptions& options, std::FILE* to) {
  if (data.manifold.summary.empty()) return;
  fmt::print(to, "{:<16} {}\n", "manifold " + printable(options.manifold.substr(0, 40)), data.manifold.summary);
  if (options.train.method != Method::lit) {
    fmt::print(to, "{:<16} only lit trains along it; here it is measured\n", "");
  }
}

}  // namespace perpend::app
