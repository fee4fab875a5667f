#include "perpend/evaluate/view_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/evaluate/answers.h"
#include "perpend/evaluate/curves.h"
#include "perpend/evaluate/distinct_rows.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/explain.h"
#include "perpend/evaluate/selective.h"
#include "perpend/evaluate/view_gradients.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

constexpr std::size_t kCurvePoints = 160;
constexpr std::size_t kMostNamed = 64;
constexpr std::size_t kMostClasses = 8;
constexpr std::size_t kScatterPoints = 400;
constexpr std::size_t kDisputed = 6;
constexpr std::size_t kRelied = 3;

using RowsByClass = Matrix<double, axis::Row, axis::Out>;

std::string member_name(std::size_t m) { return "member " + std::to_string(m + 1); }

RowsByClass widened(MatrixView<const float, axis::Row, axis::Out> p) {
  RowsByClass wide(p.rows(), p.cols());
  for (std::size_t r = 0; r < p.rows(); ++r) std::copy_n(p.row(r), p.cols(), wide.row(r));
  return wide;
}

std::vector<double> column_of(const RowsByClass& p, std::size_t k) {
  std::vector<double> column(p.rows());
  for (std::size_t r = 0; r < p.rows(); ++r) column[r] = p(r, k);
  return column;
}

Curve named_roc(std::string name, const std::vector<double>& scores, LabelsView labels) {
  return {std::move(name), thinned(roc_curve(scores, labels), kCurvePoints), auc(scores, labels)};
}

// Draws the classes with most rows, each against the rest.
std::vector<Curve> roc_by_class(const RowsByClass& p, LabelsView labels, const Schema& schema) {
  std::vector<std::size_t> order(p.cols());
  std::iota(order.begin(), order.end(), 0U);
  const auto rows_of = [&](std::size_t k) { return std::ranges::count(labels, static_cast<std::int32_t>(k)); };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rows_of(a) > rows_of(b); });
  order.resize(std::min(order.size(), kMostClasses));
  std::ranges::sort(order);
  std::vector<Curve> curves;
  for (const std::size_t k : order) {
    std::vector<std::int32_t> is_class;
    for (const auto label : labels) is_class.push_back(static_cast<std::size_t>(label) == k ? 1 : 0);
    curves.push_back(named_roc(schema.classes[k], column_of(p, k), is_class));
  }
  return curves;
}

CalibrationCurve named_calibration(std::string name, const RowsByClass& p, LabelsView labels) {
  const Calibration found = p.cols() == 2 ? calibrate(column_of(p, 1), labels) : calibrate(p.view(), labels);
  CalibrationCurve curve{std::move(name), {}};
  for (const auto& bin : found.bins) {
    if (bin.rows > 0) curve.points.push_back({*bin.mean_probability, *bin.frequency, bin.rows});
  }
  return curve;
}

Curve named_risk(std::string name, const std::vector<double>& uncertainty, const ErrorFlags& errors) {
  const RiskCoverage found = risk_coverage(uncertainty, errors);
  std::vector<CurvePoint> points;
  for (const auto& point : found.points) points.push_back({point.coverage, point.risk});
  return {std::move(name), thinned(points, kCurvePoints), found.area};
}

// All that is asked later about the answers to one set: probabilities, or predictions of a regression.
struct PartAnswers {
  Stack<float, axis::Row, axis::Out> members;
  RowsByClass ensemble;
  std::vector<std::size_t> predicted;
  std::vector<double> disagreement;
  Matrix<double, axis::Member, axis::Row> member_numbers;
  std::vector<double> numbers;
};

