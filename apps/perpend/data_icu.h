// perpend data make icu: the ICU tables (perpend/icu).
#pragma once

#include <string>
#include <vector>

namespace perpend::app {

struct IcuArguments {
  std::vector<std::string> from;  // "mimic" and a folder, or "physionet2012" and a file
  std::string output;             // empty or -: stdout
  bool force = false;
  bool json = false;
  bool print_rules = false;
};

void make_icu(const IcuArguments& arguments);

}  // namespace perpend::app
