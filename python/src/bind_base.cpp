#include "core.h"
#include "perpend/base/contract.h"
#include "perpend/base/error.h"

namespace perpend::python {

// What a user did wrong is a ValueError or OSError with the one line that the command line prints.
void bind_base(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  });
  nb::exception<ConfigError>(m, "ConfigError", PyExc_ValueError);
  nb::exception<DataError>(m, "DataError", PyExc_ValueError);
  nb::exception<ModelFileError>(m, "ModelFileError", PyExc_ValueError);
  nb::exception<DivergedError>(m, "DivergedError", PyExc_ArithmeticError);
  nb::exception<IoError>(m, "IoError", PyExc_OSError);
  m.attr("contract_version") = kContractVersion;
}

}  // namespace perpend::python
