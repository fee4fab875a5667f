#include <algorithm>
#include <atomic>

#include "perpend/base/sum.h"
#include "perpend/train/engine.h"

namespace perpend {

using kernels::kRowsPerBlock;
using kernels::kUnitsPerChunk;

namespace {

constexpr std::size_t kWhole = 256;  // rows of a block, units of a chunk: the size that tables are made for
constexpr std::size_t kHalf = kWhole / 2;
static_assert(kWhole == kRowsPerBlock && kWhole == kUnitsPerChunk);

struct Piece {
  std::size_t member, first, count;  // items (rows or units) first .. first + count of a member
};

// Shares the items of all members among the threads in equal contiguous spans. It calls use(span, piece) for each piece
// of a span in order, then finish(span). Pieces are whole blocks, because these make the best use of the tables in the
// first-level cache. A block is cut in half only where a span ends within it.
template <class Use, class Finish>
void for_each_piece(const Threads& threads, std::size_t members, std::size_t items, const Use& use,
                    const Finish& finish) {
  const std::size_t per_member = (items + kHalf - 1) / kHalf;
  const std::size_t halves = members * per_member;
  const std::size_t spans = std::min(static_cast<std::size_t>(threads.count()), halves);
  threads.for_each(spans, [&](std::size_t span) {
    const std::size_t end = (span + 1) * halves / spans;
    for (std::size_t i = span * halves / spans; i < end;) {
      const std::size_t half = i % per_member;
      const bool whole = half % 2 == 0 && half + 1 < per_member && i + 1 < end;
      use(span, Piece{i / per_member, half * kHalf, std::min(whole ? kWhole : kHalf, items - half * kHalf)});
      i += whole ? 2 : 1;
    }
    finish(span);
  });
}

// The gradients of this many units are handed to Adam at a time, so that they are still in the first-level cache: at
// 116 features 32 units are 15 KB. It is a multiple of 16, so that their weights fill whole vectors.
constexpr std::size_t kUnitsPerUpdate = 32;

// The gradients of a piece: the weights of kUnitsPerUpdate units, and the biases and the weights of the two logits of
// all its units. All members of a thread share this memory.
struct ScratchGradient {
  AlignedVector<float> weights;
  alignas(64) float bias[kWhole];
  alignas(64) float out0[kWhole];
  alignas(64) float out1[kWhole];
};
ScratchGradient& scratch_gradient(std::size_t features) {
  thread_local ScratchGradient gradient;
  gradient.weights.resize(std::max(gradient.weights.size(), kUnitsPerUpdate * features + 16));
  return gradient;
}

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
  const auto plan = kernels::ColumnPlan::of_u(options.with_input_gradients ? architecture_.features : 0);
  for (int span = 0; span < threads.count(); ++span) interleaved_.emplace_back(plan);
  for (const auto& network : ensemble.members) {
    members_.emplace_back(architecture_, network,
                          CollapsedMember::Options{.keep = options.keep,
                                                   .max_rows = options.max_rows,
                                                   .with_input_gradient = options.with_input_gradients,
                                                   .directions = options.directions});
    const AlignedVector<float> zeros(members_.back().layout().size, 0.0F);
    states_.push_back({zeros, zeros});
  }
}

Ensemble CollapsedEngine::ensemble() const {
  Ensemble out{architecture_, {}};
  for (const auto& member : members_) out.members.push_back(member.network());
  return out;
}

void CollapsedEngine::forward(Batches& batches) {
  const Dropout dropout{options_.keep, options_.seed, batches.step()};
  std::atomic<std::size_t> fallbacks = 0;
  batches.use(layout());
  for_each_piece(
      *threads_, members_.size(), batches.rows(),
      [&](std::size_t span, const Piece& piece) {
        const std::size_t m = piece.member;
        const Batch& batch = batches.of(m, span);
        fallbacks += members_[m].forward({.batch = {.rows = batch.rows,
                                                    .inputs = batch.in_data,
                                                    .packed = batch.packed.data(),
                                                    .quantized = batch.quantized.data()},
                                          .first = piece.first,
                                          .count = piece.count,
                                          .dropout = dropout,
                                          .member = options_.first_member + m,
                                          .scores = seam_.scores[m].data(),
                                          .gradient = seam_.gradient(m)},
                                         interleaved_[span]);
      },
      [&](std::size_t span) { interleaved_[span].finish(); });
  const std::size_t signs = members_.size() * batches.rows() * architecture_.hidden[0];
  if (kernels::fallbacks_are_few(architecture_.features, fallbacks, signs)) return;
  for (auto& member : members_) member.use_floats();
}

bool CollapsedEngine::update_units(std::size_t m, const Batch& batch, const kernels::AdamStep& step,
                                   const UnitRange& units) {
  const auto [first, count] = units;
  CollapsedMember& member = members_[m];
  const CollapsedLayout& at = member.layout();
  auto& gradient = scratch_gradient(at.features);
  bool finite = true;
  const auto adam = [&](std::size_t n, float* d, std::size_t offset) {
    // Padding has no gradient.
    std::fill(d + n, d + round_up(n, 16), 0.0F);
    const bool good = kernels::adam(step, {.n = n,
                                           .gradient = d,
                                           .weights = member.parameters() + offset,
                                           .m = states_[m].m.data() + offset,
                                           .v = states_[m].v.data() + offset});
    finite = finite && good;
  };
  member.sum_units({.rows = batch.rows,
                    .inputs = batch.in_data,
                    .d_scores = seam_.d_scores[m].data(),
                    .d_gradient = seam_.gradient(m)},
                   units);
  for (std::size_t u = 0; u < count; u += kUnitsPerUpdate) {
    const std::size_t n = std::min(kUnitsPerUpdate, count - u);
    member.unit_gradient(
        first, {.first = first + u, .count = n},
        {.d_weights = gradient.weights.data(), .d_bias = gradient.bias + u, .d_out1 = gradient.out1 + u});
    adam(n * at.features, gradient.weights.data(), (first + u) * at.features);
  }
  for (std::size_t u = 0; u < count; ++u) gradient.out0[u] = -gradient.out1[u];
  adam(count, gradient.bias, at.bias + first);
  adam(count, gradient.out0, at.out0 + first);
  adam(count, gradient.out1, at.out1 + first);
  if (first == 0) {
    const float sum = ordered_sum(batch.rows, seam_.d_scores[m].data());
    alignas(64) float d[16] = {-sum, sum};
    adam(2, d, at.out_bias);
    member.refresh_constant();
  }
  member.refresh(units);
  return finite;
}

bool CollapsedEngine::update(Batches& batches, const kernels::AdamStep& step) {
  std::atomic<bool> finite = true;
  for_each_piece(
      *threads_, members_.size(), architecture_.hidden[0],
      [&](std::size_t span, const Piece& piece) {
        const std::size_t m = piece.member;
        if (!update_units(m, batches.of(m, span), step, {piece.first, piece.count})) finite = false;
      },
      [](std::size_t) {});
  return finite;
}

}  // namespace perpend
