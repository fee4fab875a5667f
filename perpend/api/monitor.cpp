#include "perpend/api/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "perpend/api/monitor_parts.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/encode.h"
#include "perpend/data/need_column.h"
#include "perpend/evaluate/answers.h"
#include "perpend/evaluate/change_points.h"
#include "perpend/evaluate/column_change.h"
#include "perpend/evaluate/drift.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/expected.h"
#include "perpend/evaluate/marks.h"
#include "perpend/evaluate/regression.h"
#include "perpend/evaluate/selective.h"
#include "perpend/evaluate/table_columns.h"
#include "perpend/evaluate/undone.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

constexpr std::size_t kMostUndone = 20;       // columns whose move is undone
constexpr std::size_t kMostUndoneRows = 500;  // on which its effect is measured
constexpr std::size_t kNoted = 5;
constexpr double kFarShare = 0.25;
// Rows that differ in fewer of their 256 marks show the same thing.
constexpr int kNeighbours = 24;

// The new rows as the model sees them, and what it answers.
struct NewRows {
  const TrainedModel& model;
  const Table& table;
  Dataset data;  // with labels where they are given
  EncodeReport report;
  RowsUnlike unlike;
  std::vector<std::size_t> levels;
  std::vector<std::uint32_t> marks;
  Stack<float, axis::Row, axis::Score> scores;
  Answers answers;

  InputsView view() const { return data.inputs.view(); }
  bool labelled() const { return data.labelled() > 0; }
};

void need_home(const TrainedModel& model) {
  if (!model.home.columns.empty()) return;
  const bool plain = !model.schema.by_column && !model.home.empty();
  throw ConfigError(plain ? "the model sees plain features and does not remember its columns; train it without " +
                                option_mention("views", "plain") + " and " + option_mention("manifold")
                          : "the model does not remember the rows that it was trained on; train it again with this "
                            "version of perpend, with " +
                                option_mention("remember") + " and without " + option_mention("preset", "published"));
}

void label_rows(const Table& table, Schema schema, const std::string& column, Dataset& data) {
  schema.target = column;
  need_column(table, column, ", which should have the labels");
  add_labels(table, schema, all_rows(table), data);
}

NewRows new_rows(const TrainedModel& model, const Table& table, const MonitorOptions& options, const Threads& threads) {
  NewRows rows{.model = model,
               .table = table,
               .data = {},
               .report = {},
               .unlike = {},
               .levels = {},
               .marks = {},
               .scores = {},
               .answers = {}};
  rows.data.inputs = encode_inputs(table, model.schema, all_rows(table), &rows.report, &rows.unlike);
  rows.data.quantity = model.schema.quantity;
  if (!options.labels.empty()) label_rows(table, model.schema, options.labels, rows.data);
  rows.levels = model.schema.level_counts();
  rows.marks = marks_of(model.home.columns, rows.levels, rows.view());
  const std::size_t classes = model.schema.quantity ? 0 : model.schema.classes.size();
  rows.answers = Answers(table.rows, model.ensemble.members.size(), classes, false);
  rows.scores = member_scores(model.ensemble, rows.view(), threads);
  answer_scores(model.ensemble, model.decision, rows.scores, threads, 0, rows.answers);
  return rows;
}

struct Tests {
  std::vector<ColumnDrift> columns;
  double joint = 1;
  double answers = 1;

  double p_value() const {
    double least = std::min(joint, answers);
    for (const ColumnDrift& column : columns) least = std::min(least, column.adjusted);
    return std::min(1.0, 3 * least);
  }
};

// Returns the ensemble's answer to each row as one number.
std::vector<double> said_by(const Answers& answers) {
  if (answers.is_regression()) return answers.numbers;
  std::vector<double> said;
  for (std::size_t r = 0; r < answers.rows; ++r) said.push_back(answers.probability(r, answers.shown_class(r)));
  return said;
}

double answers_p_value(const Answers& home, const Answers& here, bool refitted) {
  const double tolerance = refitted ? kRefitTolerance : 0;
  return std::min(1.0, 2 * std::min(shift_p_value(home.disagreement, here.disagreement, Sides::larger, tolerance),
                                    shift_p_value(said_by(home), said_by(here), Sides::both, tolerance)));
}

