// The extension module perpend._core: one file per module of the library, each with one bind_ function.
//
// Nothing is decided here. Python hands over columns and options, gets values back; names, defaults and checks that
// scikit-learn asks for are in python/perpend, everything else in the library.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "perpend/base/error.h"

namespace perpend::python {

namespace nb = nanobind;

void bind_base(nb::module_& m);
void bind_data(nb::module_& m);
void bind_store(nb::module_& m);
void bind_model(nb::module_& m);
void bind_evaluate(nb::module_& m);
void bind_options(nb::module_& m);
void bind_plots(nb::module_& m);
void bind_run(nb::module_& m);
void bind_report(nb::module_& m);

// A NumPy array that owns its numbers, C order.
template <class T>
nb::object array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.begin(), owner));
}

// One-dimensional C-order arrays as arguments.
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix2 = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

}  // namespace perpend::python
