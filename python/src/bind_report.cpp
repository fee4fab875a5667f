#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/base/durable_file.h"
#include "perpend/report/model_page.h"
#include "perpend/run/view_model.h"
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
        const ViewSources sources{table_of(data), table_of(newer), ""};
        const ModelView view = view_model(model.model, name, sources, threads, {.features = features});
        const Page page = model_page(view, method_title(view.method, view.lambda), version);
        write_file_durably(path, page_html(page), overwrite);
      },
      nb::arg("model"), nb::arg("path"), nb::arg("name"), nb::arg("version"), nb::arg("data").none(),
      nb::arg("newer").none(), nb::arg("features"), nb::arg("threads"), nb::arg("overwrite"));
}

}  // namespace perpend::python
