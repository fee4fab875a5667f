#include "perpend/data/read_arrow.h"

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/run_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const perpend::Threads alone(1);
  perpend::run_table([&] { return perpend::read_arrow(perpend::random_bytes_in_memory("t.arrow", bytes), alone); });
  return 0;
}
