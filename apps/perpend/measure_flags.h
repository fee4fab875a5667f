// Flags of the verbs that measure a model: --manifold, and --epsilon with its companions (api/evaluate.h).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "perpend/records/finite.h"

namespace perpend::app {

void add_manifold_flag(CLI::App& verb, std::string& manifold);
void add_distance_flags(CLI::App& verb, DistanceSettings& settings);

std::string distance_table(const DistanceIndependence& found);

}  // namespace perpend::app
