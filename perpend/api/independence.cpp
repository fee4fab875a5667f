#include "perpend/api/independence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "perpend/api/evaluate.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/moments.h"
#include "perpend/data/need_column.h"

namespace perpend {

namespace {

double step_of(std::span<const double> steps, std::size_t column) {
  return steps.size() == 1 ? steps[0] : steps[column];
}

void check_steps(std::span<const double> steps, std::size_t columns) {
  if (steps.size() != 1 && steps.size() != columns) {
    throw ConfigError("there are " + counted(steps.size(), "step") + " for " + counted(columns, "column") +
                      "; give one for all of them, or one per column");
  }
  if (!std::ranges::all_of(steps, [](double step) { return std::isfinite(step) && step > 0; })) {
    throw ConfigError(option_mention("step") + " must be above 0, in standard deviations of the columns");
  }
}

// (rows, columns), with room to move one column.
Matrix<double, axis::Row, axis::Feature> copy_of(PlainRows rows) {
  if (rows.rows() == 0 || rows.cols() == 0) throw DataError("there are no rows, or no columns, to move along");
  Matrix<double, axis::Row, axis::Feature> copy(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t c = 0; c < rows.cols(); ++c) {
      if (!std::isfinite(rows(r, c))) {
        throw DataError("row " + thousands(r + 1) + " has a missing or infinite cell in column " + thousands(c + 1) +
                        ", where there are no slopes; give gradients, or leave the row out");
      }
      copy(r, c) = rows(r, c);
    }
  }
  return copy;
}

std::vector<double> scores_of(const ScoreFunction& model, PlainRows rows) {
  std::vector<double> scores = model(rows);
  if (scores.size() != rows.rows()) {
    throw DataError("a model gives " + counted(scores.size(), "score") + " for " + counted(rows.rows(), "row"));
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    if (!std::isfinite(scores[r])) {
      throw DataError("a model's score of row " + thousands(r + 1) + " is not a finite number");
    }
  }
  return scores;
}

void move_column(PlainRows from, std::size_t column, double by, Matrix<double, axis::Row, axis::Feature>& to) {
  for (std::size_t r = 0; r < from.rows(); ++r) to(r, column) = from(r, column) + by;
}

void check_shapes(std::span<const InputsView> gradients, const std::vector<ErrorFlags>& errors) {
  const std::size_t models = std::max(gradients.size(), errors.size());
  if (models < 2)
    throw DataError("local independence compares at least two models, and there is " + counted(models, "model"));
  if (!gradients.empty() && !errors.empty() && gradients.size() != errors.size()) {
    throw DataError("there are gradients of " + counted(gradients.size(), "model") + " and errors of " +
                    counted(errors.size(), "model"));
  }
  const std::size_t rows = gradients.empty() ? errors[0].size() : gradients[0].rows();
  for (const InputsView& g : gradients) {
    if (g.rows() != rows || g.cols() != gradients[0].cols()) {
      throw DataError("the models' gradients are not of the same rows and columns");
    }
    for (std::size_t r = 0; r < rows; ++r) {
      if (!std::all_of(g.row(r), g.row(r) + g.cols(), [](float slope) { return std::isfinite(slope); })) {
        throw DataError("a gradient of row " + thousands(r + 1) + " is not finite");
      }
    }
  }
  for (const ErrorFlags& flags : errors) {
    if (flags.size() != rows) throw DataError("the models' errors are not of the same rows");
  }
}

void need_cells(const Table& table, const Column& column, const char* what) {
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (!column.is_missing(r)) continue;
    throw DataError(fmt::format("{}: {} {} is missing; every row needs one", table.place(r), what, quote(column.name)));
  }
}

// The classes of a column, each once, in alphabetical order.
std::vector<std::string> classes_in(const Column& column, std::size_t rows) {
  std::vector<std::string> classes;
  for (std::size_t r = 0; r < rows; ++r) classes.push_back(column.text(r));
  std::ranges::sort(classes);
  const auto twice = std::ranges::unique(classes);
  classes.erase(twice.begin(), twice.end());
  return classes;
}

// "an answer must be the class that the model predicts, written as in 'y' ('no' and 'yes')"
std::string what_an_answer_is(const std::string& target, const std::vector<std::string>& classes) {
  return fmt::format("an answer must be the class that the model predicts, written as in {} ({})", quote(target),
                     quote_all(classes));
}

