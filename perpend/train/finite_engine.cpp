#include <algorithm>
#include <numeric>

#include "perpend/train/engine.h"

namespace perpend {

namespace {

Dataset room_for(std::size_t rows, const Architecture& architecture) {
  return {.inputs = Inputs(rows, architecture.features),
          .labels = std::vector<std::int32_t>(rows, 0),
          .classes = {},
          .features = {},
          .weights = {}};
}

EngineOptions wider(EngineOptions options, std::size_t blocks) {
  options.max_rows *= blocks;
  options.with_input_gradients = false;
  return options;
}

}  // namespace

FiniteEngine::FiniteEngine(const Ensemble& ensemble, const EngineOptions& options, const Threads& threads)
    : threads_(&threads),
      ascent_(options.ascent),
      blocks_(1 + ensemble.members.size()),
      engine_(ensemble, wider(options, blocks_), threads),
      rows_(room_for(options.max_rows * blocks_, ensemble.architecture)),
      order_(1, RowList(rows_.rows())),
      batches_(rows_, rows_.rows(), 1, GeneralEngine::layout(), threads),
      seam_(ensemble.architecture, ensemble.members.size(), options.max_rows, false) {
  std::iota(order_[0].begin(), order_[0].end(), 0U);
  seam_.scores = {ensemble.members.size(), seam_.scores.rows(), blocks_};
  seam_.d_scores = seam_.scores;
}

void FiniteEngine::forward(Batches& batches) {
  const InputsView given = batches.of(0, 0).view();
  const std::size_t count = batches.rows();
  const Ensemble now = engine_.ensemble();
  for (std::size_t b = 0; b < blocks_; ++b) {
    const Inputs highest = b == 0 ? Inputs() : ascend(now, b - 1, given, ascent_, *threads_);
    const InputsView block = b == 0 ? given : highest.view();
    for (std::size_t r = 0; r < count; ++r) std::copy_n(block.row(r), given.cols(), rows_.inputs.row(b * count + r));
  }
  batches_.begin(order_, 0, count * blocks_, {}, batches.step());
  engine_.forward(batches_);
  for (std::size_t m = 0; m + 1 < blocks_; ++m) {
    for (std::size_t i = 0; i < count * blocks_; ++i) {
      seam_.scores[m](i % count, i / count) = engine_.seam().scores[m](i, 0);
    }
  }
}

bool FiniteEngine::update(Batches& batches, const kernels::AdamStep& step) {
  const std::size_t count = batches.rows();
  for (std::size_t m = 0; m + 1 < blocks_; ++m) {
    for (std::size_t i = 0; i < count * blocks_; ++i) {
      engine_.seam().d_scores[m](i, 0) = seam_.d_scores[m](i % count, i / count);
    }
  }
  return engine_.update(batches_, step);
}

}  // namespace perpend
