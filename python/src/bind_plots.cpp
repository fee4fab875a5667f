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

void bind_plots(nb::module_& m) {
  m.def(
      "charts",
      [](const PyModel& model, const PyTable* data, const PyTable* newer, const std::vector<std::string>& features,
         bool distance, int threads) {
        const nb::gil_scoped_release without;
        ReportOptions options{.features = features, .threads = threads};
        if (!distance) options.epsilons = {};
        return charts(model.model, {table_of(data), table_of(newer), ""}, options);
      },
      nb::arg("model"), nb::arg("data").none(), nb::arg("newer").none(), nb::arg("features"), nb::arg("distance"),
      nb::arg("threads"), "The charts of the model's report by name, each a Vega-Lite specification as JSON.");
}

}  // namespace perpend::python
