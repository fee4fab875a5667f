#include "perpend/records/monitoring.h"

#include <algorithm>

namespace perpend {

std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::like:
      return "like";
    case Verdict::moved:
      return "moved";
    case Verdict::far:
      break;
  }
  return "far";
}

std::size_t Monitoring::moved_columns() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(columns, [&](const MonitoredColumn& c) { return c.p_value < alarm; }));
}

}  // namespace perpend