// Tests some of the rows against home.
Tests test(const TrainedModel& model, const Answers& at_home, InputsView inputs, std::span<const std::uint32_t> marks,
           const Answers& answers) {
  return {column_drift(model.home.columns, model.schema.level_counts(), inputs), joint_p_value(model.home.marks, marks),
          answers_p_value(at_home, answers, model.summary.refitted)};
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> doubts_of(const Answers& answers) {
  std::vector<double> doubts;
  for (std::size_t r = 0; r < answers.rows; ++r) {
    const auto first = answers.probabilities.begin() + static_cast<std::ptrdiff_t>(r * answers.classes);
    doubts.push_back(1 - *std::max_element(first, first + static_cast<std::ptrdiff_t>(answers.classes)));
  }
  return doubts;
}

// Returns the mean size of the differences between two sets of answers: of the ensemble, then of each member.
std::vector<double> differences(const Answers& first, const Answers& second) {
  const auto mean_size = [&](std::size_t count, const auto& difference) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += std::abs(static_cast<double>(difference(i)));
    // With several classes, half the sum over classes is the probability that moved.
    const double halves = first.classes > 0 ? 2 : 1;
    return sum / halves / static_cast<double>(first.rows);
  };
  std::vector<double> means;
  if (first.is_regression()) {
    means.push_back(mean_size(first.rows, [&](std::size_t r) { return first.numbers[r] - second.numbers[r]; }));
    for (std::size_t m = 0; m < first.members; ++m) {
      means.push_back(mean_size(first.rows, [&](std::size_t r) {
        return first.numbers_of_members[m * first.rows + r] - second.numbers_of_members[m * first.rows + r];
      }));
    }
    return means;
  }
  const std::size_t cells = first.rows * first.classes;
  means.push_back(mean_size(cells, [&](std::size_t i) { return first.probabilities[i] - second.probabilities[i]; }));
  for (std::size_t m = 0; m < first.members; ++m) {
    means.push_back(mean_size(
        cells, [&](std::size_t i) { return first.of_members[m * cells + i] - second.of_members[m * cells + i]; }));
  }
  return means;
}

Answers answers_on(const TrainedModel& model, InputsView inputs, const Threads& threads) {
  const std::size_t classes = model.schema.quantity ? 0 : model.schema.classes.size();
  Answers answers(inputs.rows(), model.ensemble.members.size(), classes, true);
  answer_block(model.ensemble, model.decision, inputs, threads, 0, answers);
  return answers;
}

// Measures how much the answers change when one column alone is put back. It takes some of the rows, and the columns
// that moved most.
void measure_effects(const NewRows& rows, const Threads& threads, double alarm, std::vector<ColumnDrift>& order,
                     std::vector<MonitoredColumn>& columns) {
  Inputs some = rows_of(rows.view(), evenly_spread(rows.data.rows(), kMostUndoneRows));
  const Answers as_it_is = answers_on(rows.model, some.view(), threads);
  for (std::size_t i = 0; i < std::min(order.size(), kMostUndone) && order[i].adjusted < alarm; ++i) {
    const std::size_t c = order[i].column;
    const auto cells = put_back(rows.model.home.columns[c], rows.model.schema, c, some.view());
    Inputs undone = some;
    for (std::size_t r = 0; r < undone.rows(); ++r) undone(r, c) = cells[r];
    auto effects = differences(as_it_is, answers_on(rows.model, undone.view(), threads));
    columns[i].matters = effects[0];
    columns[i].members.assign(effects.begin() + 1, effects.end());
  }
}

std::size_t count_of(const std::vector<ColumnCount>& counts, const std::string& column) {
  const auto found = std::ranges::find(counts, column, &ColumnCount::column);
  return found == counts.end() ? 0 : found->count;
}

std::vector<MonitoredColumn> columns_of(const NewRows& rows, const Tests& tests, double alarm, const Threads& threads) {
  std::vector<ColumnDrift> order = tests.columns;
  std::ranges::stable_sort(order, [](const ColumnDrift& a, const ColumnDrift& b) {
    return a.adjusted != b.adjusted ? a.adjusted < b.adjusted : a.drift > b.drift;
  });
  std::vector<MonitoredColumn> columns;
  for (const ColumnDrift& found : order) {
    const InputColumn& input = rows.model.schema.columns[found.column];
    MonitoredColumn column{.name = input.name, .drift = found.drift, .p_value = found.adjusted};
    column.outside = count_of(rows.report.outside, input.table_column());
    column.unseen = count_of(rows.report.unseen, input.table_column());
    column.missing = count_of(rows.report.filled, input.table_column());
    if (found.adjusted < alarm) {
      const HomeColumn& home = rows.model.home.columns[found.column];
      column.change = change_text(home, rows.model.schema, found.column, rows.view());
      column.gap = possible_gap(home, rows.model.schema, found.column, rows.view());
    }
    columns.push_back(std::move(column));
  }
  measure_effects(rows, threads, alarm, order, columns);
  std::ranges::stable_sort(columns, [](const MonitoredColumn& a, const MonitoredColumn& b) {
    return a.matters.value_or(-1) > b.matters.value_or(-1);
  });
  return columns;
}

// In a column with n rows at home, rows like those at home are outside its range with probability 2 / (n + 1).
double far_by_chance(const TrainedModel& model) {
  double chance = 0;
  for (const HomeColumn& column : model.home.columns) {
    const double rows = std::accumulate(column.counts.begin(), column.counts.end(), 0.0);
    if (!column.edges.empty()) chance += 2 / (rows + 1);
  }
  return std::min(1.0, chance);
}

