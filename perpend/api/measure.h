// Finds the directions along which members are compared, for the verbs that measure a model on rows.
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
  std::vector<std::string> notes;  // which directions were taken, or why a model's own could not be; one line each
};

// Throws ConfigError where `what` is asked of a model with views. `what` is an option that moves inputs, or looks for
// directions among them. A small step cannot move a level, and nothing can move a missing cell.
void need_plain_features(const TrainedModel& model, const std::string& what);

// Returns the directions that `manifold` names (manifold/manifold.h), found in these rows. Where it is empty, they are
// those that the model keeps. A model that was trained along one basis per row keeps none, and a note says so. A
// manifold needs plain features.
MeasuredTangents tangents_for(const std::string& manifold, const TrainedModel& model, InputsView rows,
                              const Threads& threads);

}  // namespace perpend
