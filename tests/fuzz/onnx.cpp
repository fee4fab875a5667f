// Any model that loads is written as an ONNX graph.
#include "perpend/onnx/export_onnx.h"

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/made_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const auto model = perpend::made_model({reinterpret_cast<const char*>(data), size})) {
    perpend::require(!perpend::to_onnx(*model, "0").empty());
  }
  return 0;
}
