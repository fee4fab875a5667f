// One network of an ensemble, as the tables of members show it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perpend {

struct MemberFacts {
  std::string view;                // how it sees the columns: linear, piecewise or plain (data/column_table.h)
  std::size_t inputs = 0;          // of its first layer, which its view makes of the columns
  std::vector<std::size_t> units;  // of its hidden layers
  double weight = 0;
};

}  // namespace perpend
