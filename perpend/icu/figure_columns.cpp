#include "perpend/icu/figure_columns.h"

#include <array>
#include <string_view>

#include "perpend/icu/mimic.h"

namespace perpend {

namespace {

struct Quantity {
  std::string_view name;       // our name, in the table of MIMIC-III
  std::string_view challenge;  // the name in the challenge, alone or followed by _first, _last and so on
};
constexpr std::array<Quantity, 5> kQuantities = {
    {{"age", "Age"}, {"bun", "BUN"}, {"weight", "Weight"}, {"urine", "UrineOutputSum"}, {"creatinine", "Creatinine"}}};

bool is_of(std::string_view column, const Quantity& quantity) {
  if (column == quantity.name || column == quantity.challenge) return true;
  return column.starts_with(quantity.challenge) && column[quantity.challenge.size()] == '_';
}

}  // namespace

std::vector<std::string> icu_figure_columns(const Schema& schema) {
  std::vector<std::string> found;
  if (schema.target != kIcuTarget) return found;
  for (const auto& quantity : kQuantities) {
    for (const auto& column : schema.columns) {
      if (is_of(column.name, quantity)) found.push_back(column.name);
    }
  }
  return found;
}

}  // namespace perpend
