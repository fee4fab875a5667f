#include "py_table.h"

#include <cmath>
#include <cstring>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/column_writer.h"
#include "perpend/data/read_csv.h"

namespace perpend::python {

namespace {

std::string place(const Table& table, std::size_t row, const std::string& column) {
  return table.place(row) + ": column " + quote(column);
}

bool is_gap(nb::handle cell) {
  if (cell.is_none()) return true;
  const char* type = nb::type_name(cell.type()).c_str();
  return std::strstr(type, "NAType") != nullptr || std::strstr(type, "NaTType") != nullptr;
}

// A cell that is no text: its number, or TypeError in the words of float().
double number_of(nb::handle cell, const Table& table, std::size_t row, const std::string& column) {
  const double number = PyFloat_AsDouble(cell.ptr());
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  if (too_large) return HUGE_VAL;
  const std::string type = nb::cast<std::string>(nb::str(nb::type_name(cell.type())));
  throw nb::type_error(
      (place(table, row, column) + " is a " + type + "; a cell's argument must be a string or a real number").c_str());
}

template <class T>
bool has_nan(const char* at, std::ptrdiff_t step, std::size_t cells) {
  bool found = false;
  for (std::size_t i = 0; i < cells; ++i, at += step) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    found |= value != value;
  }
  return found;
}

const char* cell(const NumbersView& view, std::size_t row) {
  return static_cast<const char*>(view.first) + static_cast<std::ptrdiff_t>(row) * view.step;
}

// Neighbours in memory are columns, as in an array in C order.
template <class T>
bool are_in_rows(const std::vector<Column>& columns) {
  const auto* at = static_cast<const char*>(columns[0].view.first);
  for (const Column& column : columns) {
    if (column.view.first != at || column.view.step != columns[0].view.step) return false;
    at += sizeof(T);
  }
  return true;
}

// Which columns hold a NaN, looked at row by row where neighbours in memory are columns.
template <class T>
std::vector<char> nan_columns(const std::vector<Column>& columns, std::size_t rows) {
  std::vector<char> found(columns.size(), 0);
  const bool in_rows = are_in_rows<T>(columns);
  for (std::size_t first = 0; first < rows; first += kViewBlock) {
    bool any = !in_rows;
    for (std::size_t row = first; row < std::min(first + kViewBlock, rows) && !any; ++row) {
      any = has_nan<T>(cell(columns[0].view, row), sizeof(T), columns.size());
    }
    if (!any) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const NumbersView& view = columns[c].view;
      if (found[c] != 0) continue;
      found[c] = has_nan<T>(cell(view, first), view.step, std::min(kViewBlock, rows - first)) ? 1 : 0;
    }
  }
  return found;
}

}  // namespace

void mark_missing(std::vector<Column>& columns, std::size_t rows) {
  if (columns.empty()) return;
  const auto found = columns[0].view.floats ? nan_columns<float>(columns, rows) : nan_columns<double>(columns, rows);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (found[c] == 0) continue;
    columns[c].marks.resize(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      columns[c].marks[r] = std::isnan(columns[c].view[r]) ? kMissingCell : kNumberCell;
    }
  }
}

PyTable::PyTable(std::string source, std::size_t rows) {
  table_.source = std::move(source);
  table_.rows = rows;
  if (rows == 0) throw DataError(printable(table_.source) + " has no rows");
  if (rows >= UINT32_MAX) throw DataError(printable(table_.source) + " has more than 4,294,967,294 rows");
}

void PyTable::add(Column column) {
  if (table_.columns.size() == kMaxColumns) {
    throw DataError(printable(table_.source) + " has more than " + thousands(kMaxColumns) + " columns");
  }
  table_.columns.push_back(std::move(column));
}

std::shared_ptr<Py_buffer> PyTable::hold(nb::handle array, int axes) {
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(array.ptr(), view.get(), PyBUF_FULL_RO) != 0) throw nb::python_error();
  std::shared_ptr<Py_buffer> buffer(view.release(), [](Py_buffer* b) {
    PyBuffer_Release(b);
    delete b;
  });
  const std::string format = buffer->format == nullptr ? "B" : buffer->format;
  const bool numbers = format == "f" || format == "d" || format == "i";
  if (!numbers || buffer->ndim != axes || buffer->suboffsets != nullptr ||
      static_cast<std::size_t>(buffer->shape[0]) != table_.rows) {
    throw nb::type_error("an array of this type, shape or length is none that a table reads in place");
  }
  owners_.push_back(buffer);
  return buffer;
}

void PyTable::add_matrix(const std::vector<std::string>& names, nb::handle array) {
  const auto buffer = hold(array, 2);
  if (static_cast<std::size_t>(buffer->shape[1]) != names.size()) throw nb::type_error("a name for each column");
  std::vector<Column> columns(names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    columns[c].name = names[c];
    columns[c].view = {
        .first = static_cast<const char*>(buffer->buf) + static_cast<std::ptrdiff_t>(c) * buffer->strides[1],
        .step = buffer->strides[0],
        .floats = *buffer->format == 'f'};
  }
  {
    const nb::gil_scoped_release without;
    mark_missing(columns, table_.rows);
  }
  for (Column& column : columns) add(std::move(column));
}

void PyTable::add_numbers(const std::string& name, nb::handle array) {
  const auto buffer = hold(array, 1);
  std::vector<Column> columns(1);
  columns[0].name = name;
  columns[0].view = {.first = buffer->buf, .step = buffer->strides[0], .floats = *buffer->format == 'f'};
  mark_missing(columns, table_.rows);
  add(std::move(columns[0]));
}

void PyTable::add_words(const std::string& name, nb::handle codes, std::vector<std::string> words, bool nominal) {
  const auto buffer = hold(codes, 1);
  Column column;
  column.name = name;
  column.nominal = nominal;
  column.numbers.assign(table_.rows, 0.0);
  column.marks.resize(table_.rows);
  const char* at = static_cast<const char*>(buffer->buf);
  for (std::size_t r = 0; r < table_.rows; ++r, at += buffer->strides[0]) {
    std::int32_t code;
    std::memcpy(&code, at, sizeof code);
    PERPEND_CHECK(code < static_cast<std::int32_t>(words.size()));
    column.marks[r] = code < 0 ? kMissingCell : code;
  }
  column.words = std::move(words);
  add(std::move(column));
}

void PyTable::add_objects(const std::string& name, const nb::list& cells, bool nominal) {
  if (cells.size() != table_.rows) throw nb::type_error("a cell for each row");
  ColumnWriter writer(name, nominal);
  writer.reserve_rows(table_.rows);
  for (std::size_t r = 0; r < table_.rows; ++r) {
    const nb::handle cell = cells[r];
    if (nb::isinstance<nb::str>(cell)) {
      const auto text = nb::cast<std::string>(cell);
      nominal ? writer.set_word(r, text) : writer.set_cell(r, text);
      continue;
    }
    const double number = is_gap(cell) ? NAN : number_of(cell, table_, r, name);
    std::isnan(number) ? writer.set_missing(r) : writer.set_number(r, number);
  }
  add(writer.finish(table_.rows));
}

}  // namespace perpend::python
