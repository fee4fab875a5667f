#include "perpend/data/need_column.h"

#include <fmt/format.h>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

std::string hint(std::string_view name, const std::vector<std::string>& names, std::string_view advice) {
  const std::string near = nearest_name(name, names);
  if (!near.empty()) return "; did you mean " + quote(near) + "?";
  if (names.size() == 1) {
    return "; its only column is " + quote(names[0]) + ", are cells separated by commas, semicolons, tabs or |?";
  }
  return std::string(advice);
}

}  // namespace

void no_such_column(const Table& table, std::string_view name, std::string_view use, std::string_view advice) {
  throw DataError(fmt::format("{} has no column {}{}{}", printable(table.source), quote(name), use,
                              hint(name, table.names(), advice)));
}

const Column& need_column(const Table& table, const std::string& name, std::string_view use) {
  const Column* column = table.find(name);
  if (column == nullptr) no_such_column(table, name, use);
  return *column;
}

}  // namespace perpend
