#include "perpend/evaluate/explain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/quantile.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/table_columns.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/trees/contributions.h"

namespace perpend {

namespace {

using Predictions = std::vector<std::int32_t>;

constexpr double kReliesFrom = 0.25;
constexpr double kReliesTimesEven = 2;
constexpr double kTimesTheOther = 2;

GradientSummary summarise(std::vector<double> values) {
  const auto count = static_cast<double>(values.size());
  GradientSummary summary;
  summary.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double v : values) squares += (v - summary.mean) * (v - summary.mean);
  summary.sd = std::sqrt(squares / count);
  summary.quantiles = quantiles(std::move(values), kGradientQuantiles);
  return summary;
}

GradientSummary summarise(InputsView gradients, std::size_t feature) {
  std::vector<double> values(gradients.rows());
  for (std::size_t r = 0; r < values.size(); ++r) values[r] = gradients(r, feature);
  return summarise(std::move(values));
}

// Summarises a category by column. Rows whose level training never saw have no contrast and are left out.
std::vector<LevelSummary> summarise_levels(InputsView gradients, InputsView inputs, std::size_t feature,
                                           std::size_t levels) {
  std::vector<std::vector<double>> contrasts(levels + 1);
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    if (inputs(r, feature) >= 0)
      contrasts[static_cast<std::size_t>(inputs(r, feature))].push_back(gradients(r, feature));
  }
  std::vector<LevelSummary> summaries;
  for (std::size_t level = 0; level < contrasts.size(); ++level) {
    const std::size_t rows = contrasts[level].size();
    if (rows > 0) summaries.push_back({level, rows, summarise(std::move(contrasts[level]))});
  }
  return summaries;
}

std::vector<std::vector<std::size_t>> features_by_column(const Schema& schema) {
  std::vector<std::vector<std::size_t>> features(schema.columns.size());
  for (std::size_t f = 0; f < schema.features.size(); ++f) features[schema.features[f].column].push_back(f);
  return features;
}

std::vector<double> column_shares(InputsView gradients, const Schema& schema) {
  const auto features = features_by_column(schema);
  std::vector<double> shares(features.size(), 0.0);
  double all = 0;
  for (std::size_t r = 0; r < gradients.rows(); ++r) {
    for (std::size_t c = 0; c < features.size(); ++c) {
      const bool levels = schema.columns[c].kind == ColumnKind::categorical && features[c].size() > 1;
      // The gradient by a step of the level itself, whether or not its feature was standardised.
      const auto gradient = [&](std::size_t f) { return gradients(r, f) / (levels ? schema.features[f].sd : 1.0); };
      double common = 0;
      for (const std::size_t f : features[c]) common += gradient(f) / static_cast<double>(features[c].size());
      for (const std::size_t f : features[c]) shares[c] += std::abs(gradient(f) - (levels ? common : 0));
    }
  }
  for (const double share : shares) all += share;
  if (all > 0) {
    for (double& share : shares) share /= all;
  }
  return shares;
}

// Returns the tangent vectors at a row, made orthonormal in order. Those that add no direction are left out.
std::vector<std::vector<double>> orthonormal(const Tangents& tangents, std::size_t row) {
  std::vector<std::vector<double>> basis;
  for (std::size_t k = 0; k < tangents.directions(); ++k) {
    const float* direction = tangents.direction(row, k);
    std::vector<double> v(direction, direction + tangents.features());
    const double before = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
    for (int pass = 0; pass < 2; ++pass) {  // the second pass removes what rounding left in the first
      for (const auto& b : basis) {
        const double along = std::inner_product(v.begin(), v.end(), b.begin(), 0.0);
        for (std::size_t f = 0; f < v.size(); ++f) v[f] -= along * b[f];
      }
    }
    const double length = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
    if (!(length > 1e-6 * before)) continue;
    for (double& x : v) x /= length;
    basis.push_back(std::move(v));
  }
  return basis;
}

// The part of each gradient that lies in the span of the tangents.
Inputs tangential(InputsView gradients, const Tangents& tangents) {
  Inputs out(gradients.rows(), gradients.cols());
  std::vector<std::vector<double>> basis;
  for (std::size_t r = 0; r < gradients.rows(); ++r) {
    if (r == 0 || !tangents.is_shared()) basis = orthonormal(tangents, r);
    std::vector<double> part(gradients.cols(), 0.0);
    for (const auto& b : basis) {
      double along = 0;
      for (std::size_t f = 0; f < b.size(); ++f) along += b[f] * static_cast<double>(gradients(r, f));
      for (std::size_t f = 0; f < b.size(); ++f) part[f] += along * b[f];
    }
    for (std::size_t f = 0; f < part.size(); ++f) out(r, f) = static_cast<float>(part[f]);
  }
  return out;
}

