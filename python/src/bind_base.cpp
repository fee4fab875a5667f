#include <nanobind/stl/string.h>

#include <map>

#include "core.h"
#include "perpend/base/contract.h"
#include "perpend/base/error.h"
#include "spelling.h"

namespace perpend::python {

namespace {

using Types = std::map<ErrorKind, PyObject*>;

// The module keeps the exception classes alive.
PyObject* add_exception(nb::module_& m, const char* name, PyObject* base) {
  const std::string full_name = nb::cast<std::string>(m.attr("__name__")) + "." + name;
  nb::object type = nb::steal(PyErr_NewException(full_name.c_str(), base, nullptr));
  m.attr(name) = type;
  return type.ptr();
}

void translate(const std::exception_ptr& pointer, void* types) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    const auto found = static_cast<Types*>(types)->find(error.kind());
    PyObject* type = found == static_cast<Types*>(types)->end() ? PyExc_RuntimeError : found->second;
    PyErr_SetString(type, error.spelled(keyword_spelling).c_str());
  }
}

}  // namespace

// What a user did wrong is a ValueError or OSError with the one line that the command line prints. Options in it are
// spelled as Python's keyword arguments.
void bind_base(nb::module_& m) {
  static Types types = {{ErrorKind::config, add_exception(m, "ConfigError", PyExc_ValueError)},
                        {ErrorKind::data, add_exception(m, "DataError", PyExc_ValueError)},
                        {ErrorKind::model_file, add_exception(m, "ModelFileError", PyExc_ValueError)},
                        {ErrorKind::diverged, add_exception(m, "DivergedError", PyExc_ArithmeticError)},
                        {ErrorKind::io, add_exception(m, "IoError", PyExc_OSError)}};
  nb::register_exception_translator(translate, &types);
  m.attr("contract_version") = kContractVersion;
}

}  // namespace perpend::python
