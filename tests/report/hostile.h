// Text that would break a page that does not escape it.
#pragma once

#include <string>

namespace perpend::test {

inline const std::string kHostile = "</script>\"'<x>\\";

}  // namespace perpend::test
