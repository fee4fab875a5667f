// A library's table whose numbers may lie in Python's arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "perpend/data/table.h"

namespace perpend::python {

namespace nb = nanobind;

class PyTable {
 public:
  explicit PyTable(std::string source, std::size_t rows);

  // (rows, columns) of float32 or float64, any strides: read where it lies, kept alive. NaN is a missing cell.
  void add_matrix(const std::vector<std::string>& names, nb::handle array);
  // (rows,) of float32 or float64, as above.
  void add_numbers(const std::string& name, nb::handle array);
  // Codes into words, int32; below 0 is missing. nominal: a category even where the words are few.
  void add_words(const std::string& name, nb::handle codes, std::vector<std::string> words, bool nominal);
  // Python objects: None and NaN are missing, numbers are numbers, text means what it means in a CSV file.
  void add_objects(const std::string& name, const nb::list& cells, bool nominal);
  // A stream of the Arrow C interface, as a capsule. Names in place of the stream's own, unless empty.
  void add_arrow(nb::handle capsule, const std::vector<std::string>& names);

  const Table& table() const { return table_; }
  void add(Column column);  // refuses a second one of the same name
  void keep(std::shared_ptr<void> owner) { owners_.push_back(std::move(owner)); }

 private:
  std::shared_ptr<Py_buffer> hold(nb::handle array, int axes);

  Table table_;
  std::vector<std::shared_ptr<void>> owners_;
};

// Marks NaN as missing in columns that are views.
void mark_missing(std::vector<Column>& columns, std::size_t rows);

}  // namespace perpend::python
