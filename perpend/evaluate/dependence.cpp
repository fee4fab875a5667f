#include "perpend/evaluate/dependence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/data/table.h"
#include "perpend/evaluate/table_columns.h"
#include "perpend/evaluate/view_rows.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

// Returns x of a feature that encodes it as (x - mean) / sd.
double decoded(const Feature& feature, float encoded) {
  return feature.mean + feature.sd * static_cast<double>(encoded);
}
float encoded(const Feature& feature, double x) { return static_cast<float>((x - feature.mean) / feature.sd); }

// One encoded feature of a column, with its place.
struct Part {
  std::size_t at = 0;
  const Feature* feature = nullptr;
};

std::vector<Part> parts_of(const Schema& schema, std::size_t column) {
  std::vector<Part> parts;
  for (std::size_t f = 0; f < schema.features.size(); ++f) {
    if (schema.features[f].column == column) parts.push_back({f, &schema.features[f]});
  }
  return parts;
}

// What a point puts into a row, in the order of the parts.
using Values = std::vector<float>;

Values number_values(const std::vector<Part>& parts, float number) {
  Values values;
  for (const Part& part : parts) {
    values.push_back(part.feature->level == Feature::kNumber ? number : encoded(*part.feature, 0));
  }
  return values;
}

// level: the number of levels stands for a missing cell.
Values level_values(const std::vector<Part>& parts, std::size_t level, std::size_t levels) {
  const auto wanted = level == levels ? Feature::kMissing : static_cast<std::int32_t>(level);
  Values values;
  for (const Part& part : parts) {
    const bool by_column = part.feature->level == Feature::kLevels;
    values.push_back(by_column ? static_cast<float>(level)
                               : encoded(*part.feature, part.feature->level == wanted ? 1 : 0));
  }
  return values;
}

bool is_missing(const std::vector<Part>& parts, const float* row) {
  return std::ranges::any_of(parts, [&](const Part& part) {
    if (part.feature->level == Feature::kNumber) return std::isnan(row[part.at]);
    return decoded(*part.feature, row[part.at]) > 0.5;
  });
}

// Returns the encoded numbers of a column's points, ascending.
std::vector<float> number_points(InputsView inputs, const std::vector<Part>& parts) {
  std::vector<float> known;
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    if (!is_missing(parts, inputs.row(r))) known.push_back(inputs(r, parts[0].at));
  }
  std::ranges::sort(known);
  std::vector<float> points = known;
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() <= kDependencePoints) return points;
  points.clear();
  for (std::size_t i = 0; i < kDependencePoints; ++i) {
    points.push_back(known[(2 * i + 1) * known.size() / (2 * kDependencePoints)]);
  }
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

// Returns the shortest decimal number with this encoding: 37.2, where the float stands for 37.2000007.
double shortest(const Feature& feature, float number) {
  const double x = decoded(feature, number);
  for (int digits = 1; digits <= 17; ++digits) {
    const auto candidate = as_number(fmt::format("{:.{}g}", x, digits));
    if (candidate && encoded(feature, *candidate) == number) return *candidate;
  }
  return x;
}

// Returns the level of a row, or nothing where training never saw it or a missing cell counts as the mean.
std::optional<std::size_t> level_of(const std::vector<Part>& parts, const float* row, std::size_t levels) {
  bool first_has_feature = false;
  for (const Part& part : parts) {
    const std::int32_t level = part.feature->level;
    if (level == Feature::kLevels) {
      return row[part.at] >= 0 ? std::optional(static_cast<std::size_t>(row[part.at])) : std::nullopt;
    }
    first_has_feature = first_has_feature || level == 0;
    if (decoded(*part.feature, row[part.at]) > 0.5) {
      return level == Feature::kMissing ? levels : static_cast<std::size_t>(level);
    }
  }
  // Two levels share one feature, that of the second.
  return first_has_feature ? std::nullopt : std::optional(std::size_t{0});
}

// The most frequent level comes first. Of equally frequent ones, the first does.
std::vector<std::size_t> level_points(InputsView inputs, const std::vector<Part>& parts, std::size_t levels) {
  std::vector<std::size_t> counts(levels + 1, 0);
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    if (const auto level = level_of(parts, inputs.row(r), levels)) ++counts[*level];
  }
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::erase_if(order, [&](std::size_t level) { return counts[level] == 0; });
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t level) { return counts[level]; });
  order.resize(std::min(order.size(), kDependencePoints));
  return order;
}

