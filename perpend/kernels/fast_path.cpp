#include "perpend/kernels/fast_path.h"

namespace perpend::kernels {

namespace {

std::array<bool, kFastPaths>& switches() {
  static std::array<bool, kFastPaths> on = {true, true, true, true};
  return on;
}

}  // namespace

bool is_on(FastPath path) { return switches()[static_cast<std::size_t>(path)]; }

Without::Without(FastPath path) : before_(switches()) { switches()[static_cast<std::size_t>(path)] = false; }

Without::~Without() { switches() = before_; }

}  // namespace perpend::kernels