void explain_along(std::span<const InputsView> gradients, const Tangents& tangents, const Schema& schema,
                   const Threads& threads, Explanation& result) {
  threads.for_each(gradients.size(), [&](std::size_t m) {
    result.members[m].tangent_shares = column_shares(tangential(gradients[m], tangents).view(), schema);
  });
  const auto pairs = tangent_diversity(gradients, tangents).pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) result.pairs[i].tangent_cos2 = pairs[i].cos2;
}

double share_of_equal(const Predictions& a, const Predictions& b) {
  std::size_t equal = 0;
  for (std::size_t r = 0; r < a.size(); ++r) equal += a[r] == b[r] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

// (observed - by chance) / (1 - by chance), where chance draws both predictions by their frequencies.
Metric cohen_kappa(const Predictions& a, const Predictions& b, double same) {
  const auto classes = static_cast<std::size_t>(std::max(std::ranges::max(a), std::ranges::max(b))) + 1;
  double chance = 0;
  const auto rows = static_cast<double>(a.size());
  for (std::size_t k = 0; k < classes; ++k) {
    const auto of_a = static_cast<double>(std::ranges::count(a, static_cast<std::int32_t>(k)));
    const auto of_b = static_cast<double>(std::ranges::count(b, static_cast<std::int32_t>(k)));
    chance += of_a / rows * (of_b / rows);
  }
  if (chance == 1) return std::nullopt;
  return (same - chance) / (1 - chance);
}

std::vector<std::size_t> own_columns(const std::vector<double>& shares, const std::vector<double>& other) {
  const double relies = std::min(kReliesFrom, kReliesTimesEven / static_cast<double>(shares.size()));
  std::vector<std::size_t> own;
  for (std::size_t c = 0; c < shares.size(); ++c) {
    if (shares[c] >= relies && shares[c] >= kTimesTheOther * other[c]) own.push_back(c);
  }
  return own;
}

void insert_once(std::vector<std::size_t>& sorted, std::size_t value) {
  const auto at = std::ranges::lower_bound(sorted, value);
  if (at == sorted.end() || *at != value) sorted.insert(at, value);
}

std::vector<Substitutes> find_substitutes(const Explanation& explanation) {
  std::vector<Substitutes> found;
  for (const auto& pair : explanation.pairs) {
    if (pair.kappa.value_or(0) < kSubstituteKappa) continue;
    const auto& first = explanation.members[pair.first].shares;
    const auto& second = explanation.members[pair.second].shares;
    std::array columns = {own_columns(first, second), own_columns(second, first)};
    if (columns[0].empty() || columns[1].empty()) continue;
    std::array members = {pair.first, pair.second};
    if (columns[1] < columns[0]) {
      std::swap(columns[0], columns[1]);
      std::swap(members[0], members[1]);
    }
    auto known = std::ranges::find(found, columns, &Substitutes::columns);
    if (known == found.end()) known = found.insert(found.end(), {columns, {}});
    for (const std::size_t side : {0, 1}) insert_once(known->members[side], members[side]);
  }
  return found;
}

Predictions predicted_classes(MatrixView<const float, axis::Row, axis::Out> probabilities) {
  Predictions classes(probabilities.rows());
  for (std::size_t r = 0; r < classes.size(); ++r) {
    classes[r] = static_cast<std::int32_t>(vote(probabilities.row(r), probabilities.cols()));
  }
  return classes;
}

// Returns what each member answers, as a class. For a regression the classes are low, middling and high, three equal
// parts of a normal distribution.
std::vector<Predictions> member_classes(const Ensemble& ensemble, InputsView inputs, const Threads& threads) {
  constexpr float kThird = 0.4307F;  // standard deviations from the mean
  std::vector<Predictions> all;
  if (!ensemble.architecture.quantity) {
    const auto probabilities = member_probabilities(ensemble, inputs, threads);
    for (std::size_t m = 0; m < probabilities.members(); ++m) all.push_back(predicted_classes(probabilities[m]));
    return all;
  }
  const auto scores = member_scores(ensemble, inputs, threads);
  for (std::size_t m = 0; m < scores.members(); ++m) {
    auto& own = all.emplace_back();
    for (std::size_t r = 0; r < inputs.rows(); ++r) {
      const float s = scores[m](r, 0);
      own.push_back(s < -kThird ? 0 : s > kThird ? 2 : 1);
    }
  }
  return all;
}

std::size_t affordable_rows(const BoostedTrees& trees) {
  std::size_t leaves = 1;
  for (const Tree& tree : trees.trees) leaves += tree.leaves();
  return std::max(kFewestContributionRows, kMostContributionLeaves / leaves);
}

// Returns contributions to the score of the class that the trees predict for each row.
Inputs contributions_to_predicted(const BoostedTrees& trees, InputsView inputs, const Threads& threads) {
  Inputs out(inputs.rows(), inputs.cols());
  const TreeScores scores = score(trees, inputs, threads);
  for (std::size_t output = 0; output < trees.outputs(); ++output) {
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < inputs.rows(); ++r) {
      if (vote(scores.row(r), trees.outputs()) == output) rows.push_back(r);
    }
    Inputs own(rows.size(), inputs.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(inputs.row(rows[i]), inputs.cols(), own.row(i));
    const Inputs found = contributions(trees, output, own.view(), threads);
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(found.row(i), inputs.cols(), out.row(rows[i]));
  }
  return out;
}

}  // namespace

