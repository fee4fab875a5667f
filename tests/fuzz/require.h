// Checks for fuzz targets. A failed check is a finding.
#pragma once

#include <cstdlib>
#include <functional>
#include <string_view>

#include "perpend/base/error.h"

namespace perpend {

inline void require(bool condition) {
  if (!condition) std::abort();
}

// `act` must succeed or throw an error of this kind with a message of one line.
inline void expect_one_line(ErrorKind kind, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    require(error.kind() == kind);
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
}

}  // namespace perpend
