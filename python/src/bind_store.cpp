#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/api/model.h"
#include "perpend/records/json.h"
#include "py_model.h"

namespace perpend::python {

namespace {

// A member's layers: (weight (in, out), bias (out,)).
nb::list layers_of(const PyModel& model, std::size_t member) {
  nb::list layers;
  for (const auto& layer : model.model.ensemble.members.at(member).layers) {
    const std::size_t in = layer.weight.rows();
    const std::size_t out = layer.weight.cols();
    std::vector<float> weight;
    for (std::size_t i = 0; i < in; ++i) weight.insert(weight.end(), layer.weight.row(i), layer.weight.row(i) + out);
    std::vector<float> bias(layer.bias.begin(), layer.bias.begin() + static_cast<std::ptrdiff_t>(out));
    layers.append(nb::make_tuple(array_of(std::move(weight), {in, out}), array_of(std::move(bias), {out})));
  }
  return layers;
}

std::vector<std::string> column_names(const PyModel& model) {
  std::vector<std::string> names;
  for (const InputColumn& column : model.model.schema.columns) {
    if (const std::string name = column.table_column(); names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

// Of the columns that column_names() lists; nothing in models of earlier versions.
std::optional<std::vector<double>> importances_of(const PyModel& model) {
  const auto& by_input = model.model.summary.importances;
  if (by_input.empty()) return std::nullopt;
  const auto names = column_names(model);
  std::vector<double> shares(names.size(), 0.0);
  std::size_t at = 0;
  for (std::size_t c = 0; c < by_input.size(); ++c) {
    if (model.model.schema.columns[c].table_column() != names[at]) ++at;
    shares[at] += by_input[c];
  }
  return shares;
}

}  // namespace

void bind_store(nb::module_& m) {
  nb::class_<PyModel>(m, "Model", "A trained ensemble with its schema, options and summary: the model file in memory.")
      .def_static(
          "load", [](const std::string& path) { return PyModel{load_model(path)}; }, nb::arg("path"))
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes, const std::string& name) {
            return PyModel{model_from_bytes({bytes.c_str(), bytes.size()}, name)};
          },
          nb::arg("data"), nb::arg("name"))
      .def("to_bytes",
           [](const PyModel& model) {
             const std::string bytes = to_bytes(model.model);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def(
          "save",
          [](const PyModel& model, const std::string& path, bool overwrite) {
            save_model(path, model.model, overwrite);
          },
          nb::arg("path"), nb::arg("overwrite"))
      .def(
          "export_onnx",
          [](const PyModel& model, const std::string& path, const std::string& version, bool overwrite) {
            write_file_durably(path, to_onnx(model.model, version), overwrite);
          },
          nb::arg("path"), nb::arg("version"), nb::arg("overwrite"))
      .def("layers", &layers_of, nb::arg("member"),
           nb::sig("def layers(self, member: int) -> list[tuple[typing.Any, typing.Any]]"))
      .def_prop_ro("members", [](const PyModel& model) { return model.model.ensemble.members.size(); })
      .def_prop_ro("views", [](const PyModel& model) { return member_views(model.model); })
      .def_prop_ro("weights", [](const PyModel& model) { return member_says(model.model.decision); })
      .def_prop_ro("classes", [](const PyModel& model) { return model.model.schema.classes; })
      .def_prop_ro("target", [](const PyModel& model) { return model.model.schema.target; })
      .def_prop_ro("columns", &column_names)
      .def_prop_ro("importances", &importances_of, nb::sig("def importances(self) -> list[float] | None"))
      .def_prop_ro("ignored", [](const PyModel& model) { return model.model.schema.ignored; })
      .def_prop_ro("features", [](const PyModel& model) { return model.model.schema.feature_names(); })
      .def_prop_ro("schema", [](const PyModel& model) { return schema_to_json(model.model.schema); })
      .def_prop_ro("options", [](const PyModel& model) { return model.model.options; })
      .def_prop_ro("summary", [](const PyModel& model) { return to_json(model.model.summary); });
}

}  // namespace perpend::python
