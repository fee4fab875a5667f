// Makes everything that the metrics object holds, from the members' probabilities and input gradients on some rows.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/evaluate/metrics.h"

namespace perpend {

// The ensemble's probabilities are an argument of their own, because not every ensemble takes the mean: AdaBoost votes,
// and adapted ensembles use weights. model/decision.h makes them. gradients is one (rows, features) matrix per member.
// If it is empty, grad_cos2 is undefined.
Evaluation evaluate(Probabilities ensemble, MemberProbabilities members, LabelsView labels,
                    std::span<const InputsView> gradients);
// The same without gradients, where a member's probabilities are made one member at a time. So many rows need little
// memory.
Evaluation evaluate(Probabilities ensemble, std::size_t members,
                    const std::function<std::vector<double>(std::size_t)>& member, LabelsView labels);
Evaluation evaluate(ClassProbabilities ensemble, std::span<const ClassProbabilities> members, LabelsView labels,
                    std::span<const InputsView> gradients);

}  // namespace perpend
