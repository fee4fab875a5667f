// The picture of the demo: what two networks answer where they saw nothing.
#pragma once

#include <string>

namespace perpend::app {

// Trains two pairs of networks on builtin:quadrants, by restarts and by LIT, draws their answers and prints a table;
// writes folder/boundaries.svg unless folder is empty.
void show_quadrants(const std::string& folder);

}  // namespace perpend::app
