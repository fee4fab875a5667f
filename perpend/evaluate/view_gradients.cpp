#include "perpend/evaluate/view_gradients.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/quantile.h"
#include "perpend/evaluate/curves.h"
#include "perpend/evaluate/explain.h"
#include "perpend/model/shown_view.h"

namespace perpend {

namespace {

constexpr std::size_t kDensityPoints = 48;
constexpr std::size_t kMostViolins = 16;
constexpr std::size_t kMostLevels = 8;  // of a column

// One violin per member: a feature, or all levels of a category that plain features encode.
struct Shown {
  std::string name;
  std::size_t column = 0;
  std::vector<std::size_t> features;
};

bool is_one_level(const Schema& schema, std::size_t f) {
  const Feature& feature = schema.features[f];
  return feature.level >= 0 ||
         (feature.level == Feature::kMissing && schema.columns[feature.column].kind == ColumnKind::categorical);
}

// The levels of a column become one entry where all of them are among the features.
std::vector<Shown> shown_of(const Schema& schema, std::span<const std::size_t> features) {
  std::vector<std::vector<std::size_t>> levels(schema.columns.size());
  for (std::size_t f = 0; f < schema.features.size(); ++f) {
    if (is_one_level(schema, f)) levels[schema.features[f].column].push_back(f);
  }
  const auto is_there = [&](std::size_t f) { return std::ranges::find(features, f) != features.end(); };
  std::vector<Shown> shown;
  for (const std::size_t f : features) {
    const std::size_t column = schema.features[f].column;
    const bool whole =
        is_one_level(schema, f) && levels[column].size() > 1 && std::ranges::all_of(levels[column], is_there);
    if (!whole) {
      shown.push_back({schema.features[f].name, column, {f}});
    } else if (std::ranges::none_of(shown,
                                    [&](const Shown& s) { return s.column == column && s.features.size() > 1; })) {
      shown.push_back({schema.columns[column].name, column, levels[column]});
    }
  }
  return shown;
}

double largest_share(const Explanation& explanation, std::size_t column) {
  double largest = 0;
  for (const auto& member : explanation.members) largest = std::max(largest, member.shares[column]);
  return largest;
}

// The largest share comes first. A number comes before its missing cells, whose share is the same.
std::vector<Shown> by_share(const Explanation& explanation, const Schema& schema) {
  std::vector<std::size_t> all(schema.features.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Shown> shown = shown_of(schema, all);
  std::ranges::stable_sort(shown, std::ranges::greater(),
                           [&](const Shown& s) { return largest_share(explanation, s.column); });
  return shown;
}

GradientView view_values(std::vector<double> values) {
  if (values.empty()) values = {0};  // no row has a level that the model knows, so nothing moves it
  const auto count = static_cast<double>(values.size());
  GradientView view;
  view.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  for (const double value : values) view.sd += (value - view.mean) * (value - view.mean);
  view.sd = std::sqrt(view.sd / count);
  view.quantiles = quantiles(values, kGradientQuantiles);
  view.density = kernel_density(std::move(values), kDensityPoints);
  return view;
}

double mean_size(const std::vector<double>& contrasts) {
  double sum = 0;
  for (const double contrast : contrasts) sum += std::abs(contrast);
  return sum / static_cast<double>(contrasts.size());
}

// Returns the levels that move most, by the number of their rows and the size of their contrasts, with the largest
// contrast first.
std::vector<LevelView> most_moving(std::vector<LevelView> levels) {
  std::erase_if(levels, [](const LevelView& level) { return level.rows == 0; });
  std::ranges::stable_sort(levels, std::ranges::greater(), [](const LevelView& level) {
    return static_cast<double>(level.rows) * mean_size(level.contrasts);
  });
  levels.resize(std::min(levels.size(), kMostLevels));
  std::ranges::stable_sort(levels, std::ranges::greater(), [](const LevelView& level) {
    return std::accumulate(level.contrasts.begin(), level.contrasts.end(), 0.0);
  });
  return levels;
}

// Returns 0 where none of the rows that a member is explained at has the level.
double contrast_of(const std::vector<LevelSummary>& levels, std::size_t level) {
  const auto found = std::ranges::find(levels, level, &LevelSummary::level);
  return found == levels.end() ? 0 : found->contrast.mean;
}

std::vector<LevelView> levels_by_column(const Explanation& explanation, const InputColumn& column,
                                        std::size_t feature) {
  std::vector<LevelView> levels;
  for (const LevelSummary& found : explanation.members[0].levels[feature]) {
    LevelView level{level_name(column, found.level), found.rows, {}};
    for (const auto& member : explanation.members) {
      level.contrasts.push_back(contrast_of(member.levels[feature], found.level));
    }
    levels.push_back(std::move(level));
  }
  return most_moving(std::move(levels));
}

FeatureView view_feature(const Attributions& seen, const Explanation& explanation, const Schema& schema,
                         const Shown& shown) {
  const std::size_t f = shown.features[0];
  FeatureView feature{shown.name, largest_share(explanation, shown.column), {}};
  for (std::size_t m = 0; m < seen.members(); ++m) {
    const InputsView gradients = seen.of(m);
    std::vector<double> values(gradients.rows());
    for (std::size_t r = 0; r < values.size(); ++r) values[r] = gradients(r, f);
    feature.members.push_back(view_values(std::move(values)));
  }
  if (schema.features[f].level == Feature::kLevels) {
    feature.levels = levels_by_column(explanation, schema.columns[shown.column], f);
  }
  return feature;
}

// Views a category in plain features.
FeatureView view_category(const Attributions& seen, const Explanation& explanation, const Schema& schema,
                          InputsView inputs, const Shown& shown) {
  const auto sd = [&](std::size_t f) { return schema.features[f].sd; };
  // Rows that have none of the levels keep the number of levels.
  std::vector<std::size_t> level_of(inputs.rows(), shown.features.size());
  const InputColumn& column = schema.columns[shown.column];
  FeatureView feature{shown.name, largest_share(explanation, shown.column), {}};
  for (std::size_t i = 0; i < shown.features.size(); ++i) {
    const std::size_t f = shown.features[i];
    const std::int32_t level = schema.features[f].level;
    feature.levels.push_back({level_name(column, level >= 0 ? static_cast<std::size_t>(level) : column.levels.size()),
                              0, std::vector<double>(seen.members(), 0.0)});
    for (std::size_t r = 0; r < inputs.rows(); ++r) {
      if (inputs(r, f) * sd(f) + schema.features[f].mean < 0.999) continue;  // it is 0 or 1, up to rounding
      level_of[r] = i;
      ++feature.levels[i].rows;
    }
  }
  for (std::size_t m = 0; m < seen.members(); ++m) {
    const InputsView gradients = seen.of(m);
    std::vector<double> values;
    for (std::size_t r = 0; r < inputs.rows(); ++r) {
      if (level_of[r] == shown.features.size()) continue;
      double common = 0;
      for (const std::size_t f : shown.features) common += gradients(r, f) / sd(f);
      const std::size_t own = shown.features[level_of[r]];
      values.push_back(gradients(r, own) / sd(own) - common / static_cast<double>(shown.features.size()));
      LevelView& level = feature.levels[level_of[r]];
      level.contrasts[m] += values.back() / static_cast<double>(level.rows);
    }
    feature.members.push_back(view_values(std::move(values)));
  }
  feature.levels = most_moving(std::move(feature.levels));
  return feature;
}

}  // namespace

void add_view_of_gradients(const Ensemble& ensemble, const Schema& schema, const RowSet& set,
                           std::span<const std::size_t> named, const Threads& threads, RowsView& view) {
  const Attributions seen = attributions(ensemble, set.inputs.view(), threads);
  const Explanation explanation = explain(ensemble, schema, set.inputs.view(), threads, {}, &seen);
  const Architecture& architecture = ensemble.architecture;
  for (std::size_t m = 0; m < ensemble.members.size() && architecture.has_views(); ++m) {
    view.views.emplace_back(shown_view(architecture, m));
  }
  std::vector<Shown> shown = by_share(explanation, schema);
  view.features_of = shown.size();
  shown.resize(std::min(shown.size(), kMostViolins));
  view.features.resize(shown.size());
  for (Shown& one : shown_of(schema, named)) shown.push_back(std::move(one));
  view.named.resize(shown.size() - view.features.size());
  threads.for_each(shown.size(), [&](std::size_t i) {
    FeatureView& feature = i < view.features.size() ? view.features[i] : view.named[i - view.features.size()];
    feature = shown[i].features.size() == 1 ? view_feature(seen, explanation, schema, shown[i])
                                            : view_category(seen, explanation, schema, set.inputs.view(), shown[i]);
  });
  for (const auto& p : explanation.pairs) view.pairs.push_back({p.first, p.second, p.cos2, p.cosine, p.same});
  for (const auto& found : explanation.substitutes) {
    Substitution substitution{{}, {}, found.members[0], found.members[1]};
    for (const std::size_t c : found.columns[0]) substitution.columns.push_back(schema.columns[c].name);
    for (const std::size_t c : found.columns[1]) substitution.instead.push_back(schema.columns[c].name);
    view.substitutes.push_back(std::move(substitution));
  }
}

}  // namespace perpend
