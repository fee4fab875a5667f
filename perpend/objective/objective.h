// What an ensemble is trained for, as seen from outside the networks.
//
//   L = sum_m fit_m + lambda P + wd/2 sum_m |theta_m|^2
//
// An objective sees, for a run of rows and all members, scores, input gradients (if it wants them) and labels, and
// returns the terms and the adjoints of the first two. It knows no layers: a new penalty is a new file with one class.
// Weight decay belongs to the optimizer. Every term is a sum over rows, so a batch may be given in runs and the terms
// added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/matrix.h"

namespace perpend {

template <class T>
struct ObjectiveRows {
  std::size_t rows = 0;        // of this run
  std::size_t batch_rows = 0;  // B, of the whole batch
  const std::int32_t* labels = nullptr;
  const std::uint32_t* indices = nullptr;  // which rows of the training data these are
  // Per row, summing to 1 over the batch: 1 / B where rows are not weighted. In every mean over the batch a row of
  // weight 2 counts as two rows; the scale of the weights has no say. A row without a label has weight 0. Room for
  // `rows` rounded up to 16.
  const T* weights = nullptr;
  // The same for a mean that needs no labels, in which the rows without labels count too; null: all have labels.
  const T* unlabeled_weights = nullptr;
  // Per member: (rows, 1) log-odds, lying densely, or (rows, K) logits.
  std::vector<MatrixView<const T, axis::Row, axis::Score>> scores;
  // Per member (rows, D), padded with zeros to 16 columns; replaced by their adjoints. Empty unless wanted.
  std::vector<MatrixView<T, axis::Row, axis::Feature>> input_gradients;
  // Per member, to be filled: adjoints of the scores.
  std::vector<MatrixView<T, axis::Row, axis::Score>> d_scores;

  std::size_t members() const { return scores.size(); }
  const T* penalty_weights() const { return unlabeled_weights == nullptr ? weights : unlabeled_weights; }
};

template <class T>
struct Terms {
  std::vector<T> fit;  // per member
  T penalty{};         // P, without lambda
};

template <class T>
class Objective {
 public:
  virtual ~Objective() = default;
  virtual bool wants_input_gradients() const = 0;
  virtual double lambda() const = 0;
  // Adds this run's terms to `terms` (whose fit has one entry per member) and writes the adjoints of
  // sum_m fit_m + lambda P.
  virtual void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const = 0;
};

}  // namespace perpend
