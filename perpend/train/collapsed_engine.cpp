#include <algorithm>
#include <atomic>

#include "perpend/base/sum.h"
#include "perpend/train/engine.h"

namespace perpend {

using kernels::kRowsPerBlock;
using kernels::kUnitsPerChunk;

namespace {

constexpr std::size_t kWhole = 256;  // rows of a block, units of a chunk: what one set of tables serves
constexpr std::size_t kHalf = kWhole / 2;
static_assert(kWhole == kRowsPerBlock && kWhole == kUnitsPerChunk);

// Shares the items (rows or units) of all members among the threads in equal contiguous spans, and calls
// use(member, first, count) for each piece of a span. Pieces are whole blocks, as they keep tables in the first-level
// cache longest; only where a span ends within a block is it cut in half.
template <class Use>
void for_each_piece(const Threads& threads, std::size_t members, std::size_t items, const Use& use) {
  const std::size_t per_member = (items + kHalf - 1) / kHalf;
  const std::size_t halves = members * per_member;
  const std::size_t spans = std::min(static_cast<std::size_t>(threads.count()), halves);
  threads.for_each(spans, [&](std::size_t span) {
    const std::size_t end = (span + 1) * halves / spans;
    for (std::size_t i = span * halves / spans; i < end;) {
      const std::size_t half = i % per_member;
      const bool whole = half % 2 == 0 && half + 1 < per_member && i + 1 < end;
      use(i / per_member, half * kHalf, std::min(whole ? kWhole : kHalf, items - half * kHalf));
      i += whole ? 2 : 1;
    }
  });
}

// Gradients live from a piece's sums to its Adam step only; all members of a thread share their place.
AlignedVector<float>& scratch_gradient(const CollapsedLayout& layout) {
  thread_local AlignedVector<float> gradient;
  gradient.resize(std::max(gradient.size(), layout.size));
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
  for (const auto& network : ensemble.members) {
    members_.emplace_back(architecture_, network, options.keep, options.max_rows, options.with_input_gradients);
    const AlignedVector<float> zeros(members_.back().layout().size, 0.0F);
    states_.push_back({zeros, zeros});
  }
}

Ensemble CollapsedEngine::ensemble() const {
  Ensemble out{architecture_, {}};
  for (const auto& member : members_) out.members.push_back(member.network());
  return out;
}

void CollapsedEngine::forward(const Batches& batches) {
  const Dropout dropout{options_.keep, options_.seed, batches.step()};
  for_each_piece(*threads_, members_.size(), batches.rows(), [&](std::size_t m, std::size_t first, std::size_t count) {
    members_[m].forward(batches[m].packed.data(), batches.rows(), first, count, dropout, options_.first_member + m,
                        seam_.scores[m].data(), seam_.gradient(m));
  });
}

bool CollapsedEngine::update_units(std::size_t m, const Batch& batch, const kernels::AdamStep& step, std::size_t first,
                                   std::size_t count) {
  CollapsedMember& member = members_[m];
  const CollapsedLayout& at = member.layout();
  State& state = states_[m];
  auto& gradient = scratch_gradient(at);
  member.unit_gradient(batch.rows, first, count, gradient.data());
  bool finite = true;
  const auto adam = [&](std::size_t offset, std::size_t n) {
    // Padding has no gradient.
    std::fill(gradient.data() + offset + n, gradient.data() + offset + round_up(n, 16), 0.0F);
    const bool good = kernels::adam(n, step, gradient.data() + offset, member.parameters() + offset,
                                    state.m.data() + offset, state.v.data() + offset);
    finite = finite && good;
  };
  adam(first * at.features, count * at.features);
  for (const std::size_t part : {at.bias, at.out0, at.out1}) adam(part + first, count);
  if (first == 0) {
    const float sum = ordered_sum(batch.rows, seam_.d_scores[m].data());
    gradient[at.out_bias] = -sum;
    gradient[at.out_bias + 1] = sum;
    adam(at.out_bias, 2);
    member.refresh_constant();
  }
  member.refresh(first, count);
  return finite;
}

void CollapsedEngine::take_adjoints(const Batches& batches, std::size_t first, std::size_t count) {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    members_[m].take_adjoints(batches[m].inputs.view(), seam_.d_scores[m].data(), seam_.gradient(m), first, count);
  }
}

bool CollapsedEngine::update(const Batches& batches, const kernels::AdamStep& step) {
  std::atomic<bool> finite = true;
  for_each_piece(*threads_, members_.size(), architecture_.hidden[0],
                 [&](std::size_t m, std::size_t first, std::size_t count) {
                   if (!update_units(m, batches[m], step, first, count)) finite = false;
                 });
  return finite;
}

}  // namespace perpend
