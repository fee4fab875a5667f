#include <algorithm>

#include "perpend/train/engine.h"

namespace perpend {

namespace {

constexpr std::size_t kInputsPerPiece = 64;

struct WeightPiece {
  std::size_t member, layer, first, count;
};

}  // namespace

GeneralEngine::GeneralEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads)
    : ensemble_(ensemble),
      options_(options),
      threads_(&threads),
      seam_(ensemble.architecture, ensemble.members.size(), options.max_rows, options.with_input_gradients) {
  for (const auto& network : ensemble.members) {
    members_.emplace_back(ensemble.architecture, round_up(options.max_rows, kRowsPerGroup));
    members_.back().transpose(network);
    const auto zeros = zero_network<float>(ensemble.architecture);
    states_.push_back({zeros, zeros, zeros});
  }
}

void GeneralEngine::forward(Batches& batches) {
  const Dropout dropout{options_.keep, options_.seed, batches.step()};
  const std::size_t pieces = (batches.rows() + kRowsPerGroup - 1) / kRowsPerGroup;
  batches.of(0, 0);
  threads_->for_each(members_.size() * pieces, [&](std::size_t i) {
    const std::size_t m = i / pieces;
    const std::size_t first = i % pieces * kRowsPerGroup;
    const std::size_t count = std::min(kRowsPerGroup, batches.rows() - first);
    members_[m].forward(ensemble_.members[m], batches.of(m, 0).inputs.view(), first, count, dropout,
                        options_.first_member + m, seam_.scores[m]);
    if (seam_.with_input_gradients()) members_[m].input_gradient(first, count, seam_.input_gradients[m]);
  });
}

bool GeneralEngine::update(Batches& batches, const kernels::AdamStep& step) {
  const std::size_t groups = (batches.rows() + kRowsPerGroup - 1) / kRowsPerGroup;
  threads_->for_each(members_.size() * groups, [&](std::size_t i) {
    const std::size_t m = i / groups;
    const std::size_t first = i % groups * kRowsPerGroup;
    members_[m].backward_rows(ensemble_.members[m], seam_.d_scores[m], seam_.gradient(m), first,
                              std::min(kRowsPerGroup, batches.rows() - first));
  });
  std::vector<WeightPiece> pieces;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    for (std::size_t l = 0; l < ensemble_.architecture.layers(); ++l) {
      const std::size_t in = ensemble_.architecture.in(l);
      for (std::size_t first = 0; first < in; first += kInputsPerPiece) {
        pieces.push_back({m, l, first, std::min(kInputsPerPiece, in - first)});
      }
    }
  }
  std::vector<char> finite(pieces.size());
  threads_->for_each(pieces.size(), [&](std::size_t i) {
    const WeightPiece& p = pieces[i];
    State& state = states_[p.member];
    Layer<float>& gradient = state.gradient.layers[p.layer];
    Layer<float>& m = state.m.layers[p.layer];
    Layer<float>& v = state.v.layers[p.layer];
    Layer<float>& layer = ensemble_.members[p.member].layers[p.layer];
    members_[p.member].weight_gradient(batches.of(p.member, 0).inputs.view(), seam_.gradient(p.member), batches.rows(),
                                       p.layer, p.first, p.count, gradient);
    bool good = kernels::adam(p.count * layer.weight.stride(), step, gradient.weight.row(p.first),
                              layer.weight.row(p.first), m.weight.row(p.first), v.weight.row(p.first));
    if (p.first == 0) {
      good = kernels::adam(layer.bias.size(), step, gradient.bias.data(), layer.bias.data(), m.bias.data(),
                           v.bias.data()) &&
             good;
    }
    finite[i] = good ? 1 : 0;
  });
  threads_->for_each(members_.size(), [&](std::size_t m) { members_[m].transpose(ensemble_.members[m]); });
  return std::all_of(finite.begin(), finite.end(), [](char good) { return good != 0; });
}

}  // namespace perpend
