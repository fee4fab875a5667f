// The seam for one hidden ReLU layer and two classes, at the speed of the machine: see kernels/collapsed.h for the
// algebra.
//
// It has the same meaning, the same random masks and, within rounding, the same numbers as GeneralMember. Rows are
// independent in forward, and hidden units in sum_units, unit_gradient and refresh, so work may be cut by rows, then by
// units, anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "perpend/base/direction.h"
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

// A batch in groups of 64 rows, as the sign kernels read them: `quantized` by kernels::pack_quantized, or `packed` by
// kernels::pack_group; and where its rows lie.
struct CollapsedBatch {
  std::size_t rows = 0;
  kernels::IndexedRows inputs;
  const float* packed = nullptr;
  const std::int16_t* quantized = nullptr;
};

// Rows of one member whose input gradients are being summed. Each score holds c and the biases' part; finish() adds the
// rest, x . G.
struct UnfinishedScores {
  kernels::IndexedRows inputs;
  float* scores = nullptr;
  MatrixView<float, axis::Row, axis::Feature> gradient;
  void finish() const;
};

// Input gradients that one thread sums while it finds the signs of later rows, of the same member or the next
// (kernels::InterleavedSum). Only one group of rows is pending at a time.
class InterleavedGradients {
 public:
  explicit InterleavedGradients(const kernels::ColumnPlan& plan)
      : sum_(std::make_unique<kernels::InterleavedSum>()), tables_(2, kernels::RowTables{plan}) {}
  kernels::InterleavedSum* sum() { return sum_.get(); }
  // The tables of U for a further piece of rows. There are two, as those of the piece before may still be read.
  kernels::RowTables& next_tables() { return tables_[piece_++ % 2]; }
  // Starts a group of rows; the one before must be finished.
  void start(const std::uint32_t* by_row, const kernels::RowTables& tables, const UnfinishedScores& rows);
  // Sums what is left of the pending group, and finishes its scores.
  void finish();

 private:
  std::unique_ptr<kernels::InterleavedSum> sum_;
  std::vector<kernels::RowTables> tables_;
  std::size_t piece_ = 0;
  std::optional<UnfinishedScores> rows_;
};

// Rows first .. first + count of a batch, on their way forward. first is a multiple of 64, and the rows are within one
// block of 256.
struct ForwardRows {
  CollapsedBatch batch;
  std::size_t first = 0;
  std::size_t count = 0;
  Dropout dropout;
  std::size_t member = 0;                                // in the names of random streams
  float* scores = nullptr;                               // of the whole batch
  MatrixView<float, axis::Row, axis::Feature> gradient;  // of the whole batch, or an empty view
};

// Units first .. first + count of a member, on their way back; at most 256 of them.
using kernels::UnitRange;

// What the backward pass starts from: the adjoints of scores and of input gradients (an empty view without penalty).
struct BatchAdjoints {
  std::size_t rows = 0;
  kernels::IndexedRows inputs;
  const float* d_scores = nullptr;
  MatrixView<const float, axis::Row, axis::Feature> d_gradient;
};

// The gradients of some units: weights (units, D) without padding, biases and w2[:,1]. That of w2[:,0] is minus the
// last.
struct UnitGradientPlaces {
  float* d_weights = nullptr;
  float* d_bias = nullptr;
  float* d_out1 = nullptr;
};

class CollapsedMember {
 public:
  struct Options {
    double keep = 1;
    std::size_t max_rows = 256;
    bool with_input_gradient = true;
    Directions directions = {};  // of the features: refresh keeps their signs (monotone.h)
  };
  static bool serves(const Architecture& architecture);

  CollapsedMember(const Architecture& architecture, const Network<float>& network, const Options& options);
  Network<float> network() const;
  const CollapsedLayout& layout() const { return layout_; }
  float* parameters() { return parameters_.data(); }
  // Whether it reads quantized batches, or packed ones. It may be told to use floats from now on.
  bool is_quantized() const { return !quantized_.empty(); }
  void use_floats() { quantized_.clear(); }

  // Scores and, unless the view is empty, input gradients. With input gradients both are complete only when
  // `interleaved` is finished, and everything must stay in place until then. Returns how many signs fell back to
  // floats.
  std::size_t forward(const ForwardRows& rows, InterleavedGradients& interleaved);
  // Sums over a batch's rows what the units need for their gradient. The thread keeps the sums until its next call.
  void sum_units(const BatchAdjoints& adjoints, const UnitRange& units) const;
  // From those sums, the gradient of units `some`, which are among them; `first` is the first unit of the call above.
  void unit_gradient(std::size_t first, const UnitRange& some, const UnitGradientPlaces& out) const;
  // After a change of the parameters of these units: keeps the signs that directions ask for, and brings what is
  // derived from the parameters up to date.
  void refresh(const UnitRange& units);
  void refresh_constant();

 private:
  // How input gradients are made: not at all, after the signs of all rows, or interleaved with those of the next ones.
  enum class Gradients { none, after_signs, interleaved };
  // What the groups of one call of forward() share.
  struct ForwardPlan {
    Gradients gradients = Gradients::none;
    std::size_t remainder = 0;                     // columns of G that come with the signs
    const float* columns = nullptr;                // what the sign kernels sum
    std::uint64_t* by_unit = nullptr;              // the bits of the first group
    std::uint32_t* by_row = nullptr;               // likewise, or null
    const kernels::RowTables* u_tables = nullptr;  // interleaved: the tables of U
    KeepPlanes keep;
  };
  ForwardPlan plan_forward(const ForwardRows& rows, InterleavedGradients& interleaved);
  std::size_t forward_group(const ForwardPlan& plan, const ForwardRows& rows, std::size_t at,
                            InterleavedGradients& interleaved);
  std::size_t find_signs(const ForwardPlan& plan, const ForwardRows& rows, std::size_t at, float* sums,
                         kernels::InterleavedSum* interleaved) const;
  void finish_gradients(const ForwardPlan& plan, const ForwardRows& rows) const;
  void fill_columns(std::vector<float>& columns) const;
  void clear_groups_after(std::size_t row);
  void keep_directions(const UnitRange& units);
  std::uint64_t* bits_by_unit(std::size_t row);
  std::uint32_t* bits_by_row(std::size_t row);

  CollapsedLayout layout_;
  Directions directions_;
  double keep_;
  float inverse_keep_;
  AlignedVector<float> parameters_;
  AlignedVector<float> v_;                 // (w2[:,1] - w2[:,0]) / keep
  float constant_ = 0;                     // b2[1] - b2[0]
  AlignedVector<std::int16_t> quantized_;  // W and b by kernels::quantize; empty where floats are faster
  AlignedVector<std::uint64_t> by_unit_;   // (groups, units), groups filled up to whole blocks
  AlignedVector<std::uint32_t> by_row_;    // (blocks, chunks, 256, 8); empty without input gradients
  kernels::ColumnPlan u_plan_;
  bool interleaves_;
};

}  // namespace perpend
