#include <algorithm>
#include <atomic>

#include "perpend/train/engine.h"

namespace perpend {

namespace {

// With few members per thread, threads share the rows, or the units, of one member.
bool has_few(std::size_t members, const Threads& threads) {
  return threads.count() > 1 && members < 2 * static_cast<std::size_t>(threads.count());
}

}  // namespace

TableEngine::TableEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads)
    : architecture_(ensemble.architecture),
      options_(options),
      threads_(&threads),
      seam_(architecture_, ensemble.members.size(), options.max_rows, options.with_input_gradients) {
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    const View view = architecture_.view_of(m);
    const auto known = std::ranges::find(views_, view, &OfView::view);
    view_of_.push_back(static_cast<std::size_t>(known - views_.begin()));
    if (known == views_.end()) views_.push_back({view, architecture_.layout_of(m), {}, {}});
  }
  // Members keep the address of their layout, which no longer moves.
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    members_.emplace_back(
        views_[view_of_[m]].layout, ensemble.members[m],
        TableMember::Options{.keep = options.keep, .max_rows = options.max_rows, .directions = options.directions});
  }
}

Ensemble TableEngine::ensemble() const {
  Ensemble out{architecture_, {}};
  for (const auto& member : members_) out.members.push_back(member.network());
  return out;
}

void TableEngine::forward(Batches& batches) {
  const Dropout dropout{options_.keep, options_.seed, batches.step()};
  const std::size_t lists = batches.shared() ? 1 : members_.size();
  for (std::size_t i = 0; i < lists; ++i) batches.of(i, 0);  // gathers the rows before the threads share them
  for (OfView& of : views_) {
    if (of.found.empty()) of.found = find_rows(of.layout, batches.data().inputs.view());
    while (of.batches.size() < lists) of.batches.emplace_back(of.layout, options_.max_rows);
  }
  threads_->for_each(views_.size() * lists, [&](std::size_t i) {
    OfView& of = views_[i / lists];
    const Batch& batch = batches.of(i % lists, 0);
    of.batches[i % lists].gather(of.layout, batch.in_data, batch.rows, of.found.data(), true);
  });
  const std::size_t per_piece = has_few(members_.size(), *threads_) ? kRowsPerGroup : kernels::kRowsPerBlock;
  const std::size_t pieces = (batches.rows() + per_piece - 1) / per_piece;
  threads_->for_each(members_.size() * pieces, [&](std::size_t i) {
    const std::size_t m = i / pieces;
    const std::size_t first = i % pieces * per_piece;
    members_[m].forward({.batch = &batch_of(m, batches.shared()),
                         .first = first,
                         .count = std::min(per_piece, batches.rows() - first),
                         .dropout = dropout,
                         .member = options_.first_member + m,
                         .scores = seam_.scores[m].data(),
                         .gradient = seam_.gradient(m)});
  });
}

bool TableEngine::update(Batches& batches, const kernels::AdamStep& step) {
  const std::size_t units = architecture_.hidden[0];
  const std::size_t per_piece = kernels::kUnitsPerChunk / (has_few(members_.size(), *threads_) ? 2 : 1);
  const std::size_t pieces = (units + per_piece - 1) / per_piece;
  std::atomic<bool> finite = true;
  threads_->for_each(members_.size() * pieces, [&](std::size_t i) {
    const std::size_t m = i / pieces;
    const std::size_t first = i % pieces * per_piece;
    const TableMember::Adjoints adjoints{
        .batch = &batch_of(m, batches.shared()), .d_scores = seam_.d_scores[m].data(), .d_gradient = seam_.gradient(m)};
    if (!members_[m].update_units(adjoints, step, first, std::min(per_piece, units - first))) finite = false;
    if (first == 0 && !members_[m].update_output(adjoints, step)) finite = false;
  });
  return finite;
}

}  // namespace perpend
