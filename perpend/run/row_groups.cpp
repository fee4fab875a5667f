#include "perpend/run/row_groups.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/need_column.h"

namespace perpend {

namespace {

using Role = std::pair<const char*, const std::string&>;

// what: "group" or "domain".
void check_role(const std::string& column, const std::string& what, std::initializer_list<Role> others,
                const Schema* encoding) {
  if (column.empty()) return;
  for (const auto& [role, other] : others) {
    if (column == other) throw ConfigError("column " + quote(column) + " cannot be both " + what + " and " + role);
  }
  const auto is_column = [&](const InputColumn& input) { return input.table_column() == column; };
  if (encoding != nullptr && std::ranges::any_of(encoding->columns, is_column)) {
    throw ConfigError("the preset's encoding has " + quote(column) + " as an input, so it cannot be the " + what);
  }
}

}  // namespace

void check_group_columns(const RunOptions& options, const Schema* encoding) {
  const Role target = {"target", options.schema.target};
  const Role weight = {"sample weight", options.schema.sample_weight};
  check_role(options.group, "group", {target, weight}, encoding);
  check_role(options.domain, "domain", {target, weight, {"group", options.group}}, encoding);
}

RowGroups groups_in(const Table& table, const std::string& name, const std::string& what) {
  const Column& column = need_column(table, name, " to split by");
  RowGroups groups;
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::size_t r = 0; r < table.rows; ++r) {
    std::string text = column.text(r);
    if (text.empty()) {
      throw DataError(table.place(r) + ": column " + quote(name) + " is empty; every row needs a " + what);
    }
    const auto [at, added] = known.emplace(text, static_cast<std::uint32_t>(groups.names.size()));
    if (added) groups.names.push_back(std::move(text));
    groups.of_row.push_back(at->second);
  }
  return groups;
}

RowGroups domains_in(const Table& table, const std::string& column) {
  const RowGroups found = groups_in(table, column, "domain");
  const bool numbers =
      std::ranges::all_of(found.names, [](const std::string& name) { return as_number(name).has_value(); });
  std::vector<std::uint32_t> order(found.names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t g) {
    return std::pair(numbers ? *as_number(found.names[g]) : 0.0, std::string_view(found.names[g]));
  });
  RowGroups sorted;
  std::vector<std::uint32_t> place(order.size());
  for (const std::uint32_t g : order) {
    place[g] = static_cast<std::uint32_t>(sorted.names.size());
    sorted.names.push_back(found.names[g]);
  }
  for (const std::uint32_t g : found.of_row) sorted.of_row.push_back(place[g]);
  return sorted;
}

LeftOut left_out_of(const RowGroups& domains, const SplitOptions& options) {
  LeftOut left_out{.domains = {}, .known = domains.names.size()};
  for (const auto d : left_out_domains(domains.names, options)) left_out.domains.push_back(domains.names[d]);
  return left_out;
}

}  // namespace perpend
