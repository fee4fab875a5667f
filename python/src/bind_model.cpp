#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.h"
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
                        found.encoded.warnings());
}

nb::tuple disagreement(const PyModel& model, const PyTable& table, int threads) {
  Predictions found = answers(model, table, {.threads = threads});
  return nb::make_tuple(array_of(std::move(found.disagreement), {found.rows}), found.encoded.warnings());
}

nb::tuple member_probabilities(const PyModel& model, const PyTable& table, int threads) {
  Predictions found = answers(model, table, {.members = true, .threads = threads});
  return nb::make_tuple(array_of(std::move(found.of_members), {found.members, found.rows, found.classes}),
                        found.encoded.warnings());
}

nb::tuple gradients(const PyModel& model, const PyTable& table, int threads) {
  Gradients found;
  {
    const nb::gil_scoped_release without;
    found = input_gradients(model.model, table.table(), threads);
  }
  return nb::make_tuple(array_of(std::move(found.values), {found.members, found.rows, found.features}),
                        found.encoded.warnings());
}

// Everything at once: probabilities, predicted (indices of classes), disagreement, abstained (where a share was given),
// warnings.
nb::dict prediction(const PyModel& model, const PyTable& table, std::optional<double> abstain, int threads) {
  Predictions found = answers(model, table, {.abstain = abstain, .threads = threads});
  nb::dict out;
  out["warnings"] = found.encoded.warnings();
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
  m.def("predict", &prediction, nb::arg("model"), nb::arg("table"), nb::arg("abstain").none(), nb::arg("threads"),
        nb::sig("def predict(model: Model, table: Table, abstain: float | None, threads: int) -> dict[str, "
                "typing.Any]"));
}

}  // namespace perpend::python
