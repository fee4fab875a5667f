#include <algorithm>

#include "perpend/base/sum.h"
#include "perpend/train/engine.h"

namespace perpend {

using kernels::kRowsPerBlock;
using kernels::kUnitsPerChunk;

namespace {

// One thread takes whole blocks, which keeps tables in the first-level cache longest; several take halves, to even out.
std::size_t piece_of(std::size_t whole, const Threads& threads) { return threads.count() == 1 ? whole : whole / 2; }

}  // namespace

Seam::Seam(const Architecture& architecture, std::size_t members, std::size_t max_rows, bool with_input_gradients)
    : scores(members, round_up(max_rows, kRowsPerGroup), architecture.scores()),
      d_scores(members, round_up(max_rows, kRowsPerGroup), architecture.scores()),
      input_gradients(with_input_gradients ? members : 0, round_up(max_rows, kRowsPerGroup), architecture.features) {}

CollapsedEngine::CollapsedEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads)
    : architecture_(ensemble.architecture),
      options_(options),
      threads_(&threads),
      seam_(architecture_, ensemble.members.size(), options.max_rows, options.with_input_gradients) {
  for (const auto& network : ensemble.members) {
    members_.emplace_back(architecture_, network, options.keep, options.max_rows, options.with_input_gradients);
    const AlignedVector<float> zeros(members_.back().layout().size, 0.0F);
    states_.push_back({zeros, zeros, zeros});
  }
}

Ensemble CollapsedEngine::ensemble() const {
  Ensemble out{architecture_, {}};
  for (const auto& member : members_) out.members.push_back(member.network());
  return out;
}

void CollapsedEngine::forward(const Batch& batch) {
  const Dropout dropout{options_.keep, options_.seed, batch.step};
  const std::size_t piece = piece_of(kRowsPerBlock, *threads_);
  const std::size_t pieces = (batch.rows + piece - 1) / piece;
  threads_->for_each(members_.size() * pieces, [&](std::size_t i) {
    const std::size_t m = i / pieces;
    const std::size_t first = i % pieces * piece;
    members_[m].forward(batch.packed.data(), batch.rows, first, std::min(piece, batch.rows - first), dropout, m,
                        seam_.scores[m].data(), seam_.gradient(m));
  });
}

bool CollapsedEngine::update_units(std::size_t m, const Batch& batch, const kernels::AdamStep& step, std::size_t first,
                                   std::size_t count) {
  CollapsedMember& member = members_[m];
  const CollapsedLayout& at = member.layout();
  State& state = states_[m];
  member.unit_gradient(batch.rows, first, count, state.gradient.data());
  bool finite = true;
  const auto adam = [&](std::size_t offset, std::size_t n) {
    const bool good = kernels::adam(n, step, state.gradient.data() + offset, member.parameters() + offset,
                                    state.m.data() + offset, state.v.data() + offset);
    finite = finite && good;
  };
  adam(first * at.features, count * at.features);
  for (const std::size_t part : {at.bias, at.out0, at.out1}) adam(part + first, count);
  if (first == 0) {
    const float sum = ordered_sum(batch.rows, seam_.d_scores[m].data());
    state.gradient[at.out_bias] = -sum;
    state.gradient[at.out_bias + 1] = sum;
    adam(at.out_bias, 2);
    member.refresh_constant();
  }
  member.refresh(first, count);
  return finite;
}

bool CollapsedEngine::update(const Batch& batch, const kernels::AdamStep& step) {
  const std::size_t rows_piece = piece_of(kRowsPerBlock, *threads_);
  const std::size_t row_pieces = (batch.rows + rows_piece - 1) / rows_piece;
  threads_->for_each(members_.size() * row_pieces, [&](std::size_t i) {
    const std::size_t m = i / row_pieces;
    const std::size_t first = i % row_pieces * rows_piece;
    members_[m].take_adjoints(batch.inputs.view(), seam_.d_scores[m].data(), seam_.gradient(m), first,
                              std::min(rows_piece, batch.rows - first));
  });
  const std::size_t units = architecture_.hidden[0];
  const std::size_t units_piece = piece_of(kUnitsPerChunk, *threads_);
  const std::size_t unit_pieces = (units + units_piece - 1) / units_piece;
  std::vector<char> finite(members_.size() * unit_pieces);
  threads_->for_each(finite.size(), [&](std::size_t i) {
    const std::size_t first = i % unit_pieces * units_piece;
    finite[i] = update_units(i / unit_pieces, batch, step, first, std::min(units_piece, units - first)) ? 1 : 0;
  });
  return std::all_of(finite.begin(), finite.end(), [](char good) { return good != 0; });
}

}  // namespace perpend