std::size_t far_rows(const RowsUnlike& unlike) {
  std::size_t rows = 0;
  for (std::size_t r = 0; r < unlike.unseen.size(); ++r) rows += unlike.unseen[r] + unlike.outside[r] > 0 ? 1 : 0;
  return rows;
}

int marks_apart(const std::vector<std::uint32_t>& marks, std::size_t first, std::size_t second) {
  int apart = 0;
  for (std::size_t w = 0; w < kMarkWords; ++w) {
    apart += std::popcount(marks[first * kMarkWords + w] ^ marks[second * kMarkWords + w]);
  }
  return apart;
}

// Returns the strangest rows: those beyond home in most columns, then those in most dispute. No two show the same
// thing.
std::vector<NotedRow> rows_to_look_at(const NewRows& rows) {
  std::vector<std::size_t> order(rows.table.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto odd = [&](std::size_t r) { return rows.unlike.unseen[r] + rows.unlike.outside[r]; };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return odd(a) != odd(b) ? odd(a) > odd(b) : rows.answers.disagreement[a] > rows.answers.disagreement[b];
  });
  std::vector<std::size_t> chosen;
  for (const std::size_t r : order) {
    if (chosen.size() == kNoted) break;
    const bool is_near =
        std::ranges::any_of(chosen, [&](std::size_t c) { return marks_apart(rows.marks, r, c) < kNeighbours; });
    if (!is_near) chosen.push_back(r);
  }
  std::vector<NotedRow> noted;
  for (const std::size_t r : chosen) {
    NotedRow row{
        .number = r + 1, .place = rows.table.place(r), .disagreement = rows.answers.disagreement[r], .columns = {}};
    for (std::size_t c = 0; c < rows.levels.size(); ++c) {
      if (is_beyond(rows.model.schema, c, rows.data.inputs(r, c)))
        row.columns.push_back(rows.model.schema.columns[c].name);
    }
    noted.push_back(std::move(row));
  }
  return noted;
}

// Returns the answers of these rows alone.
Answers answers_of(const Answers& all, const std::vector<std::size_t>& rows) {
  Answers some(rows.size(), all.members, all.classes, false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    some.disagreement[i] = all.disagreement[rows[i]];
    some.predicted[i] = all.predicted[rows[i]];
    if (all.is_regression()) some.numbers[i] = all.numbers[rows[i]];
    for (std::size_t k = 0; k < all.classes; ++k) some.probabilities[i * all.classes + k] = all.probability(rows[i], k);
  }
  return some;
}

std::vector<std::uint32_t> marks_of_rows(const std::vector<std::uint32_t>& all, const std::vector<std::size_t>& rows) {
  std::vector<std::uint32_t> some;
  for (const std::size_t r : rows) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(r * kMarkWords);
    some.insert(some.end(), first, first + kMarkWords);
  }
  return some;
}

// Per row, 1 where the answer is not the label.
std::vector<double> errors_of(const Answers& answers, std::span<const std::int32_t> labels) {
  std::vector<double> errors;
  for (std::size_t r = 0; r < answers.rows; ++r) {
    errors.push_back(static_cast<std::int32_t>(answers.predicted[r]) == labels[r] ? 0 : 1);
  }
  return errors;
}

// Returns the accuracy, or a regression's R^2. answers: of the rows with these numbers.
Metric merit_of(const Dataset& data, const Answers& answers, const std::vector<std::size_t>& numbers) {
  if (data.quantity) {
    const std::vector<double> all = targets_of(data);
    std::vector<double> targets;
    for (const std::size_t r : numbers) targets.push_back(all[r]);
    return score_numbers(answers.numbers, targets, data.quantity->loss).r2;
  }
  std::vector<std::int32_t> labels;
  for (const std::size_t r : numbers) labels.push_back(data.labels[r]);
  const auto errors = errors_of(answers, labels);
  const auto right = std::ranges::count(errors, 0.0);
  return static_cast<double>(right) / static_cast<double>(errors.size());
}

std::vector<MonitoredWindow> monitor_windows(const NewRows& rows, const Answers& at_home, const std::string& window) {
  std::vector<MonitoredWindow> found;
  for (const auto& [name, numbers] : windows_of(rows.table, window)) {
    const Answers answers = answers_of(rows.answers, numbers);
    const Tests tests =
        test(rows.model, at_home, rows_of(rows.view(), numbers).view(), marks_of_rows(rows.marks, numbers), answers);
    MonitoredWindow& added = found.emplace_back(MonitoredWindow{.name = name,
                                                                .first = numbers.front() + 1,
                                                                .rows = numbers.size(),
                                                                .p_value = tests.p_value(),
                                                                .disagreement = mean_of(answers.disagreement),
                                                                .accuracy = {}});
    if (rows.labelled()) added.accuracy = merit_of(rows.data, answers, numbers);
  }
  return found;
}