// Returns nothing for rows that have trained the members since, if the answers from before are not known.
std::optional<PartAnswers> answers_of(const Ensemble& ensemble, const Decision& decision, const RowSet& set,
                                      const Threads& threads) {
  if (set.trained_since && set.home == nullptr) return std::nullopt;
  const auto scores = set.trained_since ? home_scores(*set.home, ensemble.architecture)
                                        : member_scores(ensemble, set.inputs.view(), threads);
  PartAnswers answers;
  if (ensemble.architecture.quantity) {
    answers.member_numbers = predictions_of(scores, *ensemble.architecture.quantity);
    answers.numbers = combine(decision, answers.member_numbers.view());
    answers.disagreement = row_disagreement(answers.member_numbers.view());
    return answers;
  }
  answers.members = probabilities_of(scores, threads);
  answers.ensemble = decide(decision, answers.members);
  for (std::size_t r = 0; r < answers.ensemble.rows(); ++r) {
    answers.predicted.push_back(answered_class(decision, answers.ensemble.row(r), answers.ensemble.cols()));
  }
  answers.disagreement = row_disagreement(answers.members);
  return answers;
}

// The mean absolute error of the surest rows, by how many of them there are.
std::vector<CurvePoint> error_by_coverage(const std::vector<double>& disagreement, const std::vector<double>& errors) {
  std::vector<std::size_t> order(errors.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return disagreement[r]; });
  std::vector<CurvePoint> points;
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sum += errors[order[i]];
    const auto count = static_cast<double>(i + 1);
    // A mean over very few rows says nothing.
    if (10 * (i + 1) >= order.size()) points.push_back({count / static_cast<double>(order.size()), sum / count});
  }
  return thinned(points, kCurvePoints);
}

void add_numbers(const PartAnswers& answers, const RowSet& set, const NumberTarget& target, RowsView& view) {
  if (set.targets.empty()) return;
  const std::size_t every = (set.targets.size() + kScatterPoints - 1) / kScatterPoints;
  std::vector<double> errors;
  for (std::size_t r = 0; r < set.targets.size(); ++r) {
    const double actual = target.predicted(set.targets[r]);
    errors.push_back(std::abs(answers.numbers[r] - actual));
    if (r % every == 0) view.predicted.push_back({answers.numbers[r], actual});
  }
  if (answers.member_numbers.rows() > 1) view.error_by_coverage = error_by_coverage(answers.disagreement, errors);
}

void add_curves(const PartAnswers& answers, const RowSet& set, const Schema& schema, RowsView& view) {
  if (schema.quantity) return add_numbers(answers, set, *schema.quantity, view);
  if (set.labels.empty()) return;
  const bool binary = schema.classes.size() == 2;
  view.calibration.push_back(named_calibration("ensemble", answers.ensemble, set.labels));
  view.roc = binary ? std::vector{named_roc("ensemble", column_of(answers.ensemble, 1), set.labels)}
                    : roc_by_class(answers.ensemble, set.labels, schema);
  for (std::size_t m = 0; m < answers.members.members(); ++m) {
    const RowsByClass own = widened(answers.members[m]);
    if (binary) view.roc.push_back(named_roc(member_name(m), column_of(own, 1), set.labels));
    view.calibration.push_back(named_calibration(member_name(m), own, set.labels));
  }
  ErrorFlags errors;
  for (std::size_t r = 0; r < set.labels.size(); ++r) {
    errors.push_back(answers.predicted[r] == static_cast<std::size_t>(set.labels[r]) ? 0 : 1);
  }
  if (answers.members.members() > 1) {
    view.risk_coverage.push_back(named_risk("members' disagreement", answers.disagreement, errors));
  }
  view.risk_coverage.push_back(named_risk("ensemble's own doubt", row_doubt(answers.ensemble.view()), errors));
}

std::string cell_text(const Table& table, std::uint32_t row, const std::string& name) {
  const Column* column = table.find(name);
  if (column == nullptr || column->is_missing(row)) return "missing";
  return column->is_number(row) ? fmt::format("{:.4g}", column->number(row)) : quote(column->text(row));
}

