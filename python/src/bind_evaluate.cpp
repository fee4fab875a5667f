#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/api/adapt.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/explain.h"
#include "perpend/api/metrics.h"
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

nb::dict pair_dict(const PairDiversity& pair) {
  nb::dict out;
  out["members"] = nb::make_tuple(pair.first, pair.second);
  out["rho"] = pair.rho;
  out["q"] = pair.q;
  out["disagreement"] = pair.disagreement;
  out["double_fault"] = pair.double_fault;
  return out;
}

nb::dict error_diversity(const std::vector<Labels>& errors) {
  std::vector<ErrorFlags> flags;
  for (const Labels& one : errors) flags.push_back(flags_of(one));
  const Diversity found = diversity(flags);
  nb::dict out;
  out["rho_av"] = found.rho.mean;
  out["q_av"] = found.q.mean;
  out["kappa"] = found.kappa;
  out["disagreement"] = found.disagreement.mean;
  out["double_fault"] = found.double_fault.mean;
  out["undefined_pairs"] = found.rho.undefined;
  nb::list pairs;
  for (const auto& pair : found.pairs) pairs.append(pair_dict(pair));
  out["pairs"] = pairs;
  return out;
}

nb::dict gradient_dict(const GradientDiversity& found) {
  nb::dict out;
  out["grad_cos2"] = found.cos2;
  out["local_mutual_information"] = found.local_mutual_information;
  nb::list pairs;
  for (const auto& pair : found.pairs) {
    nb::dict one;
    one["members"] = nb::make_tuple(pair.first, pair.second);
    one["cos2"] = pair.cos2;
    one["cosine"] = pair.cosine;
    one["local_mutual_information"] = pair.local_mutual_information;
    pairs.append(one);
  }
  out["pairs"] = pairs;
  return out;
}

nb::dict gradient_diversity_of(const PyModel& model, const PyTable& table, int threads) {
  GradientDiversity found;
  {
    const nb::gil_scoped_release without;
    found = gradient_diversity(model.model, table.table(), threads);
  }
  return gradient_dict(found);
}

Evaluated evaluated(const PyModel& model, const PyTable& table, const EvaluateOptions& options) {
  const nb::gil_scoped_release without;
  return evaluate(model.model, table.table(), options);
}

std::string evaluation(const PyModel& model, const PyTable& table, int threads) {
  return to_json(evaluated(model, table, {.threads = threads}).metrics);
}

// The JSON of `perpend evaluate --json`, and (warnings, notes).
nb::tuple evaluate_record(const PyModel& model, const PyTable& table, const std::string& manifold,
                          const std::vector<double>& epsilons, const std::string& norm, int steps, int starts,
                          int draws, bool box, int threads) {
  const DistanceSettings distance{epsilons, norm, steps, starts, draws, box};
  const Evaluated found = evaluated(model, table, {.manifold = manifold, .distance = distance, .threads = threads});
  return nb::make_tuple(to_json(found), found.warnings, found.notes);
}

Explained explained(const PyModel& model, const PyTable& table, const ExplainOptions& options) {
  const nb::gil_scoped_release without;
  return explain(model.model, table.table(), options);
}

// The JSON of `perpend explain --json`, of all rows or of one (the first is 0), and (warnings, notes).
nb::tuple explain_record(const PyModel& model, const PyTable& table, std::optional<std::size_t> row,
                         const std::string& manifold, int threads) {
  const Explained found = explained(model, table, {.manifold = manifold, .row = row, .threads = threads});
  return nb::make_tuple(to_json(found, model.model), found.warnings, found.notes);
}

// (the model with new weights, JSON of `perpend adapt --json`, warnings, reading).
nb::tuple adapted(const PyModel& model, const PyTable& table, int threads) {
  AdaptedModel found;
  {
    const nb::gil_scoped_release without;
    found = adapt(model.model, table.table(), threads);
  }
  const std::string json = to_json(found);
  return nb::make_tuple(PyModel{std::move(found.model)}, json, found.warnings, found.reading);
}