// Looks for changes along the rows. It follows the error where labels are known, otherwise the disagreement, as shares
// of its largest value.
std::vector<ChangePoint> changes_along(const NewRows& rows, const Answers& at_home, double alarm) {
  const bool by_errors = rows.labelled() && !rows.data.quantity;
  std::vector<double> home = at_home.disagreement, here = rows.answers.disagreement;
  if (by_errors) {
    const std::vector<std::int32_t> labels(rows.model.home.targets.begin(), rows.model.home.targets.end());
    home = errors_of(at_home, labels);
    here = errors_of(rows.answers, rows.data.labels);
  }
  double largest = 0;
  for (const auto* values : {&home, &here}) largest = std::max(largest, *std::ranges::max_element(*values));
  if (largest == 0) return {};
  for (auto* values : {&home, &here}) {
    for (double& value : *values) value /= largest;
  }
  std::vector<ChangePoint> changes;
  for (const Change& change : change_points(home, here, alarm)) {
    changes.push_back(
        {change.row + 1, by_errors ? "error" : "disagreement", change.before * largest, change.after * largest});
  }
  return changes;
}

SplitKind split_of(const TrainedModel& model) {
  RunOptions options;
  options_from_json(model.options, options);
  return options.split.kind;
}

// Returns the part whose figures stand for home. Test rows of another split may be the very rows that moved.
JudgedPart judged_at_home(const TrainedModel& model, SplitKind split) {
  const bool tests_at_home = split == SplitKind::random || split == SplitKind::limited;
  const RunSummary& summary = model.summary;
  if (tests_at_home || !summary.validation) return summary.judged();
  return {"validation", summary.rows.validation, &*summary.validation};
}

void check_options(const Table& table, const MonitorOptions& options) {
  if (!(options.alarm > 0 && options.alarm < 1)) {
    throw ConfigError(option_mention("alarm") + " must be above 0 and below 1");
  }
  if (table.rows == 0) throw DataError("there are no rows to monitor");
}

}  // namespace

Monitoring monitor(const TrainedModel& model, const Table& table, const MonitorOptions& options) {
  check_options(table, options);
  need_home(model);
  const Threads threads(options.threads);
  const NewRows rows = new_rows(model, table, options, threads);
  const Answers at_home = home_answers(model.ensemble, model.decision, model.home, threads);
  const Tests tests = test(model, at_home, rows.view(), rows.marks, rows.answers);
  Monitoring found;
  found.rows = table.rows;
  found.alarm = options.alarm;
  found.p_value = tests.p_value();
  found.joint_p_value = tests.joint;
  found.answers_p_value = tests.answers;
  found.regression = model.schema.quantity.has_value();
  found.columns = columns_of(rows, tests, options.alarm, threads);
  found.unseen_rows = rows.report.unseen_rows;
  found.outside_rows = rows.report.outside_rows.value_or(0);
  found.missing_cells = rows.report.missing_cells();
  found.disagreement_home = mean_of(at_home.disagreement);
  found.disagreement_new = mean_of(rows.answers.disagreement);
  if (!found.regression) {
    found.doubt_home = mean_of(doubts_of(at_home));
    found.doubt_new = mean_of(doubts_of(rows.answers));
    const ExpectedPerformance expected =
        expected_performance(labelled_home(model.ensemble, model.decision, model.home, threads), rows.answers);
    found.accuracy = expected.accuracy;
    found.auc = expected.auc;
    found.log_loss = expected.log_loss;
  }
  const double far_share = static_cast<double>(far_rows(rows.unlike)) / static_cast<double>(table.rows);
  if (found.p_value < options.alarm) {
    found.verdict = far_share - far_by_chance(model) >= kFarShare ? Verdict::far : Verdict::moved;
  }
  const SplitKind split = split_of(model);
  found.home_is_beyond = split == SplitKind::by_column || split == SplitKind::extrapolation;
  if (const JudgedPart judged = judged_at_home(model, split); judged.evaluation != nullptr) {
    found.at_home = *judged.evaluation;
    found.home_part = judged.name;
    found.home_rows = judged.rows;
  }
  if (rows.labelled()) {
    found.measured = evaluate_scores(model.ensemble, model.decision, rows.data, rows.scores, threads);
  }
  found.look = rows_to_look_at(rows);
  if (!options.window.empty()) {
    found.windows = monitor_windows(rows, at_home, options.window);
    found.changes = changes_along(rows, at_home, options.alarm);
  }
  found.summary = summary_of(found, far_share);
  found.advice = advice_of(found);
  return found;
}

}  // namespace perpend
