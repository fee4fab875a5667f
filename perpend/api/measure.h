// What the verbs that measure a model on rows share: the directions along which members are compared.
#pragma once

#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"

namespace perpend {

struct MeasuredTangents {
  Tangents tangents;               // of these rows; empty: the whole input space
  std::vector<std::string> notes;  // what was taken, or why a model's own could not be; one line each
};

// Throws ConfigError where `what` (an option that moves inputs, or looks for directions among them) is asked of a model
// with views: a level cannot be moved by a small step, and a missing cell not at all.
void need_plain_features(const TrainedModel& model, const std::string& what);

// The directions that `manifold` names (manifold/manifold.h), found in these rows. Where it is empty, those that the
// model keeps: of a model that was trained along a basis for each row there are none, and a note says so. A manifold
// needs plain features.
MeasuredTangents tangents_for(const std::string& manifold, const TrainedModel& model, InputsView rows,
                              const Threads& threads);

}  // namespace perpend
