// What a trained ensemble says about new rows. There is no drop-out, and the bytes are the same for any number of rows
// and threads.
//
// Every answer is a number, whatever the table holds. A number beyond 1e15 in a row (or between the layers of a deep
// network) counts as 1e15. This changes no smaller number.
#pragma once

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// With values of at most 1e15, weights of at most 1e6 and layers of at most 65,536 units, no sum of two layers leaves
// the range of floats.
inline constexpr float kLargestValue = 1e15F;

// Per member (rows, scores): the log-odds of class 1 when there are two classes, else the K logits. For a regression,
// the standardised prediction.
Stack<float, axis::Row, axis::Score> member_scores(const Ensemble& ensemble, InputsView inputs, const Threads& threads);

// For two classes: per member (rows, 1), the probability of class 1.
Stack<float, axis::Row, axis::Score> positive_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                            const Threads& threads);

// Turns scores that are known already into the same probabilities, in place.
Stack<float, axis::Row, axis::Score> positive_probabilities_of(Stack<float, axis::Row, axis::Score> scores,
                                                               const Threads& threads);

// Per member (rows, classes): probabilities. decision.h turns them into the ensemble's.
Stack<float, axis::Row, axis::Out> member_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                        const Threads& threads);

// The same, from scores that are known already.
Stack<float, axis::Row, axis::Out> probabilities_of(const Stack<float, axis::Row, axis::Score>& scores,
                                                    const Threads& threads);

// For a regression: (members, rows), each member's prediction in the target's own units.
Matrix<double, axis::Member, axis::Row> member_predictions(const Ensemble& ensemble, InputsView inputs,
                                                           const Threads& threads);

// The same, from scores that are known already.
Matrix<double, axis::Member, axis::Row> predictions_of(const Stack<float, axis::Row, axis::Score>& scores,
                                                       const NumberTarget& quantity);

// Per differentiable member (rows, features): the gradient of its score by the inputs. Trees, which are the last
// member, have none.
Stack<float, axis::Row, axis::Feature> input_gradients(const Ensemble& ensemble, InputsView inputs,
                                                       const Threads& threads);

}  // namespace perpend
