#include <algorithm>
#include <atomic>

#include "perpend/model/monotone.h"
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
  const Architecture& architecture = ensemble.architecture;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    members_.emplace_back(architecture.behind_view(m), options.max_rows,
                          GeneralMember<float>::Uses{.input_gradient = options.with_input_gradients});
    members_.back().transpose(ensemble.members[m]);
    const auto zeros = zero_network<float>(architecture, m);
    states_.push_back({zeros, zeros, zeros});
    pieces_.emplace_back();
    for (std::size_t l = 0; l < architecture.layers(); ++l) {
      const std::size_t in = architecture.in(l, m);
      for (std::size_t first = 0; first < in; first += kInputsPerPiece) {
        pieces_.back().push_back({l, first, std::min(kInputsPerPiece, in - first)});
      }
    }
    if (!options.directions.empty()) directions_.push_back(input_directions(architecture, m, options.directions));
    if (!architecture.has_views()) continue;
    const std::size_t rows = round_up(options.max_rows, kRowsPerGroup);
    layouts_.push_back(architecture.layout_of(m));
    expanded_.emplace_back(rows, layouts_[m].rows());
    by_input_.emplace_back(options.with_input_gradients ? rows : 0, layouts_[m].rows());
  }
}

InputsView GeneralEngine::inputs_of(std::size_t member, const Batch& batch) const {
  return layouts_.empty() ? batch.inputs.view() : expanded_[member].view();
}

MatrixView<float, axis::Row, axis::Feature> GeneralEngine::gradient_of(std::size_t member) {
  if (layouts_.empty() || !seam_.with_input_gradients()) return seam_.gradient(member);
  return by_input_[member].view();
}

void GeneralEngine::forward(Batches& batches) {
  const Dropout dropout{options_.keep, options_.seed, batches.step()};
  const std::size_t pieces = (batches.rows() + kRowsPerGroup - 1) / kRowsPerGroup;
  batches.of(0, 0);  // gathers the batch before the threads share it
  threads_->for_each(members_.size() * pieces, [&](std::size_t i) {
    const std::size_t m = i / pieces;
    const std::size_t first = i % pieces * kRowsPerGroup;
    const std::size_t count = std::min(kRowsPerGroup, batches.rows() - first);
    const Batch& batch = batches.of(m, 0);
    if (!layouts_.empty()) {
      layouts_[m].expand(batch.inputs.view().middle_rows(first, count), expanded_[m].view().middle_rows(first, count));
    }
    members_[m].forward(ensemble_.members[m], inputs_of(m, batch), first, count, dropout, options_.first_member + m,
                        seam_.scores[m]);
    if (!seam_.with_input_gradients()) return;
    members_[m].input_gradient(first, count, gradient_of(m));
    if (layouts_.empty()) return;
    layouts_[m].contract<float>(batch.inputs.view().middle_rows(first, count),
                                by_input_[m].view().middle_rows(first, count),
                                seam_.input_gradients[m].middle_rows(first, count));
  });
}

bool GeneralEngine::update_inputs(std::size_t member, const Batch& batch, const kernels::AdamStep& step,
                                  const WeightPiece& p) {
  State& state = states_[member];
  Layer<float>& gradient = state.gradient.layers[p.layer];
  Layer<float>& m = state.m.layers[p.layer];
  Layer<float>& v = state.v.layers[p.layer];
  Layer<float>& layer = ensemble_.members[member].layers[p.layer];
  members_[member].weight_gradient(inputs_of(member, batch), gradient_of(member), batch.rows, p.layer, p.first, p.count,
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

// Updates member by member, as far as threads allow, because each pass then reads from the caches what the one before
// left there.
bool GeneralEngine::update(Batches& batches, const kernels::AdamStep& step) {
  const std::size_t groups = (batches.rows() + kRowsPerGroup - 1) / kRowsPerGroup;
  std::atomic<bool> finite = true;
  threads_->for_each(members_.size(), [&](std::size_t m) {
    threads_->for_each(groups, [&](std::size_t i) {
      const std::size_t first = i * kRowsPerGroup;
      const std::size_t count = std::min(kRowsPerGroup, batches.rows() - first);
      if (!layouts_.empty() && seam_.with_input_gradients()) {
        layouts_[m].spread<float>(batches.of(m, 0).inputs.view().middle_rows(first, count),
                                  seam_.input_gradients[m].middle_rows(first, count),
                                  by_input_[m].view().middle_rows(first, count));
      }
      members_[m].backward_rows(ensemble_.members[m], seam_.d_scores[m], gradient_of(m), first, count);
    });
    threads_->for_each(pieces_[m].size(), [&](std::size_t i) {
      if (!update_inputs(m, batches.of(m, 0), step, pieces_[m][i])) finite = false;
    });
    if (directions_.empty()) return;
    project(directions_[m], ensemble_.members[m]);
    members_[m].transpose(ensemble_.members[m]);
  });
  return finite;
}

}  // namespace perpend
