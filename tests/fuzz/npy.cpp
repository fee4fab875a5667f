#include "perpend/data/read_npy.h"

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/run_table.h"

// The first two bytes say where the file of the labels begins.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t split = std::min<std::size_t>(data[0] + 256U * data[1], bytes.size());
  perpend::run_table([&] {
    return perpend::read_npy(perpend::bytes_in_memory("X", bytes.substr(0, split)),
                             perpend::bytes_in_memory("y", bytes.substr(split)));
  });
  perpend::run_table([&] { return perpend::read_npy(perpend::bytes_in_memory("X", bytes)); });
  return 0;
}
