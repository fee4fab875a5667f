#include <algorithm>
#include <atomic>

#include "perpend/train/engine.h"

namespace perpend {

namespace {

constexpr std::size_t kInputsPerPiece = 64;

}  // namespace

GeneralEngine::GeneralEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads)
    : ensemble_(ensemble),
      options_(options),
      threads_(&threads),
      seam_(ensemble.architecture, ensemble.members.size(), options.max_rows, options.with_input_gradients) {
  for (const auto& network : ensemble.members) {
    members_.emplace_back(ensemble.architecture, options.max_rows,
                          GeneralMember<float>::Uses{.input_gradient = options.with_input_gradients});
    members_.back().transpose(network);
    const auto zeros = zero_network<float>(ensemble.architecture);
    states_.push_back({zeros, zeros, zeros});
  }
  for (std::size_t l = 0; l < ensemble.architecture.layers(); ++l) {
    const std::size_t in = ensemble.architecture.in(l);
    for (std::size_t first = 0; first < in; first += kInputsPerPiece) {
      pieces_.push_back({l, first, std::min(kInputsPerPiece, in - first)});
    }
  }
}

void GeneralEngine::forward(Batches& batches) {
  const Dropout dropout{options_.keep, options_.seed, batches.step()};
  const std::size_t pieces = (batches.rows() + kRowsPerGroup - 1) / kRowsPerGroup;
  batches.of(0, 0);  // gathers the batch before the threads share it
  threads_->for_each(members_.size() * pieces, [&](std::size_t i) {
    const std::size_t m = i / pieces;
    const std::size_t first = i % pieces * kRowsPerGroup;
    const std::size_t count = std::min(kRowsPerGroup, batches.rows() - first);
    members_[m].forward(ensemble_.members[m], batches.of(m, 0).inputs.view(), first, count, dropout,
                        options_.first_member + m, seam_.scores[m]);
    if (seam_.with_input_gradients()) members_[m].input_gradient(first, count, seam_.input_gradients[m]);
  });
}

bool GeneralEngine::update_inputs(std::size_t member, const Batch& batch, const kernels::AdamStep& step,
                                  const WeightPiece& p) {
  State& state = states_[member];
  Layer<float>& gradient = state.gradient.layers[p.layer];
  Layer<float>& m = state.m.layers[p.layer];
  Layer<float>& v = state.v.layers[p.layer];
  Layer<float>& layer = ensemble_.members[member].layers[p.layer];
  members_[member].weight_gradient(batch.inputs.view(), seam_.gradient(member), batch.rows, p.layer, p.first, p.count,
                                   gradient);
  bool finite = kernels::adam(step, {.n = p.count * layer.weight.stride(),
                                     .gradient = gradient.weight.row(p.first),
                                     .weights = layer.weight.row(p.first),
                                     .m = m.weight.row(p.first),
                                     .v = v.weight.row(p.first)});
  if (p.first == 0) {
    const bool finite_bias = kernels::adam(step, {.n = layer.bias.size(),
                                                  .gradient = gradient.bias.data(),
                                                  .weights = layer.bias.data(),
                                                  .m = m.bias.data(),
                                                  .v = v.bias.data()});
    finite = finite && finite_bias;
  }
  members_[member].transpose(ensemble_.members[member], p.layer, p.first, p.count);
  return finite;
}

// Member by member, as far as there are threads for them: what one pass leaves in the caches is what the next reads.
bool GeneralEngine::update(Batches& batches, const kernels::AdamStep& step) {
  const std::size_t groups = (batches.rows() + kRowsPerGroup - 1) / kRowsPerGroup;
  std::atomic<bool> finite = true;
  threads_->for_each(members_.size(), [&](std::size_t m) {
    threads_->for_each(groups, [&](std::size_t i) {
      const std::size_t first = i * kRowsPerGroup;
      members_[m].backward_rows(ensemble_.members[m], seam_.d_scores[m], seam_.gradient(m), first,
                                std::min(kRowsPerGroup, batches.rows() - first));
    });
    threads_->for_each(pieces_.size(), [&](std::size_t i) {
      if (!update_inputs(m, batches.of(m, 0), step, pieces_[i])) finite = false;
    });
  });
  return finite;
}

}  // namespace perpend
