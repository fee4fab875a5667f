#include "perpend/records/monitoring.h"

#include <algorithm>

#include "perpend/base/message.h"

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

bool Monitoring::is_worse() const {
  constexpr double kSmallChange = 0.02;
  return measured && at_home && measured->merit() && at_home->merit() &&
         *measured->merit() < *at_home->merit() - kSmallChange;
}

std::string Monitoring::rows_at_home() const {
  return "the " + counted(home_rows, home_part + " row") + " of the training's table";
}

std::size_t Monitoring::moved_columns() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(columns, [&](const MonitoredColumn& c) { return c.p_value < alarm; }));
}

}  // namespace perpend
