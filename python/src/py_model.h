// A trained model as Python holds it, and the rows it is asked about.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/encode.h"
#include "perpend/store/trained_model.h"
#include "py_table.h"
#include "spelling.h"

namespace perpend::python {

struct PyModel {
  TrainedModel model;
};

// Runs use(first row, encoded inputs of the block) over a table's rows, block after block, so that a large table needs
// little memory. What encoding met on its way is returned, one line each.
template <class Use>
std::vector<std::string> for_each_block(const PyModel& model, const PyTable& table, const Use& use) {
  constexpr std::size_t kBlock = 8192;
  EncodeReport report;
  std::vector<std::uint32_t> rows;
  for (std::size_t first = 0; first < table.table().rows; first += kBlock) {
    rows.clear();
    for (std::size_t r = first; r < std::min(first + kBlock, table.table().rows); ++r) {
      rows.push_back(static_cast<std::uint32_t>(r));
    }
    EncodeReport of_block;
    const Inputs inputs = encode_inputs(table.table(), model.model.schema, rows, &of_block);
    report += of_block;
    use(first, inputs.view());
  }
  return spelled(report.warnings());
}

}  // namespace perpend::python