std::vector<Reliance> most_relied(const std::vector<double>& shares, const Schema& schema, const Table& table,
                                  std::uint32_t row) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  std::vector<Reliance> relied;
  for (std::size_t i = 0; i < std::min(kRelied, order.size()) && shares[order[i]] > 0; ++i) {
    const std::string& name = schema.columns[order[i]].name;
    relied.push_back({name, cell_text(table, row, schema.columns[order[i]].table_column()), shares[order[i]]});
  }
  return relied;
}

// Shows a row of a regression. What its members looked at is added later.
RowView number_row(const Schema& schema, const RowSet& set, const PartAnswers& answers, std::size_t r) {
  const auto text = [](double number) { return fmt::format("{:.4g}", number); };
  RowView view{.number = set.rows[r] + std::size_t{1},
               .label = set.targets.empty() ? "" : text(schema.quantity->predicted(set.targets[r])),
               .predicted = text(answers.numbers[r]),
               .of_class = schema.target,
               .probability = answers.numbers[r],
               .disagreement = answers.disagreement[r],
               .members = {},
               .relied = {}};
  for (std::size_t m = 0; m < answers.member_numbers.rows(); ++m) view.members.push_back(answers.member_numbers(m, r));
  view.low = std::ranges::min(view.members);
  view.high = std::ranges::max(view.members);
  view.regression = true;
  return view;
}

RowView view_row(const Ensemble& ensemble, const Schema& schema, const RowSet& set, const PartAnswers& answers,
                 std::size_t r, const Threads& threads) {
  if (schema.quantity) {
    RowView view = number_row(schema, set, answers, r);
    const Explanation explained = explain(ensemble, schema, set.inputs.view().middle_rows(r, 1), threads);
    for (const auto& member : explained.members) {
      view.relied.push_back(most_relied(member.shares, schema, *set.table, set.rows[r]));
    }
    return view;
  }
  const std::span<const double> mean(answers.ensemble.row(r), answers.ensemble.cols());
  const std::size_t predicted = answers.predicted[r];
  const std::size_t of_class = mean.size() == 2 ? 1 : predicted;
  RowView view{.number = set.rows[r] + std::size_t{1},
               .label = set.labels.empty() ? "" : schema.classes[static_cast<std::size_t>(set.labels[r])],
               .predicted = schema.classes[predicted],
               .of_class = schema.classes[of_class],
               .probability = mean[of_class],
               .disagreement = answers.disagreement[r],
               .members = {},
               .relied = {}};
  const Explanation explained = explain(ensemble, schema, set.inputs.view().middle_rows(r, 1), threads);
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    view.members.push_back(answers.members[m](r, of_class));
    view.relied.push_back(most_relied(explained.members[m].shares, schema, *set.table, set.rows[r]));
  }
  return view;
}

void add_disputed(const Ensemble& ensemble, const Schema& schema, const RowSet& set, const PartAnswers& answers,
                  const Threads& threads, RowsView& view) {
  if (ensemble.members.size() < 2) return;
  for (const std::size_t r : distinct_rows(set.inputs.view(), schema, answers.disagreement, kDisputed)) {
    view.disputed.push_back(view_row(ensemble, schema, set, answers, r, threads));
  }
}

Dataset labelled(const RowSet& set, const Schema& schema) {
  return {.inputs = set.inputs,
          .labels = set.labels,
          .classes = schema.classes,
          .features = schema.feature_names(),
          .weights = {},
          .quantity = schema.quantity,
          .targets = set.targets};
}

