// The seam for one hidden ReLU layer and two classes, as fast as the machine allows: see kernels/collapsed.h for the
// algebra.
//
// It has the same meaning, the same random masks and, within rounding, the same numbers as GeneralMember. Rows do not
// depend on each other in forward, nor do hidden units in sum_units, unit_gradient and refresh. So forward may be cut
// by rows, and the others by units, anywhere.
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

// A batch in groups of 64 rows, as the sign kernels read them. kernels::pack_quantized fills `quantized`, or
// kernels::pack_group fills `packed`. `inputs` says where the rows lie.
struct CollapsedBatch {
  std::size_t rows = 0;
  kernels::IndexedRows inputs;
  const float* packed = nullptr;
  const std::int16_t* quantized = nullptr;
};

// Rows of one member whose input gradients are being summed. Each score holds c and the biases' part; finish() adds the
// rest, which is x . G.
struct UnfinishedScores {
  kernels::IndexedRows inputs;
  float* scores = nullptr;
  MatrixView<float, axis::Row, axis::Feature> gradient;
  void finish() const;
};

// One thread sums these input gradients while it finds the signs of later rows, of the same member or of the next
// (kernels::InterleavedSum). Only one group of rows is pending at a time.
class InterleavedGradients {
 public:
  explicit InterleavedGradients(const kernels::ColumnPlan& plan)
      : sum_(std::make_unique<kernels::InterleavedSum>()), tables_(2, kernels::RowTables{plan}) {}
  kernels::InterleavedSum* sum() { return sum_.get(); }
  // The tables of U for the next piece of rows. There are two of them, because those of the previous piece may still be
  // read.
  kernels::RowTables& next_tables() { return tables_[piece_++ % 2]; }
  // Starts a group of rows. The previous group must be finished.
  void start(const std::uint32_t* by_row, const kernels::RowTables& tables, const UnfinishedScores& rows);
  // Sums what is left of the pending group, and finishes its scores.
  void finish();

 private:
  std::unique_ptr<kernels::InterleavedSum> sum_;
  std::vector<kernels::RowTables> tables_;
  std::size_t piece_ = 0;
  std::optional<UnfinishedScores> rows_;
};

// Rows first .. first + count of a batch, for forward. first is a multiple of 64, and the rows are within one block of
// 256.
struct ForwardRows {
  CollapsedBatch batch;
  std::size_t first = 0;
  std::size_t count = 0;
  Dropout dropout;
  std::size_t member = 0;                                // in the names of random streams
  float* scores = nullptr;                               // of the whole batch
  MatrixView<float, axis::Row, axis::Feature> gradient;  // of the whole batch, or an empty view
};

// Units first .. first + count of a member, for the backward pass; at most 256 of them.
using kernels::UnitRange;

// The backward pass starts from these: the adjoints of scores and of input gradients (an empty view without penalty).
struct BatchAdjoints {
  std::size_t rows = 0;
  kernels::IndexedRows inputs;
  const float* d_scores = nullptr;
  MatrixView<const float, axis::Row, axis::Feature> d_gradient;
};

// The gradients of some units: weights (units, D) without padding, biases and w2[:,1]. The gradient of w2[:,0] is minus
// that of w2[:,1].
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
  // Whether it reads quantized batches; otherwise it reads packed ones. It may be told to use floats from now on.
  bool is_quantized() const { return !quantized_.empty(); }
  void use_floats() { quantized_.clear(); }

  // Computes scores and, unless the view is empty, input gradients. With input gradients, both are complete only when
  // `interleaved` is finished, and the data must stay in place until then. Returns how many signs fell back to floats.
  std::size_t forward(const ForwardRows& rows, InterleavedGradients& interleaved);
  // Sums what the gradients of the units need, over the rows of a batch. The thread keeps the sums until its next call.
  void sum_units(const BatchAdjoints& adjoints, const UnitRange& units) const;
  // Computes, from those sums, the gradient of the units `some`, which must be among them. `first` is the first unit of
  // the call above.
  void unit_gradient(std::size_t first, const UnitRange& some, const UnitGradientPlaces& out) const;
  // Must be called after a change of the parameters of these units. It keeps the signs that directions ask for, and
  // updates what is derived from the parameters.
  void refresh(const UnitRange& units);
  void refresh_constant();

 private:
  // When input gradients are made: not at all, after the signs of all rows, or interleaved with the signs of the next
  // rows.
  enum class Gradients { none, after_signs, interleaved };
  // The groups of one call of forward() share this.
  struct ForwardPlan {
    Gradients gradients = Gradients::none;
    std::size_t remainder = 0;                     // columns of G that the sign kernels sum
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