nb::dict explanation_dict(const Explanation& found, const Schema& schema) {
  nb::list members;
  for (const auto& member : found.members) {
    nb::list features;
    for (const auto& feature : member.features) {
      nb::dict one;
      one["mean"] = feature.mean;
      one["sd"] = feature.sd;
      one["quantiles"] = feature.quantiles;
      features.append(one);
    }
    nb::dict one;
    one["features"] = features;
    one["shares"] = member.shares;
    one["tangent_shares"] = member.tangent_shares;
    members.append(one);
  }
  nb::list pairs;
  for (const auto& pair : found.pairs) {
    nb::dict one;
    one["members"] = nb::make_tuple(pair.first, pair.second);
    one["cos2"] = pair.cos2;
    one["cosine"] = pair.cosine;
    one["same_prediction"] = pair.same;
    one["kappa"] = pair.kappa;
    if (pair.tangent_cos2) one["tangent_cos2"] = pair.tangent_cos2;
    pairs.append(one);
  }
  nb::list substitutes;
  for (const auto& one : found.substitutes) {
    nb::list sides;
    for (const std::size_t side : {0, 1}) {
      nb::list names;
      for (const std::size_t c : one.columns[side]) names.append(schema.columns[c].name);
      sides.append(nb::make_tuple(names, one.members[side]));
    }
    substitutes.append(nb::tuple(sides));
  }
  nb::dict out;
  out["members"] = members;
  out["pairs"] = pairs;
  out["substitutes"] = substitutes;
  return out;
}

nb::dict explanation_of(const PyModel& model, const PyTable& table, int threads) {
  return explanation_dict(explained(model, table, {.threads = threads}).all, model.model.schema);
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
        nb::sig("def error_diversity(errors: list[typing.Any]) -> dict[str, typing.Any]"));
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
  m.def("gradient_diversity", &gradient_diversity_of, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def gradient_diversity(model: Model, table: Table, threads: int) -> dict[str, typing.Any]"));
  m.def("evaluation", &evaluation, nb::arg("model"), nb::arg("table"), nb::arg("threads"));
  m.def("explain", &explanation_of, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def explain(model: Model, table: Table, threads: int) -> dict[str, typing.Any]"));
  m.def("explain_record", &explain_record, nb::arg("model"), nb::arg("table"), nb::arg("row").none(),
        nb::arg("manifold"), nb::arg("threads"),
        nb::sig("def explain_record(model: Model, table: Table, row: int | None, manifold: str, threads: int) -> "
                "tuple[str, list[str], list[str]]"));
  m.def("evaluate_record", &evaluate_record, nb::arg("model"), nb::arg("table"), nb::arg("manifold"),
        nb::arg("epsilons"), nb::arg("norm"), nb::arg("steps"), nb::arg("starts"), nb::arg("draws"), nb::arg("box"),
        nb::arg("threads"),
        nb::sig("def evaluate_record(model: Model, table: Table, manifold: str, epsilons: list[float], norm: str, "
                "steps: int, starts: int, draws: int, box: bool, threads: int) -> tuple[str, list[str], list[str]]"));
  m.def(
      "diversity_record",
      [](const PyModel& model, const PyTable& table, int threads) {
        const nb::gil_scoped_release without;
        return to_json(gradient_diversity(model.model, table.table(), threads));
      },
      nb::arg("model"), nb::arg("table"), nb::arg("threads"));
  m.def(
      "error_diversity_record",
      [](const std::vector<Labels>& errors) {
        std::vector<ErrorFlags> flags;
        for (const Labels& one : errors) flags.push_back(flags_of(one));
        return to_json(diversity(flags));
      },
      nb::arg("errors"), nb::sig("def error_diversity_record(errors: list[typing.Any]) -> str"));
  m.def("adapt", &adapted, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def adapt(model: Model, table: Table, threads: int) -> tuple[Model, str, list[str], str]"));
}

}  // namespace perpend::python