Attributions attributions(const Ensemble& ensemble, InputsView inputs, const Threads& threads) {
  Attributions found;
  found.gradients = input_gradients(ensemble, inputs, threads);
  if (!ensemble.has_trees()) return found;
  found.rows = rows_of(inputs, evenly_spread(inputs.rows(), affordable_rows(ensemble.trees)));
  found.contributions = contributions_to_predicted(ensemble.trees, found.rows.view(), threads);
  return found;
}

Explanation explain(std::span<const InputsView> attributions, std::size_t differentiable,
                    std::span<const Predictions> predictions, const Schema& schema, const Threads& threads,
                    const Tangents& tangents) {
  const std::size_t members = attributions.size();
  PERPEND_CHECK(members > 0 && attributions[0].rows() > 0 && predictions.size() == members &&
                differentiable <= members && schema.features.size() == attributions[0].cols());
  const std::size_t features = schema.features.size();
  Explanation result;
  result.members.resize(members);
  for (std::size_t m = 0; m < members; ++m) {
    result.members[m].is_contribution = m >= differentiable;
    result.members[m].rows = attributions[m].rows();
    result.members[m].features.resize(features);
    result.members[m].shares = column_shares(attributions[m], schema);
  }
  threads.for_each(members * features, [&](std::size_t i) {
    const std::size_t m = i / features;
    const std::size_t f = i % features;
    result.members[m].features[f] = summarise(attributions[m], f);
  });
  const auto gradients = attributions.first(differentiable);
  const auto cosines = gradient_diversity(gradients).pairs;
  auto next = cosines.begin();
  for (std::size_t i = 0; i < members; ++i) {
    for (std::size_t j = i + 1; j < members; ++j) {
      const double same = share_of_equal(predictions[i], predictions[j]);
      PairExplanation pair{i, j, {}, {}, {}, same, cohen_kappa(predictions[i], predictions[j], same)};
      if (j < differentiable) {
        pair.cos2 = next->cos2;
        pair.cosine = next->cosine;
        ++next;
      }
      result.pairs.push_back(pair);
    }
  }
  if (!tangents.empty()) explain_along(gradients, tangents, schema, threads, result);
  result.substitutes = find_substitutes(result);
  return result;
}

Explanation explain(const Ensemble& ensemble, const Schema& schema, InputsView inputs, const Threads& threads,
                    const Tangents& tangents, const Attributions* known) {
  const Attributions own = known == nullptr ? attributions(ensemble, inputs, threads) : Attributions();
  const Attributions& seen = known == nullptr ? own : *known;
  const std::vector<Predictions> predictions = member_classes(ensemble, inputs, threads);
  std::vector<InputsView> views;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) views.push_back(seen.of(m));
  Explanation result = explain(views, ensemble.differentiable(), predictions, schema, threads, tangents);
  if (!schema.by_column) return result;
  const auto levels = schema.level_counts();
  threads.for_each(views.size(), [&](std::size_t m) {
    auto& of_member = result.members[m].levels;
    of_member.resize(levels.size());
    for (std::size_t c = 0; c < levels.size(); ++c) {
      const InputsView rows = result.members[m].is_contribution ? seen.rows.view() : inputs;
      if (levels[c] > 0) of_member[c] = summarise_levels(views[m], rows, c, levels[c]);
    }
  });
  return result;
}

std::vector<ColumnImportance> importances(const Explanation& explanation, std::span<const double> weights) {
  PERPEND_CHECK(weights.size() == explanation.members.size() && !weights.empty());
  std::vector<ColumnImportance> all(explanation.members[0].shares.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c] = {.column = c, .least = 1};
    for (std::size_t m = 0; m < weights.size(); ++m) {
      const double share = explanation.members[m].shares[c];
      all[c].share += weights[m] * share;
      all[c].least = std::min(all[c].least, share);
      all[c].most = std::max(all[c].most, share);
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &ColumnImportance::share);
  return all;
}

std::vector<double> column_importances(const Ensemble& ensemble, std::span<const double> weights, const Schema& schema,
                                       InputsView inputs, const Threads& threads) {
  const Inputs some = rows_of(inputs, evenly_spread(inputs.rows(), kImportanceRows));
  const Attributions seen = attributions(ensemble, some.view(), threads);
  std::vector<double> all(schema.columns.size(), 0.0);
  for (std::size_t m = 0; m < seen.members(); ++m) {
    const auto shares = column_shares(seen.of(m), schema);
    for (std::size_t c = 0; c < all.size(); ++c) all[c] += weights[m] * shares[c];
  }
  for (double& share : all) share = std::round(share * 1e6) / 1e6;
  return all;
}

std::string level_name(const InputColumn& column, std::size_t level) {
  return level < column.levels.size() ? column.levels[level] : "missing";
}

}  // namespace perpend
