// The rows of one step, laid out as the kernels read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/aligned.h"
#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/kernels/collapsed.h"

namespace perpend {

// The collapsed engine reads its rows twice: packed for its kernels, as floats or quantized, and where they lie in the
// data. The engine of tables reads them in the data only. The other engines read a copy.
enum class BatchLayout { copied, packed, quantized, in_data };

struct Batch {
  std::size_t rows = 0;
  std::size_t labelled = 0;                // the labelled rows come first
  Inputs inputs;                           // copied: the first `rows` rows
  AlignedVector<float> packed;             // packed: groups of 64 rows by kernels::pack_group
  AlignedVector<std::int16_t> quantized;   // quantized: groups of 64 rows by kernels::pack_quantized
  kernels::IndexedRows in_data;            // where the rows lie in the data
  AlignedVector<std::int32_t> labels;      // padded with zeros to 64
  AlignedVector<float> targets;            // the same for a regression; else empty
  AlignedVector<float> weights;            // sum 1; 0 for rows without a label; padded with zeros to 64
  AlignedVector<float> unlabeled_weights;  // sum 1, including rows without labels; empty if all have one
  std::span<const std::uint32_t> indices;  // which rows of the data these are

  Batch(std::size_t max_rows, std::size_t features, BatchLayout layout);
  InputsView view() const { return inputs.view().middle_rows(0, rows); }
  // Rows without labels come last (data has fewer labels than rows). quantized_rows has all rows of the data by
  // kernels::quantize, for the layout `quantized`.
  void gather(const Dataset& data, const std::int16_t* quantized_rows, std::span<const float> row_weights,
              std::span<const std::uint32_t> order);

 private:
  void gather_weights(std::span<const float> row_weights);
};

using RowList = std::vector<std::uint32_t>;

// What the members see in a step: the same rows for all of them or, in bagging, rows of their own.
//
// Rows that all members share are gathered once per thread. A copy of its own costs a thread less than reading what
// another core has just written.
class Batches {
 public:
  // `lists` is 1 or the number of members.
  Batches(const Dataset& data, std::size_t max_rows, std::size_t lists, BatchLayout layout, const Threads& threads);

  // Begins a step with entries first .. first + count of the one list, or of each member's. Lists and weights are read
  // until the next call. Weights are those of the data's rows; if they are empty, every row counts once.
  void begin(std::span<const RowList> lists, std::size_t first, std::size_t count, std::span<const float> row_weights,
             std::uint32_t step);
  // Changes the layout of rows from this step on.
  void use(BatchLayout layout);
  std::size_t rows() const { return count_; }
  std::uint32_t step() const { return step_; }
  bool shared() const { return shared_; }
  const Dataset& data() const { return data_; }
  // The batch of a member. `piece` identifies the calling thread's share of the work (0 <= piece < threads). Each piece
  // has its own copy of a shared batch, which is gathered at the piece's first call in a step.
  const Batch& of(std::size_t member, std::size_t piece);

 private:
  void lay_out(BatchLayout layout);
  void gather(std::size_t i);
  void gather_own();

  const Dataset& data_;
  const Threads& threads_;
  std::size_t max_rows_;
  BatchLayout layout_;
  bool shared_;
  AlignedVector<std::int16_t> quantized_rows_;  // all rows of the data, quantized once
  std::vector<Batch> batches_;
  std::vector<char> is_gathered_;
  std::span<const RowList> lists_;
  std::span<const float> row_weights_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::uint32_t step_ = 0;
};

}  // namespace perpend
