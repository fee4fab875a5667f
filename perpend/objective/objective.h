// An objective is what a training minimises:
//
//   L = sum_m fit_m + lambda P + wd/2 sum_m |theta_m|^2
//
// An objective sees scores, input gradients and labels. It knows nothing of layers or weights, so the last term, weight
// decay, belongs to the optimizer. A new penalty is
// one class that derives from Objective<T>, and one entry in penalties.cpp (CONTRIBUTING.md, "Adding a penalty").
//
// The life of an objective:
//   1. make()        The table of penalties (penalties.h) or of methods (train/methods.h) makes one object for a
//                    training. It holds lambda and other constants, and nothing that changes: threads share it.
//   2. supports()    Before training: whatever goes beyond this (drop-out, three classes, ...) is refused.
//   3. needs()       Once: it decides which engine drives the training (train/training.cpp). The engine computes input
//                    gradients or ascent points for each row of each step, if they are needed.
//   4. evaluate()    In each step: the engine fills ObjectiveRows with a run of at most 128 rows of the batch and all
//                    members. Runs of one batch are evaluated at the same time on several threads, in any order.
//                    A penalty may need sums over the whole batch, such as the mean of the members' answers. It says
//                    by batch_sums() how many. The engine then goes through all runs twice. The first time it calls
//                    add_batch_sums(), which adds the share of a run. The second time it calls evaluate(), which finds
//                    the totals in rows.batch_sums.
//   5. adjoints      evaluate() writes, for every row of the run and every member, dL/dscore into d_scores; and it
//                    REPLACES each input gradient by dL/d(input gradient), in place. Copy what you still need first.
//                    Write every row and member, and 0 where P does not depend on the gradient: the engine would take
//                    a gradient that is still there for an adjoint.
//   6. terms         evaluate() adds this run's share of each fit_m and of P (without lambda) to `terms`. Every term
//                    is a sum over rows; runs are added up in their order. A mean over the batch is a sum with
//                    rows.weights, which sum to 1 over the batch. A penalty that needs no labels uses
//                    rows.penalty_weights(), in which rows without labels count too. The rows without labels are
//                    those from rows.labelled on. A mean over them alone gives each the weight
//                    1 / rows.batch_unlabeled.
//   7. the update    The engine turns both adjoints into weight gradients (second order for input gradients), and
//                    Adam makes the step.
//   8. the log       Means of fit and P over the steps of an epoch go into the training log. From there they go into
//                    the model file and its report, which says what P is in the words of the table.
//
// The bytes contract: the same options and data give the same bytes on any machine, compiler and number of threads. So:
//   - +, -, *, / and std::sqrt are exact by IEEE 754 and free to use. A sum goes in ascending order, or by ordered_sum
//     (base/sum.h). The build turns fused multiply-add and reassociation off.
//   - std::log, std::exp, std::pow and their like differ between C libraries: never use them in float or double. Use
//     log_of and exp_of (objective/log_exp.h). For whole arrays, kernels/elementwise.h has softplus, sigmoid, softmax
//     and cross_entropy in vectors.
//   - There is no global state, no clock, no random number, and nothing depends on how rows are cut into runs.
// The complex form is for the gradient check alone and may use any analytic function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/quantity.h"

namespace perpend {

class Tangents;

template <class T>
struct ObjectiveRows {
  std::size_t rows = 0;             // number of rows of this run
  std::size_t batch_rows = 0;       // B, the number of rows of the whole batch
  std::size_t labelled = 0;         // rows of this run that have a label; the rows behind them have none
  std::size_t batch_unlabeled = 0;  // rows without labels, of the whole batch
  const std::int32_t* labels = nullptr;
  // For a regression, which has these in place of labels: the standardised target per row, and the loss. The score is
  // the prediction.
  const T* targets = nullptr;
  RegressionLoss loss = {};
  const std::uint32_t* indices = nullptr;  // which rows of the training data these are
  // One per row, with sum 1 over the batch: 1 / B if rows are not weighted. In every mean over the batch a row of
  // weight 2 counts as two rows; the scale of the weights does not matter. A row without a label has weight 0. There is
  // room for `rows` rounded up to 16.
  const T* weights = nullptr;
  // The same for a mean that needs no labels, so the rows without labels count too. Null: all rows have labels.
  const T* unlabeled_weights = nullptr;
  // The sums over the whole batch that the objective asked for by batch_sums(); else null.
  const T* batch_sums = nullptr;
  // Per member: (rows, 1) log-odds, without gaps, or (rows, K) logits. With ascent points: (rows, 1 + members), the
  // log-odds at the row and at the points where each member's score is largest.
  std::vector<MatrixView<const T, axis::Row, axis::Score>> scores;
  // Per member (rows, D), padded with zeros to 16 columns; replaced by their adjoints. Empty unless needed.
  std::vector<MatrixView<T, axis::Row, axis::Feature>> input_gradients;
  // Per member: the adjoints of the scores, which evaluate() fills in.
  std::vector<MatrixView<T, axis::Row, axis::Score>> d_scores;

  std::size_t members() const { return scores.size(); }
  const T* penalty_weights() const { return unlabeled_weights == nullptr ? weights : unlabeled_weights; }
};

template <class T>
struct Terms {
  std::vector<T> fit;  // per member
  T penalty{};         // P, without lambda
};

// What an objective needs for each row, besides the scores at the row itself.
struct ObjectiveNeeds {
  bool input_gradients = false;
  bool ascent_points = false;  // scores at the points within epsilon where each member's is largest (model/ascent.h)
};

// What an objective can be asked for. Training refuses the rest.
struct ObjectiveSupport {
  bool many_classes = true;  // more than two
  bool two_classes = true;
  bool regression = true;
  bool any_loss = true;  // for a regression; else only the squared error
  bool dropout = true;
  bool tangents = false;   // it can penalise along given tangents only, in place of the whole input space
  bool ascent = false;     // it looks at points around a row, so it needs inputs that can be moved: plain features
  bool unlabeled = false;  // it uses penalty_weights(): P is measured at rows without labels too
};

// How a penalty adds up its rows: by the mean over the batch (the paper's equation), or by the sum (its published
// code).
enum class PenaltyReduction { mean, sum };

// A penalty of the table (penalties.h) is made from these.
struct PenaltySettings {
  double lambda = 1;
  PenaltyReduction reduction = PenaltyReduction::mean;
  const Tangents* tangents = nullptr;  // must outlive the objective; nullptr: the whole input space
};

// What training calls. Derive from it, and implement needs(), lambda() and evaluate().
template <class T>
class Objective {
 public:
  virtual ~Objective() = default;
  virtual ObjectiveNeeds needs() const = 0;
  virtual ObjectiveSupport supports() const { return {}; }
  virtual double lambda() const = 0;
  // The number of sums over the rows of the batch that evaluate() needs (step 4). It may look at the shape of the rows
  // only.
  virtual std::size_t batch_sums(const ObjectiveRows<T>& /*rows*/) const { return 0; }
  virtual void add_batch_sums(const ObjectiveRows<T>& /*rows*/, T* /*sums*/) const {}
  // Adds this run's terms to `terms` (whose fit has one entry per member) and writes the adjoints of
  // sum_m fit_m + lambda P.
  virtual void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const = 0;
};

}  // namespace perpend
