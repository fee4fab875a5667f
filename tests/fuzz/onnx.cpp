// Any model that loads is written as an ONNX graph. One with a gate is refused.
#include "perpend/onnx/export_onnx.h"

#include <cstddef>
#include <cstdint>

#include "perpend/base/error.h"
#include "tests/fuzz/made_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const auto model = perpend::made_model({reinterpret_cast<const char*>(data), size})) {
    try {
      perpend::require(!perpend::to_onnx(*model, "0").empty());
    } catch (const perpend::ConfigError&) {
      perpend::require(model->decision.gate.has_value());
    }
  }
  return 0;
}
