#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "core.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/fetch.h"
#include "perpend/data/generate.h"
#include "perpend/data/public.h"
#include "perpend/data/row_order.h"
#include "perpend/data/source.h"
#include "py_table.h"

namespace perpend::python {

namespace {

// (inputs, labels, classes, features) of a generated set.
nb::tuple generated(const std::string& name, std::uint64_t seed, std::size_t rows) {
  const Dataset data = generate(name, {.seed = seed, .rows = rows});
  std::vector<float> inputs;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    inputs.insert(inputs.end(), data.inputs.row(r), data.inputs.row(r) + data.inputs.cols());
  }
  std::vector<std::int32_t> labels = data.labels;
  const std::size_t n = data.rows();
  return nb::make_tuple(array_of(std::move(inputs), {n, data.inputs.cols()}), array_of(std::move(labels), {n}),
                        data.classes, data.features);
}

// A table as Python values: name -> array of numbers where all cells are, else a list of texts, None where missing.
nb::dict columns_of(const Table& table) {
  nb::dict columns;
  for (const Column& column : table.columns) {
    if (column.marks.empty()) {
      columns[column.name.c_str()] = array_of(std::vector<double>(column.numbers), {table.rows});
      continue;
    }
    nb::list cells;
    for (std::size_t r = 0; r < table.rows; ++r) {
      const std::string text = column.text(r);
      cells.append(column.is_missing(r) ? nb::none() : nb::object(nb::str(text.c_str(), text.size())));
    }
    columns[column.name.c_str()] = cells;
  }
  return columns;
}

nb::dict public_set(const PublicSet& set) {
  nb::dict out;
  out["name"] = set.name;
  out["title"] = set.title;
  out["page"] = set.page;
  out["target"] = set.target;
  out["positive"] = set.positive;
  out["rows"] = set.rows;
  out["licence"] = set.licence;
  out["citation"] = set.citation;
  return out;
}

const PublicSet& need_public(const std::string& name) {
  const PublicSet* set = find_public_set(name);
  if (set != nullptr) return *set;
  std::vector<std::string> names;
  for (const PublicSet& one : public_sets()) names.push_back(one.name);
  const std::string near = nearest_name(name, names);
  throw DataError("there is no public set " + quote(name) + (near.empty() ? "" : "; did you mean " + near + "?"));
}

nb::bytes fetched(const std::string& name, const std::string& mirror, const nb::callable& download) {
  const std::string text = fetch_public(need_public(name), mirror, [&](const std::string& address, std::size_t most) {
    const auto bytes = nb::cast<nb::bytes>(download(address, most));
    return std::string(bytes.c_str(), bytes.size());
  });
  return nb::bytes(text.data(), text.size());
}

}  // namespace

void bind_data(nb::module_& m) {
  nb::class_<PyTable>(m, "Table", "Named columns of raw cells; numbers stay in the arrays they came in.")
      .def(nb::init<std::string, std::size_t>(), nb::arg("source"), nb::arg("rows"))
      .def("add_matrix", &PyTable::add_matrix, nb::arg("names"), nb::arg("array"))
      .def("add_numbers", &PyTable::add_numbers, nb::arg("name"), nb::arg("array"))
      .def("add_words", &PyTable::add_words, nb::arg("name"), nb::arg("codes"), nb::arg("words"), nb::arg("nominal"))
      .def("add_objects", &PyTable::add_objects, nb::arg("name"), nb::arg("cells"), nb::arg("nominal"),
           nb::sig("def add_objects(self, name: str, cells: list[typing.Any], nominal: bool) -> None"))
      .def("add_arrow", &PyTable::add_arrow, nb::arg("capsule"), nb::arg("names"))
      .def_prop_ro("rows", [](const PyTable& t) { return t.table().rows; })
      .def_prop_ro("names", [](const PyTable& t) { return t.table().names(); });

  m.def(
      "row_hashes", [](const PyTable& table) { return array_of(row_hashes(table.table()), {table.table().rows}); },
      nb::arg("table"), nb::sig("def row_hashes(table: Table) -> typing.Any"));

  m.def("generated_sets", [] {
    std::vector<std::tuple<std::string, std::string, std::size_t, bool>> sets;
    for (const auto& set : generated_sets()) {
      sets.emplace_back(std::string(set.name), std::string(set.description), set.rows, set.sampled);
    }
    return sets;
  });
  m.def(
      "generate", &generated, nb::arg("name"), nb::arg("seed"), nb::arg("rows"),
      nb::sig("def generate(name: str, seed: int, rows: int) -> tuple[typing.Any, typing.Any, list[str], list[str]]"));
  m.def(
      "public_sets",
      [] {
        nb::list sets;
        for (const PublicSet& set : public_sets()) sets.append(public_set(set));
        return sets;
      },
      nb::sig("def public_sets() -> list[dict[str, typing.Any]]"));
  m.def(
      "public_set", [](const std::string& name) { return public_set(need_public(name)); }, nb::arg("name"),
      nb::sig("def public_set(name: str) -> dict[str, typing.Any]"));
  m.def("fetch_public", &fetched, nb::arg("name"), nb::arg("mirror"), nb::arg("download"),
        nb::sig("def fetch_public(name: str, mirror: str, download: typing.Any) -> bytes"));
  m.def(
      "read_source",
      [](const std::string& source, const std::string& folder) { return columns_of(read_source(source, folder)); },
      nb::arg("source"), nb::arg("folder"),
      nb::sig("def read_source(source: str, folder: str) -> dict[str, typing.Any]"));
}

}  // namespace perpend::python
