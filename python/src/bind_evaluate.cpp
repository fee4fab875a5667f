#include "perpend/evaluate/evaluate.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/base/parallel.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/explain.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/predict.h"
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

nb::dict gradient_diversity_of(const PyModel& model, const PyTable& table, int thread_count) {
  GradientDiversitySums sums(model.model.ensemble.members.size());
  {
    const nb::gil_scoped_release without;
    const Threads threads(thread_count);
    for_each_block(model, table, [&](std::size_t, InputsView inputs) {
      const auto gradients = input_gradients(model.model.ensemble, inputs, threads);
      std::vector<InputsView> views;
      for (std::size_t m = 0; m < gradients.members(); ++m) views.push_back(gradients[m]);
      sums.add(views);
    });
  }
  return gradient_dict(sums.result());
}

std::string evaluation(const PyModel& model, const PyTable& table, int thread_count) {
  const nb::gil_scoped_release without;
  const Threads threads(thread_count);
  const Dataset data = encode(table.table(), model.model.schema, all_rows(table.table()));
  return to_json(evaluate_ensemble(model.model.ensemble, model.model.decision, data, threads, model.model.basis));
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

nb::dict explained(const PyModel& model, const PyTable& table, int thread_count) {
  Explanation found;
  {
    const nb::gil_scoped_release without;
    const Threads threads(thread_count);
    const Inputs inputs = encode_inputs(table.table(), model.model.schema, all_rows(table.table()));
    found = explain(model.model.ensemble, model.model.schema, inputs.view(), threads, model.model.basis);
  }
  return explanation_dict(found, model.model.schema);
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
  m.def("explain", &explained, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def explain(model: Model, table: Table, threads: int) -> dict[str, typing.Any]"));
}

}  // namespace perpend::python
