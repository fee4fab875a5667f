#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/api/report.h"
#include "py_model.h"

namespace perpend::python {

namespace {

const Table* table_of(const PyTable* table) { return table == nullptr ? nullptr : &table->table(); }

}  // namespace

void bind_report(nb::module_& m) {
  m.def(
      "report",
      [](const PyModel& model, const std::string& path, const std::string& name, const std::string& version,
         const PyTable* data, const PyTable* newer, const std::vector<std::string>& features, int threads,
         bool overwrite) {
        const nb::gil_scoped_release without;
        const ReportOptions options{.features = features, .threads = threads, .version = version};
        const ViewSources sources{table_of(data), table_of(newer), ""};
        std::vector<std::string> warnings;
        write_file_durably(path, report(model.model, name, sources, options, &warnings), overwrite);
        return spelled(warnings);
      },
      nb::arg("model"), nb::arg("path"), nb::arg("name"), nb::arg("version"), nb::arg("data").none(),
      nb::arg("newer").none(), nb::arg("features"), nb::arg("threads"), nb::arg("overwrite"));
  m.def(
      "charts",
      [](const PyModel& model, const PyTable* data, const PyTable* newer, const std::vector<std::string>& features,
         bool distance, int threads) {
        const nb::gil_scoped_release without;
        // They take longer than all else.
        const std::vector<double> epsilons = distance ? DistanceOptions().epsilons : std::vector<double>();
        const ReportOptions options{.features = features, .epsilons = epsilons, .threads = threads};
        return charts(model.model, {table_of(data), table_of(newer), ""}, options);
      },
      nb::arg("model"), nb::arg("data").none(), nb::arg("newer").none(), nb::arg("features"), nb::arg("distance"),
      nb::arg("threads"), "The charts of the model's report by name, each a Vega-Lite specification as JSON.");
}

}  // namespace perpend::python
