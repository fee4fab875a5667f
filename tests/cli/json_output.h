// Runs that print one JSON document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace perpend::test {

inline nlohmann::json json_of(const std::vector<std::string>& arguments) {
  const auto run = perpend(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out, nullptr, false);
}

}  // namespace perpend::test
