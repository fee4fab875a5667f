// A logistic regression as a member of an ensemble; or a linear regression, if the target is a number.
//
// A straight line is often the best answer for a small table, and networks learn it only roughly. So the last member
// may be a logistic regression (logistic.h) over the inputs of the linear view. It is stored as a network like the
// others. With ReLU units, s = max(s, 0) - max(-s, 0), so two units per score hold it exactly, and the other units are
// zero. Predictions, gradients, files and ONNX graphs need not know about it.
#pragma once

#include <vector>

#include "perpend/base/direction.h"
#include "perpend/base/matrix.h"
#include "perpend/data/dataset.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// The inputs of logistic regression for a part, (rows, features): plain features as they are, or columns (those of the
// training rows) through their linear view.
Inputs linear_design(const Dataset& part, const std::vector<ColumnTable>& columns);

// Whether networks of this shape can hold one: they need ReLU, and layers of at least two units per score.
bool holds_logistic(const Architecture& architecture);

// Fits member `member` of the architecture to the training rows. The member's view must have the inputs of the linear
// one. directions has one entry per column; empty: none has one. The two units per score then obey the signs of
// model/monotone.h.
Network<float> logistic_member(const Architecture& architecture, std::size_t member, const Dataset& train,
                               const Directions& directions = {});

}  // namespace perpend