std::optional<Evaluation> evaluation_of(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                                        const RowSet& set, const Threads& threads) {
  if (set.labels.empty() && set.targets.empty()) return std::nullopt;
  const Dataset data = labelled(set, schema);
  if (!set.trained_since) return evaluate_ensemble(ensemble, decision, data, threads);
  return evaluate_scores(ensemble, decision, data, home_scores(*set.home, ensemble.architecture), threads);
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

[[noreturn]] void no_input(const Schema& schema, const std::string& name) {
  if (std::ranges::find(schema.ignored, name) != schema.ignored.end() || name == schema.target) {
    throw DataError(fmt::format("column {} is not an input of the model", quote(name)));
  }
  std::vector<std::string> known;
  for (const auto& column : schema.columns) known.push_back(column.name);
  for (const auto& feature : schema.features) known.push_back(feature.name);
  std::string near = nearest_name(name, known);
  // The name may be bun where the table has BUN_first and BUN_last.
  const auto longer =
      std::ranges::find_if(known, [&](const std::string& other) { return lower(other).starts_with(lower(name)); });
  if (near.empty() && longer != known.end()) near = *longer;
  throw DataError(fmt::format("the model has no input {}{}", quote(name),
                              near.empty() ? "; perpend inspect lists them" : "; did you mean " + quote(near) + "?"));
}

// Returns the features that the name stands for. `same` says whether two names are equal.
template <class Same>
std::vector<std::size_t> features_of(const Schema& schema, const Same& same) {
  std::vector<std::size_t> of_column, own;
  for (std::size_t f = 0; f < schema.features.size(); ++f) {
    if (same(schema.columns[schema.features[f].column].name)) of_column.push_back(f);
    if (same(schema.features[f].name)) own.push_back(f);
  }
  return of_column.empty() ? own : of_column;
}

}  // namespace

std::vector<std::size_t> features_named(const Schema& schema, std::span<const std::string> names) {
  std::vector<std::size_t> found;
  for (const auto& name : names) {
    auto one = features_of(schema, [&](const std::string& other) { return other == name; });
    if (one.empty()) one = features_of(schema, [&](const std::string& other) { return lower(other) == lower(name); });
    if (one.empty()) no_input(schema, name);
    for (const std::size_t f : one) {
      if (std::ranges::find(found, f) == found.end()) found.push_back(f);
    }
  }
  if (found.size() > kMostNamed) {
    throw DataError(
        fmt::format("these names stand for {} features (each level of a category is one); at most {} can "
                    "be drawn",
                    thousands(found.size()), kMostNamed));
  }
  return found;
}

RowsView view_rows(const Ensemble& ensemble, const Decision& decision, const Schema& schema,
                   std::span<const RowSet> sets, std::size_t judged, const Threads& threads,
                   std::span<const std::size_t> named) {
  PERPEND_CHECK(judged < sets.size());
  RowsView view;
  view.judged = sets[judged].name;
  view.trained_since = sets[judged].trained_since;
  std::vector<std::optional<PartAnswers>> answers;
  double most = 0;
  for (const auto& set : sets) {
    PERPEND_CHECK(set.inputs.rows() > 0 && set.rows.size() == set.inputs.rows());
    answers.push_back(answers_of(ensemble, decision, set, threads));
    if (answers.back()) most = std::max(most, *std::ranges::max_element(answers.back()->disagreement));
  }
  // The disagreement is at most 0.5 with two classes, and less than 0.75 with more. The bins are the same for all
  // models, so that pages can be compared.
  const double high = schema.quantity ? (most > 0 ? most : 1) : most > 0.5 ? 0.75 : 0.5;
  const std::size_t bins = !schema.quantity && most > 0.5 ? 75 : 50;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    PartView part{sets[s].name, sets[s].rows.size(), {}, {}, {}};
    if (answers[s]) {
      part.disagreement = histogram(answers[s]->disagreement, 0, high, bins);
      if (sets[s].measure) part.evaluation = evaluation_of(ensemble, decision, schema, sets[s], threads);
    }
    if (s > judged && answers[judged]) {
      part.spotted = shift_auroc(answers[judged]->disagreement, answers[s]->disagreement);
    }
    view.parts.push_back(std::move(part));
  }
  if (schema.quantity) view.regression = true;
  if (answers[judged]) add_curves(*answers[judged], sets[judged], schema, view);
  add_view_of_gradients(ensemble, schema, sets[judged], named, threads, view);
  if (answers.back()) add_disputed(ensemble, schema, sets.back(), *answers.back(), threads, view);
  return view;
}

}  // namespace perpend
