#include "perpend/evaluate/view_worth.h"

#include <algorithm>
#include <numeric>

#include "perpend/evaluate/dependence.h"
#include "perpend/evaluate/explain.h"
#include "perpend/evaluate/permutation.h"
#include "perpend/evaluate/table_columns.h"

namespace perpend {

namespace {

constexpr std::size_t kMostShuffled = 16;
constexpr std::size_t kWorthRows = 1000;
constexpr std::size_t kMostDrawn = 4;
constexpr std::size_t kDrawnRows = 200;

// The columns whose inputs have the largest shares of the gradients, ascending; empty: all.
std::vector<std::size_t> columns_to_shuffle(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                                            InputsView inputs, const Threads& threads) {
  const auto columns = table_columns(schema);
  if (columns.size() <= kMostShuffled) return {};
  const auto by_input = column_importances(ensemble, member_shares(decision), schema, inputs, threads);
  std::vector<double> shares;
  for (const auto& column : columns) {
    double share = 0;
    for (const std::size_t c : column.inputs) share += by_input[c];
    shares.push_back(share);
  }
  std::vector<std::size_t> order(columns.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t c) { return shares[c]; });
  order.resize(kMostShuffled);
  std::ranges::sort(order);
  return order;
}

}  // namespace

void add_worth(const Ensemble& ensemble, const Decision& decision, const Schema& schema, const RowSet& set,
               const Threads& threads, RowsView& view) {
  if (set.labels.empty() && set.targets.empty()) return;
  const InputsView inputs = set.inputs.view();
  PermutationOptions options{.most_rows = kWorthRows};
  options.columns = columns_to_shuffle(ensemble, decision, schema, inputs, threads);
  view.worth = permutation_importance(ensemble, decision, schema, {inputs, set.labels, set.targets}, options, threads);
  view.worth_of = table_columns(schema).size();
  std::ranges::stable_sort(view.worth->columns, std::ranges::greater(), &ColumnWorth::increase);
  for (const auto& column : view.worth->columns) {
    if (view.dependence.size() == kMostDrawn || !column.is_seen()) break;
    // For a date this is its time. Where that is constant, there is none.
    const auto about = std::ranges::find(schema.columns, column.name, &InputColumn::name);
    if (about == schema.columns.end()) continue;
    Dependence curves =
        partial_dependence(ensemble, decision, schema, inputs, static_cast<std::size_t>(about - schema.columns.begin()),
                           threads, kDrawnRows);
    if (curves.points() > 1) view.dependence.push_back(std::move(curves));
  }
}

}  // namespace perpend
