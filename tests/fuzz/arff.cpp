#include "perpend/data/read_arff.h"

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/run_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  perpend::run_table([&] { return perpend::read_arff(perpend::bytes_in_memory("t", text)); });
  return 0;
}