ErrorFlags flags_of_answers(const Table& table, const Column& answers, const Column& labels,
                            const std::vector<std::string>& classes) {
  ErrorFlags flags(table.rows);
  bool some_class = false;
  for (std::size_t r = 0; r < table.rows; ++r) {
    const std::string answer = answers.text(r);
    const bool is_class = std::ranges::binary_search(classes, answer);
    some_class = some_class || is_class;
    if (!is_class && answers.is_number(r) && answers.number(r) > 0 && answers.number(r) < 1) {
      throw DataError(fmt::format("{}: the answer {} is {}, which looks like a probability; {}", table.place(r),
                                  quote(answers.name), answer, what_an_answer_is(labels.name, classes)));
    }
    flags[r] = answer == labels.text(r) ? 0 : 1;
  }
  if (!some_class && table.rows > 0) {
    throw DataError(fmt::format("{}: no answer in column {} is a class of {}; {}", table.place(0), quote(answers.name),
                                quote(labels.name), what_an_answer_is(labels.name, classes)));
  }
  return flags;
}

}  // namespace

Inputs difference_gradients(const ScoreFunction& model, PlainRows rows, std::span<const double> steps) {
  check_steps(steps, rows.cols());
  auto moved = copy_of(rows);
  Inputs gradients(rows.rows(), rows.cols());
  std::vector<double> column(rows.rows());
  for (std::size_t c = 0; c < rows.cols(); ++c) {
    for (std::size_t r = 0; r < column.size(); ++r) column[r] = rows(r, c);
    if (std::ranges::min(column) == std::ranges::max(column)) continue;
    const double step = step_of(steps, c);
    const double by = step * moments(column).sd;
    move_column(rows, c, by, moved);
    const std::vector<double> ahead = scores_of(model, moved);
    move_column(rows, c, -by, moved);
    const std::vector<double> behind = scores_of(model, moved);
    move_column(rows, c, 0, moved);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      gradients(r, c) = static_cast<float>((ahead[r] - behind[r]) / (2 * step));
    }
  }
  return gradients;
}

LocalIndependence local_independence(std::span<const InputsView> gradients, const std::vector<ErrorFlags>& errors) {
  check_shapes(gradients, errors);
  LocalIndependence found;
  if (!gradients.empty()) found.gradients = gradient_diversity(gradients);
  if (!errors.empty()) found.errors = diversity(errors);
  return found;
}

LocalIndependence local_independence(const std::vector<ScoreFunction>& models, PlainRows rows,
                                     const IndependenceOptions& options) {
  std::vector<Inputs> gradients;
  std::vector<InputsView> views;
  for (const auto& model : models) gradients.push_back(difference_gradients(model, rows, options.steps));
  for (const Inputs& own : gradients) views.push_back(own.view());
  if (views.empty()) throw DataError("local independence compares at least two models, and there is none");
  return local_independence(views, options.errors);
}

AnsweredErrors errors_of_answers(const Table& table, const std::string& target) {
  const Column& labels = need_column(table, target);
  need_cells(table, labels, "label");
  const std::vector<std::string> classes = classes_in(labels, table.rows);
  AnsweredErrors found;
  for (const Column& column : table.columns) {
    if (&column == &labels) continue;
    need_cells(table, column, "answer");
    found.models.push_back(column.name);
    found.errors.push_back(flags_of_answers(table, column, labels, classes));
  }
  return found;
}

LocalIndependence local_independence(const TrainedModel& model, const Table& table, int threads, EncodeReport* report) {
  if (model.ensemble.differentiable() < 2) {
    throw DataError("the model has " + counted(model.ensemble.differentiable(), "member") +
                    " with input gradients, and local independence compares at least two; give a model with more " +
                    option_mention("members"));
  }
  LocalIndependence found{gradient_diversity(model, table, threads, report), std::nullopt};
  if (table.find(model.schema.target) == nullptr) return found;
  const Evaluation metrics = evaluate(model, table, {.threads = threads}).metrics;
  Diversity errors;
  errors.rho = {metrics.rho_av, metrics.undefined_pairs};
  errors.q.mean = metrics.q_av;
  errors.kappa = metrics.kappa;
  found.errors = std::move(errors);
  return found;
}

}  // namespace perpend
