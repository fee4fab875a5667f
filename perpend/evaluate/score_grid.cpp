#include "perpend/evaluate/score_grid.h"

#include "perpend/base/parallel.h"
#include "perpend/model/predict.h"

namespace perpend {

ScoreGrid score_grid(const Ensemble& ensemble, std::size_t columns, std::size_t rows, float extent) {
  ScoreGrid grid{columns, rows, extent, {}};
  Inputs inputs(columns * rows, 2);
  for (std::size_t i = 0; i < columns * rows; ++i) {
    const std::size_t row = i / columns;
    inputs(i, 0) = grid.x(static_cast<double>(i % columns));
    inputs(i, 1) = grid.y(static_cast<double>(row));
  }
  const auto scores = member_scores(ensemble, inputs.view(), Threads(1));
  for (std::size_t m = 0; m < scores.members(); ++m) {
    grid.scores.emplace_back(columns * rows);
    for (std::size_t i = 0; i < columns * rows; ++i) grid.scores[m][i] = scores[m](i, 0);
  }
  return grid;
}

}  // namespace perpend
