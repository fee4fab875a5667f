#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/api/model.h"
#include "perpend/api/predict.h"
#include "py_model.h"

namespace perpend::python {

namespace {

Predictions answers(const PyModel& model, const PyTable& table, const PredictOptions& options) {
  const nb::gil_scoped_release without;
  return predict(model.model, table.table(), options);
}

// Every answer is (array, warnings of encoding).
nb::tuple probabilities(const PyModel& model, const PyTable& table, int threads) {
  Predictions found = answers(model, table, {.threads = threads});
  return nb::make_tuple(array_of(std::move(found.probabilities), {found.rows, found.classes}),
                        spelled(found.encoded.warnings()));
}

nb::tuple disagreement(const PyModel& model, const PyTable& table, int threads) {
  Predictions found = answers(model, table, {.threads = threads});
  return nb::make_tuple(array_of(std::move(found.disagreement), {found.rows}), spelled(found.encoded.warnings()));
}

nb::tuple member_probabilities(const PyModel& model, const PyTable& table, int threads) {
  Predictions found = answers(model, table, {.members = true, .threads = threads});
  return nb::make_tuple(array_of(std::move(found.of_members), {found.members, found.rows, found.classes}),
                        spelled(found.encoded.warnings()));
}

nb::tuple gradients(const PyModel& model, const PyTable& table, int threads) {
  Gradients found;
  {
    const nb::gil_scoped_release without;
    found = input_gradients(model.model, table.table(), threads);
  }
  return nb::make_tuple(array_of(std::move(found.values), {found.members, found.rows, found.features}),
                        spelled(found.encoded.warnings()));
}

// Everything at once: probabilities, predicted (indices of classes), disagreement, abstained (where it was asked for),
// warnings.
// Of a regression: numbers, disagreement, low and high (where an interval was asked for), member_numbers (where members
// were), warnings.
nb::dict prediction(const PyModel& model, const PyTable& table, const std::optional<std::string>& abstain,
                    std::optional<double> interval, bool members, int threads) {
  PredictOptions options{.interval = interval, .members = members, .threads = threads};
  if (abstain) read_abstain(*abstain, options);
  Predictions found = answers(model, table, options);
  nb::dict out;
  out["warnings"] = spelled(found.encoded.warnings());
  if (found.is_regression()) {
    out["numbers"] = array_of(std::move(found.numbers), {found.rows});
    out["low"] = array_of(std::move(found.low), {interval ? found.rows : 0});
    out["high"] = array_of(std::move(found.high), {interval ? found.rows : 0});
    out["member_numbers"] =
        array_of(std::move(found.numbers_of_members), {members ? found.members : 0, members ? found.rows : 0});
  }
  out["probabilities"] = array_of(std::move(found.probabilities), {found.rows, found.classes});
  out["predicted"] = array_of(std::vector<std::int64_t>(found.predicted.begin(), found.predicted.end()), {found.rows});
  out["disagreement"] = array_of(std::move(found.disagreement), {found.rows});
  out["abstained"] = nb::none();
  if (abstain) {
    out["abstained"] =
        array_of(std::vector<std::uint8_t>(found.abstained.begin(), found.abstained.end()), {found.rows});
  }
  return out;
}

nb::tuple sets(const PyModel& model, const PyTable& table, double coverage, bool shifted, int threads) {
  Predictions found = answers(model, table, {.sets = coverage, .weigh_sets = shifted, .threads = threads});
  return nb::make_tuple(array_of(std::move(found.sets), {found.rows, found.classes}),
                        spelled(found.encoded.warnings()));
}

nb::dict uncertainty(const PyModel& model, const PyTable& table, int threads) {
  Predictions found = answers(model, table, {.uncertainty = true, .threads = threads});
  nb::dict out;
  out["data"] = array_of(std::move(found.data_part), {found.rows});
  out["knowledge"] = array_of(std::move(found.knowledge_part), {found.rows});
  out["warnings"] = spelled(found.encoded.warnings());
  return out;
}

std::string expected(const PyModel& model, const PyTable& table, int threads) {
  const nb::gil_scoped_release without;
  return expected_json(expected_performance(model.model, table.table(), threads));
}

// What `abstain` follows, as JSON.
std::string rule(const PyModel& model, const std::string& abstain) {
  PredictOptions options;
  read_abstain(abstain, options);
  return abstain_json(abstain_rule(model.model, options));
}

nb::dict unlike(const PyModel& model, const PyTable& table) {
  RowsUnlike found;
  {
    const nb::gil_scoped_release without;
    found = rows_unlike(model.model, table.table());
  }
  const auto array = [](const std::vector<std::uint32_t>& counts) {
    return array_of(std::vector<std::int64_t>(counts.begin(), counts.end()), {counts.size()});
  };
  nb::dict out;
  out["unseen"] = array(found.unseen);
  out["outside"] = array(found.outside);
  out["missing"] = array(found.missing);
  return out;
}

}  // namespace

void bind_model(nb::module_& m) {
  m.def("probabilities", &probabilities, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def probabilities(model: Model, table: Table, threads: int) -> tuple[typing.Any, list[str]]"));
  m.def("disagreement", &disagreement, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def disagreement(model: Model, table: Table, threads: int) -> tuple[typing.Any, list[str]]"));
  m.def("member_probabilities", &member_probabilities, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def member_probabilities(model: Model, table: Table, threads: int) -> tuple[typing.Any, list[str]]"));
  m.def("input_gradients", &gradients, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def input_gradients(model: Model, table: Table, threads: int) -> tuple[typing.Any, list[str]]"));
  m.def("predict", &prediction, nb::arg("model"), nb::arg("table"), nb::arg("abstain").none(),
        nb::arg("interval").none(), nb::arg("members"), nb::arg("threads"),
        nb::sig("def predict(model: Model, table: Table, abstain: str | None, interval: float | None, members: bool, "
                "threads: int) -> dict[str, typing.Any]"));
  m.def("prediction_sets", &sets, nb::arg("model"), nb::arg("table"), nb::arg("coverage"), nb::arg("shifted"),
        nb::arg("threads"),
        nb::sig("def prediction_sets(model: Model, table: Table, coverage: float, shifted: bool, threads: int) -> "
                "tuple[typing.Any, list[str]]"));
  m.def("uncertainty", &uncertainty, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def uncertainty(model: Model, table: Table, threads: int) -> dict[str, typing.Any]"));
  m.def("expected_performance", &expected, nb::arg("model"), nb::arg("table"), nb::arg("threads"));
  m.def("abstain_rule", &rule, nb::arg("model"), nb::arg("abstain"));
  m.def(
      "card", [](const PyModel& model) { return card(model.model); }, nb::arg("model"));
  m.def("rows_unlike", &unlike, nb::arg("model"), nb::arg("table"),
        nb::sig("def rows_unlike(model: Model, table: Table) -> dict[str, typing.Any]"));
}

}  // namespace perpend::python
