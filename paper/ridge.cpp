#include "paper/ridge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paper/correlations.h"
#include "perpend/report/study_charts.h"

namespace perpend::paper {

namespace {

double standard_error(const Spread& spread) {
  return spread.sd ? *spread.sd / std::sqrt(static_cast<double>(spread.count)) : 0;
}

std::optional<RidgePoint> summit(const std::vector<const StudyCell*>& cells) {
  const StudyCell* best = nullptr;
  for (const auto* cell : cells) {
    if (best == nullptr || *cell->auc.mean > *best->auc.mean) best = cell;
  }
  if (best == nullptr) return std::nullopt;
  RidgePoint point{best->members, *best->lambda, *best->auc.mean, 0};
  for (const auto* cell : cells) {
    const double reach = standard_error(cell->auc) + standard_error(best->auc);
    point.as_good += *best->auc.mean - *cell->auc.mean <= reach ? 1 : 0;
  }
  return point;
}

void fit(Ridge& ridge) {
  std::vector<double> x, y;
  for (const auto& point : ridge.points) {
    x.push_back(std::log10(point.members));
    y.push_back(std::log10(point.lambda));
  }
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / static_cast<double>(x.size());
  for (std::size_t i = 0; i < y.size(); ++i) mean_y += y[i] / static_cast<double>(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  ridge.slope = xy / xx;
  ridge.intercept = mean_y - ridge.slope * mean_x;
  ridge.correlation = pearson(x, y);
}

}  // namespace

std::vector<Ridge> ridges(const StudyView& view) {
  std::vector<Ridge> found;
  for (std::size_t place = 0; place < view.places.size(); ++place) {
    for (std::size_t method = 0; method < view.methods.size(); ++method) {
      Ridge ridge{place, method, {}, 0, 0, {}};
      for (const int members : view.members) {
        std::vector<const StudyCell*> cells;
        for (const auto& cell : view.cells) {
          const bool here = cell.place == place && cell.method == method && cell.members == members;
          if (here && cell.lambda && cell.auc.mean) cells.push_back(&cell);
        }
        if (const auto point = summit(cells)) ridge.points.push_back(*point);
      }
      if (ridge.points.size() < 3) continue;
      fit(ridge);
      found.push_back(std::move(ridge));
    }
  }
  return found;
}

std::string ridge_table(const StudyView& view, const std::vector<Ridge>& found) {
  std::string text = "| data set, split | method |";
  std::string rule = "|---|---|";
  for (const int members : view.members) text += fmt::format(" best lambda, M {} |", members), rule += "---|";
  text += " slope | correlation |\n" + rule + "---|---|\n";
  for (const auto& ridge : found) {
    text += fmt::format("| {} | {} |", place_name(view.places[ridge.place]), view.methods[ridge.method]);
    for (const int members : view.members) {
      const auto point = std::ranges::find(ridge.points, members, &RidgePoint::members);
      text += point == ridge.points.end() ? " - |" : fmt::format(" {:.2g} ({}) |", point->lambda, point->as_good);
    }
    text += fmt::format(" {:.1f} | {} |\n", ridge.slope,
                        ridge.correlation ? fmt::format("{:.2f}", *ridge.correlation) : "-");
  }
  return text;
}

}  // namespace perpend::paper
