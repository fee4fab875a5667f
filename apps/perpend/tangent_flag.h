// --manifold of the verbs that measure a model.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "apps/perpend/terminal.h"
#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"
#include "perpend/store/trained_model.h"

namespace perpend::app {

void add_manifold_flag(CLI::App& verb, std::string& typed);

// The tangents at these rows, all rows of a table: those of the surface named, found in these rows, or the model's own
// where nothing is named; empty when it has none. Tells `held` what it took, and where a model was trained along a
// surface that its file does not keep.
Tangents tangents_for(const std::string& typed, const TrainedModel& model, InputsView rows, const Threads& threads,
                      HeldMessages& held);

}  // namespace perpend::app
