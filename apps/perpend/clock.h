// Wall time for progress and budgets.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <string>

namespace perpend::app {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// 01:02:03, rounded up.
inline std::string hours(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace perpend::app
