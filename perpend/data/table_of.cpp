#include "perpend/data/source.h"

namespace perpend {

Table table_of(const Dataset& data, const std::string& source) {
  Table table;
  table.source = source;
  table.rows = data.rows();
  for (std::size_t f = 0; f < data.features.size(); ++f) {
    Column column;
    column.name = data.features[f];
    for (std::size_t r = 0; r < data.rows(); ++r) column.numbers.push_back(data.inputs(r, f));
    table.columns.push_back(std::move(column));
  }
  table.columns.push_back({kGeneratedTarget, std::vector<double>(data.rows(), 0.0), data.labels, data.classes, false});
  return table;
}

}  // namespace perpend
