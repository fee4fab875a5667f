// A logistic regression as a member of an ensemble; where the target is a number, a linear regression.
//
// Small tables are often best answered by a straight line, which networks learn only roughly. So the last member may be
// a logistic regression (logistic.h) over the inputs of the linear view. It is stored as a network like the others:
// with ReLU units, s = max(s, 0) - max(-s, 0), so two units per score hold it exactly, and the other units are zero.
// Predictions, gradients, files and ONNX graphs need not know of it.
#pragma once

#include <vector>

#include "perpend/base/direction.h"
#include "perpend/base/matrix.h"
#include "perpend/data/dataset.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// What logistic regression sees of a part, (rows, features): plain features as they are, and columns (those of the
// training rows) through their linear view.
Inputs linear_design(const Dataset& part, const std::vector<ColumnTable>& columns);

// Whether networks of this shape can hold one: ReLU, and layers of at least two units per score.
bool holds_logistic(const Architecture& architecture);

// Member `member` of the architecture, whose view has the inputs of the linear one, fitted to the training rows.
// directions: of the columns; empty: none has one. Its two units per score then obey the signs of model/monotone.h.
Network<float> logistic_member(const Architecture& architecture, std::size_t member, const Dataset& train,
                               const Directions& directions = {});

}  // namespace perpend
