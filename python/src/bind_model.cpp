#include "perpend/model/predict.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/base/parallel.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/decision.h"
#include "py_model.h"

namespace perpend::python {

namespace {

// Every answer is (array, warnings of encoding).
nb::tuple probabilities(const PyModel& model, const PyTable& table, int thread_count) {
  const std::size_t classes = model.model.schema.classes.size();
  std::vector<double> out(table.table().rows * classes);
  std::vector<std::string> warnings;
  {
    const nb::gil_scoped_release without;
    const Threads threads(thread_count);
    warnings = for_each_block(model, table, [&](std::size_t first, InputsView inputs) {
      const auto decided = decide(model.model.decision, member_probabilities(model.model.ensemble, inputs, threads));
      for (std::size_t r = 0; r < decided.rows(); ++r) {
        std::copy_n(decided.row(r), classes, out.data() + (first + r) * classes);
      }
    });
  }
  return nb::make_tuple(array_of(std::move(out), {table.table().rows, classes}), warnings);
}

nb::tuple disagreement(const PyModel& model, const PyTable& table, int thread_count) {
  std::vector<double> out;
  std::vector<std::string> warnings;
  {
    const nb::gil_scoped_release without;
    const Threads threads(thread_count);
    warnings = for_each_block(model, table, [&](std::size_t, InputsView inputs) {
      const auto found = row_disagreement(member_probabilities(model.model.ensemble, inputs, threads));
      out.insert(out.end(), found.begin(), found.end());
    });
  }
  const std::size_t rows = out.size();
  return nb::make_tuple(array_of(std::move(out), {rows}), warnings);
}

// (members, rows, width) from a Stack for each block of rows.
template <class StackOf>
nb::tuple stacked(const PyModel& model, const PyTable& table, int thread_count, std::size_t width, StackOf stack_of) {
  const std::size_t members = model.model.ensemble.members.size();
  const std::size_t rows = table.table().rows;
  std::vector<float> out(members * rows * width);
  std::vector<std::string> warnings;
  {
    const nb::gil_scoped_release without;
    const Threads threads(thread_count);
    warnings = for_each_block(model, table, [&](std::size_t first, InputsView inputs) {
      const auto stack = stack_of(model.model.ensemble, inputs, threads);
      for (std::size_t m = 0; m < members; ++m) {
        for (std::size_t r = 0; r < inputs.rows(); ++r) {
          std::copy_n(stack[m].row(r), width, out.data() + ((m * rows) + first + r) * width);
        }
      }
    });
  }
  return nb::make_tuple(array_of(std::move(out), {members, rows, width}), warnings);
}

}  // namespace

void bind_model(nb::module_& m) {
  m.def("probabilities", &probabilities, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def probabilities(model: Model, table: Table, threads: int) -> tuple[typing.Any, list[str]]"));
  m.def("disagreement", &disagreement, nb::arg("model"), nb::arg("table"), nb::arg("threads"),
        nb::sig("def disagreement(model: Model, table: Table, threads: int) -> tuple[typing.Any, list[str]]"));
  m.def(
      "member_probabilities",
      [](const PyModel& model, const PyTable& table, int threads) {
        return stacked(model, table, threads, model.model.schema.classes.size(), member_probabilities);
      },
      nb::arg("model"), nb::arg("table"), nb::arg("threads"),
      nb::sig("def member_probabilities(model: Model, table: Table, threads: int) -> tuple[typing.Any, list[str]]"));
  m.def(
      "input_gradients",
      [](const PyModel& model, const PyTable& table, int threads) {
        return stacked(model, table, threads, model.model.schema.features.size(), input_gradients);
      },
      nb::arg("model"), nb::arg("table"), nb::arg("threads"),
      nb::sig("def input_gradients(model: Model, table: Table, threads: int) -> tuple[typing.Any, list[str]]"));
}

}  // namespace perpend::python
