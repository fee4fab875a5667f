// The seam for one hidden ReLU layer and two classes, at the speed of the machine: see kernels/collapsed.h for the
// algebra.
//
// Same meaning, same random masks and, within rounding, same numbers as GeneralMember. Rows are independent in forward,
// hidden units in sum_units, unit_gradient and refresh, so work may be cut by rows, then by units, anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/kernels/collapsed.h"
#include "perpend/model/dropout.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// Where the parameters of a member lie in one flat array: W (H, D), b (H), w2[:,0] (H), w2[:,1] (H), b2 (2). Each part
// starts on a cache line and is padded with zeros; gradients and optimizer state share the layout.
struct CollapsedLayout {
  explicit CollapsedLayout(const Architecture& architecture);
  std::size_t features, units;
  std::size_t bias, out0, out1, out_bias, size;
};

// A batch in groups of 64 rows, as the signs are found: `coarse` by kernels::pack_coarse for integers, `packed` by
// kernels::pack_group for floats; and where its rows lie.
struct CollapsedBatch {
  std::size_t rows;
  kernels::PickedRows inputs;
  const float* packed;
  const std::int16_t* coarse;
};

// Rows of one member on their way to scores: where the score of the first stands, with c and the biases' part in it
// already, and the input gradients that make the rest of it.
struct ScoredRows {
  kernels::PickedRows inputs;
  float* scores;
  MatrixView<float, axis::Row, axis::Feature> gradient;
  void finish() const;
};

// Input gradients that one thread sums while the signs of later rows, of this member or the next, are found.
class GradientsBeside {
 public:
  explicit GradientsBeside(std::size_t features)
      : walk_(std::make_unique<kernels::WalkBeside>()),
        tables_(2, kernels::WalkTables{kernels::ColumnPlan(features)}) {}
  kernels::WalkBeside* walk() { return walk_.get(); }
  // The tables of U for a further piece of rows; those of the piece before may still be walked.
  kernels::WalkTables& next_tables() { return tables_[piece_++ % 2]; }
  // Takes a group of rows, those before being finished.
  void start(const std::uint32_t* by_row, const kernels::WalkTables& tables, const ScoredRows& rows);
  // Sums what is left, and scores the rows.
  void finish();

 private:
  std::unique_ptr<kernels::WalkBeside> walk_;
  std::vector<kernels::WalkTables> tables_;
  std::size_t piece_ = 0;
  std::optional<ScoredRows> rows_;
};

class CollapsedMember {
 public:
  static bool serves(const Architecture& architecture);

  CollapsedMember(const Architecture& architecture, const Network<float>& network, double keep, std::size_t max_rows,
                  bool with_input_gradient);
  Network<float> network() const;
  const CollapsedLayout& layout() const { return layout_; }
  float* parameters() { return parameters_.data(); }
  // Whether it takes its batches coarse, not packed. It may be told not to, for good.
  bool uses_integers() const { return !coarse_.empty(); }
  void use_floats() { coarse_.clear(); }

  // Rows first .. first + count of a batch, first a multiple of 128 and the rows within one block of 256. gradient may
  // be an empty view; with it, it and the scores are complete when `beside` is finished, and all stay in place until
  // then. Returns how many signs integers could not tell.
  std::size_t forward(const CollapsedBatch& batch, std::size_t first, std::size_t count, const Dropout& dropout,
                      std::size_t member, float* scores, MatrixView<float, axis::Row, axis::Feature> gradient,
                      GradientsBeside& beside);
  // The sums over a batch's rows that units first .. first + count (within one chunk of 256, first a multiple of 128)
  // need for their gradient, from the adjoints of scores and input gradients (an empty view without penalty). The
  // thread keeps them until its next call.
  void sum_units(std::size_t rows, const kernels::PickedRows& inputs, const float* d_scores,
                 MatrixView<const float, axis::Row, axis::Feature> d_gradient, std::size_t first,
                 std::size_t count) const;
  // From those sums, the gradient of units first + at .. first + at + count: weights (count, D) without padding, biases
  // and w2[:,1], which is minus that of w2[:,0].
  void unit_gradient(std::size_t first, std::size_t at, std::size_t count, float* d_weights, float* d_bias,
                     float* d_out1) const;
  // Brings what is derived from the parameters of these units up to date.
  void refresh(std::size_t first, std::size_t count);
  void refresh_constant();

 private:
  void fill_columns(const kernels::ColumnPlan& plan, std::vector<float>& columns) const;
  void clear_groups_after(std::size_t block, std::size_t rows_in_block);

  CollapsedLayout layout_;
  double keep_;
  float inverse_keep_;
  AlignedVector<float> parameters_;
  AlignedVector<float> v_;                // (w2[:,1] - w2[:,0]) / keep
  float constant_ = 0;                    // b2[1] - b2[0]
  AlignedVector<std::int16_t> coarse_;    // W and b by kernels::coarsen; empty where floats are faster
  AlignedVector<std::uint64_t> by_unit_;  // (blocks, units, 4)
  AlignedVector<std::uint32_t> by_row_;   // (blocks, chunks, 256, 8)
  bool needs_by_row_;
};

}  // namespace perpend
