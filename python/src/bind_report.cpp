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
        write_file_durably(path, report(model.model, name, sources, options), overwrite);
      },
      nb::arg("model"), nb::arg("path"), nb::arg("name"), nb::arg("version"), nb::arg("data").none(),
      nb::arg("newer").none(), nb::arg("features"), nb::arg("threads"), nb::arg("overwrite"));
}

}  // namespace perpend::python
