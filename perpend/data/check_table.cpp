#include "perpend/data/check_table.h"

#include <fmt/format.h>

#include <unordered_map>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

std::string name_of(const Table& table) { return table.source.empty() ? "the table" : printable(table.source); }

void check_length(const Table& table, const Column& column, std::size_t length, const char* what) {
  if (length == table.rows) return;
  throw DataError(fmt::format("{} has {}, but column {} has {}; give each column one per row", name_of(table),
                              counted(table.rows, "row"), quote(column.name), counted(length, what)));
}

}  // namespace

void check_table(const Table& table) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    if (column.view.first == nullptr) check_length(table, column, column.numbers.size(), "number");
    if (!column.marks.empty()) check_length(table, column, column.marks.size(), "mark");
    const auto [first, is_new] = places.emplace(column.name, c);
    if (is_new) continue;
    throw DataError(fmt::format("{}: columns {} and {} are both called {}", name_of(table), first->second + 1, c + 1,
                                quote(column.name)));
  }
}

}  // namespace perpend
