// The picture of the demo: what two networks answer where they saw no rows.
#pragma once

#include <string>

namespace perpend::app {

// Trains two pairs of networks on builtin:quadrants, one by restarts and one by LIT, draws their answers and prints a
// table. Writes folder/boundaries.svg unless folder is empty.
void show_quadrants(const std::string& folder);

}  // namespace perpend::app
