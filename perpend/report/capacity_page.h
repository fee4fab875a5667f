// The page of how many locally independent models some data hold.
#pragma once

#include <string>

#include "perpend/records/capacity.h"
#include "perpend/report/page.h"

namespace perpend {

struct CapacityWords {
  std::string name;           // of the data
  std::string reading;        // the answer
  std::string ridge_reading;  // empty: lambdas were not compared
  std::string table;          // behind the answer, as text
  std::string version;        // perpend's
};

Page capacity_page(const Capacity& found, const CapacityWords& words);

}  // namespace perpend
