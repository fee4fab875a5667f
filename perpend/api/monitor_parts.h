// Parts of monitor() that need no model. Internal to api.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "perpend/data/table.h"
#include "perpend/records/monitoring.h"

namespace perpend {

// Returns rows by window (MonitorOptions::window), in the order in which windows begin.
std::vector<std::pair<std::string, std::vector<std::size_t>>> windows_of(const Table& table, const std::string& window);

// Returns the verdict in words. far_share: the share of rows that lie beyond home.
std::string summary_of(const Monitoring& found, double far_share);
std::string advice_of(const Monitoring& found);

}  // namespace perpend
