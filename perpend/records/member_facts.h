// One member of an ensemble, as the tables of members show it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perpend {

struct MemberFacts {
  std::string view;        // how it sees the columns: linear, piecewise, logistic, trees or plain (data/column_table.h)
  std::size_t inputs = 0;  // of its first layer, which its view makes of the columns; trees: the columns
  std::vector<std::size_t> units;  // of its hidden layers
  std::size_t rounds = 0;          // of boosted trees, which have no units
  double weight = 0;
};

}  // namespace perpend
