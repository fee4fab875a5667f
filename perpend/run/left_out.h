// Split domain: which domains are left out of training, and the line that says so.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perpend {

// The domains whose rows are the test rows. Other splits leave none out.
struct LeftOut {
  std::vector<std::string> domains;
  std::size_t known = 0;  // domains of the table

  bool operator==(const LeftOut&) const = default;
};

// Returns "domain 'va' is left out of training, and its rows are the test rows (1 of 4 domains)", or nothing where none
// is.
std::string left_out_line(const LeftOut& left_out);

// The same for several restarts, one or more. They leave out the same domains, or one domain after the other.
std::string left_out_line(std::span<const LeftOut> restarts);

}  // namespace perpend
