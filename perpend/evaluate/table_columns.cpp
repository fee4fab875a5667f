#include "perpend/evaluate/table_columns.h"

#include <algorithm>

namespace perpend {

std::vector<TableColumn> table_columns(const Schema& schema) {
  std::vector<TableColumn> columns;
  std::vector<std::size_t> place(schema.columns.size());
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const std::string name = schema.columns[c].table_column();
    const auto found = std::ranges::find(columns, name, &TableColumn::name);
    place[c] = static_cast<std::size_t>(found - columns.begin());
    if (found == columns.end()) columns.push_back({name, {}, {}});
    columns[place[c]].inputs.push_back(c);
  }
  for (std::size_t f = 0; f < schema.features.size(); ++f) {
    columns[place[schema.features[f].column]].features.push_back(f);
  }
  return columns;
}

std::vector<std::size_t> evenly_spread(std::size_t rows, std::size_t most) {
  const std::size_t count = std::min(rows, most);
  std::vector<std::size_t> some(count);
  for (std::size_t i = 0; i < count; ++i) some[i] = i * rows / count;
  return some;
}

Inputs rows_of(InputsView inputs, const std::vector<std::size_t>& rows) {
  Inputs some(rows.size(), inputs.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(inputs.row(rows[i]), inputs.cols(), some.row(i));
  return some;
}

}  // namespace perpend
