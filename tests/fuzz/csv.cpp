#include "perpend/data/read_csv.h"

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/run_table.h"

namespace {

// Blocks of three rows must add up to the whole table.
void check_blocks(const perpend::Table& whole, std::string_view text) {
  perpend::CsvReader reader(perpend::bytes_in_memory("t", text));
  std::size_t row = 0;
  for (perpend::Table block; reader.next(block, 3);) {
    for (std::size_t i = 0; i < block.rows; ++i, ++row) {
      for (std::size_t c = 0; c < block.columns.size(); ++c) {
        perpend::require(block.columns[c].text(i) == whole.columns[c].text(row));
      }
    }
  }
  perpend::require(row == whole.rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  perpend::run_table([&] {
    perpend::Table table = perpend::read_csv(perpend::bytes_in_memory("t", text));
    check_blocks(table, text);
    return table;
  });
  return 0;
}
