#include "perpend/run/home_of.h"

#include <algorithm>
#include <array>

#include "perpend/base/random.h"
#include "perpend/evaluate/home_columns.h"
#include "perpend/evaluate/marks.h"
#include "perpend/evaluate/table_columns.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

std::vector<std::size_t> kept_rows(std::size_t rows, std::uint64_t seed) {
  const auto order = Stream({.seed = seed, .purpose = Purpose::split, .member = 0, .step = 5}).permutation(rows);
  std::vector<std::size_t> kept(order.begin(), order.end());
  if (kept.size() > kMostHomeRows) kept.resize(kMostHomeRows);
  std::ranges::sort(kept);
  return kept;
}

}  // namespace

Home home_of(const Prepared& data, const RunResult& result, std::uint64_t seed, const Threads& threads) {
  if (!result.baselines || data.validation.rows() == 0) return {};
  const Ensemble& unseen = result.before_refit ? *result.before_refit : result.trained.ensemble;
  const auto kept = kept_rows(data.validation.rows(), seed);
  const Inputs rows = rows_of(data.validation.inputs.view(), kept);
  const auto scores = member_scores(unseen, rows.view(), threads);
  Home home;
  for (std::size_t m = 0; m < unseen.members.size(); ++m) home.values += scores[m].cols();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t m = 0; m < unseen.members.size(); ++m) {
      home.scores.insert(home.scores.end(), scores[m].row(i), scores[m].row(i) + scores[m].cols());
    }
    home.targets.push_back(data.schema.quantity ? data.validation.targets[kept[i]]
                                                : static_cast<float>(data.validation.labels[kept[i]]));
  }
  if (!data.schema.by_column) return home;
  const auto levels = data.schema.level_counts();
  const std::array<InputsView, 2> parts = {data.train.inputs.view(), data.validation.inputs.view()};
  home.columns = home_columns(parts, levels);
  home.marks = marks_of(home.columns, levels, rows.view());
  return home;
}

}  // namespace perpend