// Mean answers by who answers (the ensemble, then each member) and by curve.
using Means = std::vector<std::vector<double>>;

Means mean_numbers(const Ensemble& ensemble, const Decision& decision, InputsView inputs, const Threads& threads) {
  const auto members = member_predictions(ensemble, inputs, threads);
  const auto mean = [&](const double* numbers) {
    return std::accumulate(numbers, numbers + inputs.rows(), 0.0) / static_cast<double>(inputs.rows());
  };
  Means means = {{mean(combine(decision, members.view()).data())}};
  for (std::size_t m = 0; m < members.rows(); ++m) means.push_back({mean(members.row(m))});
  return means;
}

Means mean_answers(const Ensemble& ensemble, const Decision& decision, InputsView inputs, const Threads& threads) {
  if (ensemble.architecture.quantity) return mean_numbers(ensemble, decision, inputs, threads);
  const auto members = member_probabilities(ensemble, inputs, threads);
  const auto means_of = [&](const auto& probabilities) {
    std::vector<double> sums(probabilities.cols(), 0.0);
    for (std::size_t r = 0; r < probabilities.rows(); ++r) {
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += static_cast<double>(probabilities(r, k));
    }
    for (double& sum : sums) sum /= static_cast<double>(probabilities.rows());
    if (sums.size() == 2) sums.erase(sums.begin());
    return sums;
  };
  Means means = {means_of(decide(decision, members))};
  for (std::size_t m = 0; m < members.members(); ++m) means.push_back(means_of(members[m]));
  return means;
}

// Returns one curve per class that is followed, with room for the points.
std::vector<DependenceCurve> empty_curves(const Schema& schema, std::size_t members, std::size_t points) {
  std::vector<DependenceCurve> curves;
  const auto add = [&](const std::string& name) {
    curves.push_back({name, std::vector<double>(points), std::vector(members, std::vector<double>(points))});
  };
  if (schema.quantity) add("");
  for (std::size_t k = schema.classes.size() == 2 ? 1 : 0; k < schema.classes.size(); ++k) add(schema.classes[k]);
  return curves;
}

}  // namespace

std::size_t input_named(const Schema& schema, const std::string& name) {
  const auto exact = std::ranges::find(schema.columns, name, &InputColumn::name);
  if (exact != schema.columns.end()) return static_cast<std::size_t>(exact - schema.columns.begin());
  const auto features = features_named(schema, std::array{name});
  return schema.features[features.front()].column;
}

Dependence partial_dependence(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                              InputsView inputs, std::size_t column, const Threads& threads, std::size_t most_rows) {
  PERPEND_CHECK(inputs.rows() > 0 && column < schema.columns.size());
  const InputColumn& about = schema.columns[column];
  const auto parts = parts_of(schema, column);
  Dependence found{.column = about.name,
                   .is_number = about.kind == ColumnKind::numeric,
                   .numbers = {},
                   .levels = {},
                   .rows = std::min(inputs.rows(), most_rows),
                   .of = inputs.rows(),
                   .curves = {}};
  std::vector<Values> points;
  if (found.is_number) {
    for (const float number : number_points(inputs, parts)) {
      found.numbers.push_back(shortest(*parts[0].feature, number));
      points.push_back(number_values(parts, number));
    }
  } else {
    for (const std::size_t level : level_points(inputs, parts, about.levels.size())) {
      found.levels.push_back(level < about.levels.size() ? std::optional(about.levels[level]) : std::nullopt);
      points.push_back(level_values(parts, level, about.levels.size()));
    }
  }
  found.curves = empty_curves(schema, ensemble.members.size(), points.size());
  const Inputs rows = rows_of(inputs, evenly_spread(inputs.rows(), most_rows));
  threads.for_each(points.size(), [&](std::size_t i) {
    Inputs changed = rows;
    for (std::size_t r = 0; r < changed.rows(); ++r) {
      for (std::size_t p = 0; p < parts.size(); ++p) changed(r, parts[p].at) = points[i][p];
    }
    const Means means = mean_answers(ensemble, decision, changed.view(), threads);
    for (std::size_t k = 0; k < found.curves.size(); ++k) {
      found.curves[k].ensemble[i] = means[0][k];
      for (std::size_t m = 0; m + 1 < means.size(); ++m) found.curves[k].members[m][i] = means[m + 1][k];
    }
  });
  return found;
}

}  // namespace perpend
