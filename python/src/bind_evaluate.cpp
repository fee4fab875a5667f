#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/api/adapt.h"
#include "perpend/api/ask.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/explain.h"
#include "perpend/api/independence.h"
#include "perpend/api/metrics.h"
#include "perpend/api/monitor.h"
#include "perpend/data/encode.h"
#include "perpend/records/json.h"
#include "py_model.h"

namespace perpend::python {

namespace {

// Of P(class 1) per row, or of (rows, K).
template <class Function>
auto with_probabilities(const nb::object& values, const Function& use) {
  Doubles binary;
  if (nb::try_cast(values, binary)) return use(Probabilities(binary.data(), binary.shape(0)));
  const auto classes = nb::cast<Matrix2>(values);
  // The library wants rows padded to 16; a view may be narrower.
  return use(ClassProbabilities(classes.data(), classes.shape(0), classes.shape(1), classes.shape(1)));
}

LabelsView view(const Labels& labels) { return {labels.data(), labels.shape(0)}; }

ErrorFlags flags_of(const Labels& errors) { return {errors.data(), errors.data() + errors.shape(0)}; }

std::string error_diversity(const std::vector<Labels>& errors) {
  std::vector<ErrorFlags> flags;
  for (const Labels& one : errors) flags.push_back(flags_of(one));
  return to_json(diversity(flags));
}

// Answers about rows are (JSON, warnings).
using Answer = std::tuple<std::string, std::vector<std::string>>;

Answer gradient_diversity_of(const PyModel& model, const PyTable& table, int threads) {
  const nb::gil_scoped_release without;
  EncodeReport report;
  std::string found = to_json(gradient_diversity(model.model, table.table(), threads, &report));
  return {std::move(found), spelled(report.warnings())};
}

// The classes of a table's rows as indices. A label that is no class of the model is a DataError.
nb::object class_indices(const PyModel& model, const PyTable& table) {
  const Dataset data = encode(table.table(), model.model.schema, all_rows(table.table()));
  return array_of(std::vector<std::int64_t>(data.labels.begin(), data.labels.end()), {data.labels.size()});
}

std::vector<std::string> said(std::vector<std::string> warnings, const std::vector<std::string>& notes) {
  warnings.insert(warnings.end(), notes.begin(), notes.end());
  return spelled(std::move(warnings));
}

// (members, rows, features).
using Gradients3 = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

std::vector<InputsView> views_of(const Gradients3& gradients) {
  const std::size_t rows = gradients.shape(1);
  const std::size_t features = gradients.shape(2);
  std::vector<InputsView> views;
  for (std::size_t m = 0; m < gradients.shape(0); ++m) {
    views.emplace_back(gradients.data() + m * rows * features, rows, features, features);
  }
  return views;
}

Metric grad_cos2(const Gradients3& gradients) { return gradient_diversity(views_of(gradients)).cos2; }

std::string local_independence_of(const Gradients3& gradients, const std::vector<Labels>& errors) {
  std::vector<ErrorFlags> flags;
  for (const Labels& one : errors) flags.push_back(flags_of(one));
  return to_json(local_independence(views_of(gradients), flags));
}

// Per column of answers, 1 where it is not the label.
std::vector<std::vector<int>> errors_of_answers_in(const PyTable& table, const std::string& target) {
  const nb::gil_scoped_release without;
  std::vector<std::vector<int>> errors;
  for (const ErrorFlags& flags : errors_of_answers(table.table(), target).errors) {
    errors.emplace_back(flags.begin(), flags.end());
  }
  return errors;
}

using Rows2 = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// `score` is a Python function from an array (rows, columns) to an array of scores.
nb::object difference_gradients_of(const nb::object& score, const Rows2& rows, const std::vector<double>& steps) {
  const auto model = [&](PlainRows moved) {
    std::vector<double> values;
    values.reserve(moved.rows() * moved.cols());
    for (std::size_t r = 0; r < moved.rows(); ++r)
      values.insert(values.end(), moved.row(r), moved.row(r) + moved.cols());
    const auto scores = nb::cast<Doubles>(score(array_of(std::move(values), {moved.rows(), moved.cols()})));
    return std::vector<double>(scores.data(), scores.data() + scores.shape(0));
  };
  const PlainRows view(rows.data(), rows.shape(0), rows.shape(1), rows.shape(1));
  const Inputs found = difference_gradients(model, view, steps);
  std::vector<float> dense;
  for (std::size_t r = 0; r < found.rows(); ++r) dense.insert(dense.end(), found.row(r), found.row(r) + found.cols());
  return array_of(std::move(dense), {found.rows(), found.cols()});
}

// The JSON of `perpend evaluate --json`; with epsilons also independence at these distances.
Answer evaluation(const PyModel& model, const PyTable& table, const std::vector<double>& epsilons,
                  const std::string& manifold, int threads) {
  const nb::gil_scoped_release without;
  EvaluateOptions options{.manifold = manifold, .threads = threads};
  options.distance.epsilons = epsilons;
  const Evaluated found = evaluate(model.model, table.table(), options);
  return {to_json(found), said(found.warnings, found.notes)};
}

// The JSON of `perpend explain --json`.
Answer explanation(const PyModel& model, const PyTable& table, const std::string& manifold, int threads) {
  const nb::gil_scoped_release without;
  const Explained found = explain(model.model, table.table(), {.manifold = manifold, .threads = threads});
  return {to_json(found, model.model), said(found.warnings, found.notes)};
}

// What `perpend explain --permute --json` has under `permutation`.
Answer permutation_of(const PyModel& model, const PyTable& table, int repeats, int threads) {
  const nb::gil_scoped_release without;
  EncodeReport report;
  std::string found =
      to_json(permutation_importance(model.model, table.table(), {.repeats = repeats, .threads = threads}, &report));
  return {std::move(found), spelled(report.warnings())};
}

// The JSON of `perpend explain --curve COLUMN --json`.
Answer dependence_of(const PyModel& model, const PyTable& table, const std::string& column, int threads) {
  const nb::gil_scoped_release without;
  EncodeReport report;
  std::string found = to_json(partial_dependence(model.model, table.table(), column, threads, &report));
  return {std::move(found), spelled(report.warnings())};
}

// The JSON of `perpend monitor --json`, and what it prints. labelled: the table has the model's target.
std::tuple<std::string, std::string> monitoring(const PyModel& model, const PyTable& table, bool labelled,
                                                const std::string& window, double alarm, int threads) {
  const nb::gil_scoped_release without;
  const Monitoring found = monitor(model.model, table.table(),
                                   {.alarm = alarm,
                                    .labels = labelled ? model.model.schema.target : std::string(),
                                    .window = window,
                                    .threads = threads});
  return {to_json(found), text_of(found)};
}

// (the model with new weights, what they mean, warnings).
nb::tuple adapted(const PyModel& model, const PyTable& table, int threads) {
  AdaptedModel found;
  {
    const nb::gil_scoped_release without;
    found = adapt(model.model, table.table(), threads);
  }
  return nb::make_tuple(PyModel{std::move(found.model)}, perpend::spelled(found.reading, keyword_spelling),
                        spelled(found.warnings));
}

nb::tuple asked(const PyModel& model, const PyTable& table, std::size_t count, int threads) {
  AskedRows found;
  {
    const nb::gil_scoped_release without;
    found = ask(model.model, table.table(), count, threads);
  }
  return nb::make_tuple(found.rows, spelled(found.warnings));
}

nb::dict calibration_dict(const Calibration& found) {
  std::vector<std::size_t> rows;
  std::vector<Metric> mean;
  std::vector<Metric> frequency;
  for (const CalibrationBin& bin : found.bins) {
    rows.push_back(bin.rows);
    mean.push_back(bin.mean_probability);
    frequency.push_back(bin.frequency);
  }
  nb::dict out;
  out["rows"] = rows;
  out["mean_probability"] = mean;
  out["frequency"] = frequency;
  out["ece"] = found.ece;
  return out;
}

}  // namespace

void bind_evaluate(nb::module_& m) {
  m.def(
      "scores",
      [](const nb::object& probabilities, const Labels& labels) {
        const Scores found = with_probabilities(probabilities, [&](auto p) { return score(p, view(labels)); });
        return std::tuple(found.auc, found.accuracy, found.log_loss, found.brier, found.ece);
      },
      nb::arg("probabilities"), nb::arg("labels"));
  m.def(
      "auc",
      [](const Doubles& scores, const Labels& labels) {
        return auc({scores.data(), scores.shape(0)}, view(labels));
      },
      nb::arg("scores"), nb::arg("labels"));
  m.def(
      "calibration",
      [](const nb::object& probabilities, const Labels& labels) {
        return calibration_dict(with_probabilities(probabilities, [&](auto p) { return calibrate(p, view(labels)); }));
      },
      nb::arg("probabilities"), nb::arg("labels"),
      nb::sig("def calibration(probabilities: typing.Any, labels: typing.Any) -> dict[str, typing.Any]"));
  m.def("error_diversity", &error_diversity, nb::arg("errors"),
        nb::sig("def error_diversity(errors: list[typing.Any]) -> str"));
  m.def("local_independence", &local_independence_of, nb::arg("gradients"), nb::arg("errors"),
        nb::sig("def local_independence(gradients: typing.Any, errors: list[typing.Any]) -> str"));
  m.def("errors_of_answers", &errors_of_answers_in, nb::arg("table"), nb::arg("target"));
  m.def("difference_gradients", &difference_gradients_of, nb::arg("score"), nb::arg("rows"), nb::arg("steps"),
        nb::sig("def difference_gradients(score: typing.Any, rows: typing.Any, steps: list[float]) -> typing.Any"));
  m.def("grad_cos2", &grad_cos2, nb::arg("gradients"), nb::sig("def grad_cos2(gradients: typing.Any) -> float | None"));
  m.def(
      "risk_coverage",
      [](const Doubles& uncertainty, const Labels& errors) {
        const RiskCoverage found = risk_coverage({uncertainty.data(), uncertainty.shape(0)}, flags_of(errors));
        std::vector<double> coverage;
        std::vector<double> risk;
        for (const auto& point : found.points) {
          coverage.push_back(point.coverage);
          risk.push_back(point.risk);
        }
        return std::tuple(coverage, risk, found.area);
      },
      nb::arg("uncertainty"), nb::arg("errors"));
  m.def(
      "shift_auroc",
      [](const Doubles& familiar, const Doubles& shifted) {
        return shift_auroc({familiar.data(), familiar.shape(0)}, {shifted.data(), shifted.shape(0)});
      },
      nb::arg("familiar"), nb::arg("shifted"));
  m.def("gradient_diversity", &gradient_diversity_of, nb::arg("model"), nb::arg("table"), nb::arg("threads"));
  m.def("evaluation", &evaluation, nb::arg("model"), nb::arg("table"), nb::arg("epsilons"), nb::arg("manifold"),
        nb::arg("threads"));
  m.def("class_indices", &class_indices, nb::arg("model"), nb::arg("table"),
        nb::sig("def class_indices(model: Model, table: Table) -> typing.Any"));
  m.def("monitor", &monitoring, nb::arg("model"), nb::arg("table"), nb::arg("labelled"), nb::arg("window"),
        nb::arg("alarm"), nb::arg("threads"));
  m.def("explain", &explanation, nb::arg("model"), nb::arg("table"), nb::arg("manifold"), nb::arg("threads"));
  m.def("permutation_importance", &permutation_of, nb::arg("model"), nb::arg("table"), nb::arg("repeats"),
        nb::arg("threads"));
  m.def("partial_dependence", &dependence_of, nb::arg("model"), nb::arg("table"), nb::arg("column"),
        nb::arg("threads"));
  m.def("adapt", &adapted, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def adapt(model: Model, table: Table, threads: int) -> tuple[Model, str, list[str]]"));
  m.def("ask", &asked, nb::arg("model"), nb::arg("table"), nb::arg("count"), nb::arg("threads"),
        nb::sig("def ask(model: Model, table: Table, count: int, threads: int) -> tuple[list[int], list[str]]"));
}

}  // namespace perpend::python
