#include "perpend/run/left_out.h"

#include <algorithm>

#include "perpend/base/message.h"

namespace perpend {

std::string left_out_line(const LeftOut& left_out) {
  if (left_out.domains.empty()) return "";
  const bool one = left_out.domains.size() == 1;
  return (one ? "domain " : "domains ") + quote_all(left_out.domains) +
         (one ? " is left out of training, and its" : " are left out of training, and their") +
         " rows are the test rows (" + thousands(left_out.domains.size()) + " of " + counted(left_out.known, "domain") +
         ")";
}

std::string left_out_line(std::span<const LeftOut> restarts) {
  const LeftOut& first = restarts.front();
  if (std::ranges::all_of(restarts, [&](const LeftOut& one) { return one == first; })) return left_out_line(first);
  std::vector<std::string> names;
  for (const auto& restart : restarts) {
    if (names.size() < first.known) names.push_back(restart.domains.front());
  }
  return "each restart leaves one of " + thousands(first.known) +
         " domains out of training and tests on it: " + quote_all(names);
}

}  // namespace perpend
