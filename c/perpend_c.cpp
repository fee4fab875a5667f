// Implements perpend/c.h: converts arguments, calls one function of api, and turns exceptions into codes.
#include "perpend/c.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "perpend/api/fit.h"
#include "perpend/api/model.h"
#include "perpend/api/predict.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/column_writer.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/source.h"
#include "perpend/data/table.h"
#include "perpend/run/option_table.h"

struct perpend_table {
  perpend::Table table;
};

struct perpend_options {
  perpend::RunOptions options;
};

struct perpend_model {
  explicit perpend_model(perpend::TrainedModel trained) : model(std::move(trained)) {
    for (const perpend::InputColumn& input : model.schema.columns) {
      std::string name = input.table_column();
      if (std::ranges::find(columns, name) == columns.end()) columns.push_back(std::move(name));
    }
  }

  perpend::TrainedModel model;
  std::vector<std::string> columns;  // columns of the table, each once: a column of dates is several inputs
};

namespace perpend {

namespace {

thread_local std::string last_error;

// Keeps the message even when there is hardly any memory.
int failed(int code, const char* message) noexcept {
  try {
    last_error = message;
  } catch (...) {
    last_error.clear();
  }
  return code;
}

// The code and message of the exception that is being handled.
int code_of_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return failed(error.exit_code(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(PERPEND_MEMORY, "there is not enough memory");
  } catch (const std::length_error&) {  // more than any memory could hold
    return failed(PERPEND_MEMORY, "there is not enough memory");
  } catch (const std::exception& error) {
    return failed(PERPEND_BUG, error.what());
  } catch (...) {
    return failed(PERPEND_BUG, "internal error");
  }
}

// Runs the work of one function of the interface.
template <class Work>
int guarded(const Work& work) noexcept {
  try {
    work();
    return PERPEND_OK;
  } catch (...) {
    return code_of_exception();
  }
}

// Every pointer that a caller hands over passes through here.
template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw UsageError(std::string(name) + " is NULL");
  return *pointer;
}

std::string text(const char* pointer, const char* name) {
  std::string copy = &given(pointer, name);
  if (!is_utf8(copy)) throw UsageError(std::string(name) + " is not UTF-8: " + quote(copy));
  return copy;
}

// Makes an object for the caller, who gets it only if all went well.
template <class Object, class Make>
int make(Object** out, const char* name, const Make& make_value) noexcept {
  return guarded([&] {
    Object*& place = given(out, name);
    place = new Object{make_value()};
  });
}

void check_rows(const Table& table, std::size_t rows) {
  if (rows == 0) throw UsageError("rows is 0; a column needs at least one");
  if (rows >= UINT32_MAX) throw UsageError("rows is " + thousands(rows) + "; a table has at most 4,294,967,294");
  if (!table.columns.empty() && rows != table.rows) {
    throw UsageError("rows is " + thousands(rows) + ", but the columns before have " + thousands(table.rows));
  }
}

void check_new(const Table& table, const std::vector<std::string>& names) {
  if (names.size() > kMaxColumns - table.columns.size()) {
    throw DataError("the table would have more than " + thousands(kMaxColumns) + " columns");
  }
  std::vector<std::string> all = table.names();
  all.insert(all.end(), names.begin(), names.end());
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end()) throw DataError("two columns are both called " + quote(*twice));
}

// A column of numbers, in which NaN is a missing cell. first: the number of row 0.
Column numbers_column(std::string name, const double* first, std::size_t rows, std::ptrdiff_t step) {
  Column column;
  column.name = std::move(name);
  column.numbers.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const double number = first[static_cast<std::ptrdiff_t>(r) * step];
    if (!std::isnan(number)) {
      column.numbers[r] = number;
      continue;
    }
    column.marks.resize(rows, kNumberCell);
    column.marks[r] = kMissingCell;
  }
  return column;
}

void append(Table& table, std::vector<Column> columns, std::size_t rows) {
  table.columns.reserve(table.columns.size() + columns.size());
  for (Column& column : columns) table.columns.push_back(std::move(column));
  table.rows = rows;
}

std::vector<std::string> matrix_names(const char* const* names, std::size_t columns) {
  if (columns > kMaxColumns) throw DataError("the table would have more than " + thousands(kMaxColumns) + " columns");
  std::vector<std::string> out(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    out[c] = names == nullptr ? "x" + std::to_string(c) : text(names[c], "a name of a column");
  }
  return out;
}

// The table that a caller hands over to be read.
const Table& filled(const perpend_table* table) {
  const Table& read = given(table, "table").table;
  if (read.rows == 0) throw DataError("the table has no rows");
  return read;
}

class CallerHears final : public FitCallback {
 public:
  CallerHears(perpend_on_epoch function, void* context) : function_(function), context_(context) {}
  void on_epoch(const EpochRecord& record, int epochs) override {
    if (function_ != nullptr && function_(context_, record.epoch, epochs) != 0) stop_ = true;
  }
  bool stop_requested() override { return stop_; }

 private:
  perpend_on_epoch function_;
  void* context_;
  bool stop_ = false;
};

std::size_t outputs(const TrainedModel& model) { return std::max<std::size_t>(model.schema.classes.size(), 1); }

void copy_answers(const Predictions& found, std::size_t width, double* answers, double* disagreement,
                  std::int32_t* classes, double* members) {
  const bool number = found.is_regression();
  if (answers != nullptr) std::ranges::copy(number ? found.numbers : found.probabilities, answers);
  if (disagreement != nullptr) std::ranges::copy(found.disagreement, disagreement);
  if (classes != nullptr) std::ranges::copy(found.predicted, classes);
  if (members == nullptr) return;
  const std::size_t count = found.members * found.rows * width;
  PERPEND_CHECK((number ? found.numbers_of_members.size() : found.of_members.size()) == count);
  for (std::size_t i = 0; i < count; ++i) {
    members[i] = number ? found.numbers_of_members[i] : static_cast<double>(found.of_members[i]);
  }
}

}  // namespace

}  // namespace perpend

using perpend::given;
using perpend::guarded;

int perpend_c_version(void) { return PERPEND_C_VERSION; }
const char* perpend_version(void) { return PERPEND_LIBRARY_VERSION; }
const char* perpend_last_error(void) { return perpend::last_error.c_str(); }

// ---- tables

int perpend_table_new(perpend_table** table) {
  return perpend::make(table, "table", [] { return perpend::Table{.source = "the table"}; });
}

int perpend_table_read(const char* source, perpend_table** table) {
  return perpend::make(table, "table", [&] { return perpend::read_source(perpend::text(source, "source"), ""); });
}

int perpend_table_add_numbers(perpend_table* table, const char* name, const double* values, size_t rows,
                              ptrdiff_t step) {
  return perpend_table_add_matrix(table, &name, values, rows, 1, step, 0);
}

int perpend_table_add_matrix(perpend_table* table, const char* const* names, const double* values, size_t rows,
                             size_t columns, ptrdiff_t row_step, ptrdiff_t column_step) {
  return guarded([&] {
    perpend::Table& to = given(table, "table").table;
    given(values, "values");
    perpend::check_rows(to, rows);
    const auto texts = perpend::matrix_names(names, columns);
    perpend::check_new(to, texts);
    std::vector<perpend::Column> made;
    for (std::size_t c = 0; c < columns; ++c) {
      const double* first = values + static_cast<std::ptrdiff_t>(c) * column_step;
      made.push_back(perpend::numbers_column(texts[c], first, rows, row_step));
    }
    perpend::append(to, std::move(made), rows);
  });
}

int perpend_table_add_words(perpend_table* table, const char* name, const char* const* words, size_t rows) {
  return guarded([&] {
    perpend::Table& to = given(table, "table").table;
    const std::string column = perpend::text(name, "name");
    given(words, "words");
    perpend::check_rows(to, rows);
    perpend::check_new(to, {column});
    perpend::ColumnWriter writer(column);
    writer.reserve_rows(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      words[r] == nullptr ? writer.set_missing(r) : writer.set_word(r, perpend::text(words[r], "a word"));
    }
    std::vector<perpend::Column> made;
    made.push_back(writer.finish(rows));
    perpend::append(to, std::move(made), rows);
  });
}

size_t perpend_table_rows(const perpend_table* table) { return table == nullptr ? 0 : table->table.rows; }
void perpend_table_free(perpend_table* table) { delete table; }

// ---- options

int perpend_options_new(perpend_options** options) {
  return perpend::make(options, "options", [] { return perpend::RunOptions(); });
}

int perpend_options_set(perpend_options* options, const char* name, const char* value) {
  return guarded([&] {
    perpend::RunOptions changed = given(options, "options").options;  // a value that is refused changes nothing
    perpend::find_option(perpend::text(name, "name")).set(changed, perpend::text(value, "value"));
    options->options = std::move(changed);
  });
}

void perpend_options_free(perpend_options* options) { delete options; }

// ---- models

int perpend_train(const perpend_table* table, const perpend_options* options, perpend_on_epoch on_epoch, void* context,
                  perpend_model** model) {
  return perpend::make(model, "model", [&] {
    const perpend::RunOptions& wanted = given(options, "options").options;
    perpend::refuse_problems(wanted);
    perpend::CallerHears callback(on_epoch, context);
    return perpend::fit(perpend::filled(table), wanted, {.callback = &callback}).model;
  });
}

int perpend_load(const char* path, perpend_model** model) {
  return perpend::make(model, "model", [&] { return perpend::load_model(perpend::text(path, "path")); });
}

int perpend_load_bytes(const void* bytes, size_t size, perpend_model** model) {
  return perpend::make(model, "model", [&] {
    if (bytes == nullptr) throw perpend::UsageError("bytes is NULL");
    return perpend::model_from_bytes({static_cast<const char*>(bytes), size}, "the model");
  });
}

int perpend_save(const perpend_model* model, const char* path, int overwrite) {
  return guarded(
      [&] { perpend::save_model(perpend::text(path, "path"), given(model, "model").model, overwrite != 0); });
}

void perpend_model_free(perpend_model* model) { delete model; }

size_t perpend_members(const perpend_model* model) {
  return model == nullptr ? 0 : model->model.ensemble.members.size();
}
size_t perpend_columns(const perpend_model* model) { return model == nullptr ? 0 : model->columns.size(); }
const char* perpend_column(const perpend_model* model, size_t index) {
  return index < perpend_columns(model) ? model->columns[index].c_str() : nullptr;
}
size_t perpend_classes(const perpend_model* model) { return model == nullptr ? 0 : model->model.schema.classes.size(); }
const char* perpend_class(const perpend_model* model, size_t index) {
  return index < perpend_classes(model) ? model->model.schema.classes[index].c_str() : nullptr;
}

int perpend_describe(const perpend_model* model, char** json) {
  return guarded([&] {
    char*& out = given(json, "json");
    const std::string described = perpend::inspect_json(given(model, "model").model);
    auto* copy = static_cast<char*>(std::malloc(described.size() + 1));
    if (copy == nullptr) throw std::bad_alloc();
    std::memcpy(copy, described.c_str(), described.size() + 1);
    out = copy;
  });
}

void perpend_text_free(char* text) { std::free(text); }

int perpend_predict(const perpend_model* model, const perpend_table* table, int threads, size_t rows, double* answers,
                    double* disagreement, int32_t* classes, double* members) {
  return guarded([&] {
    const perpend::TrainedModel& known = given(model, "model").model;
    const perpend::Table& asked = perpend::filled(table);
    if (rows != asked.rows) {
      throw perpend::UsageError("rows is " + perpend::thousands(rows) + ", but the table has " +
                                perpend::counted(asked.rows, "row"));
    }
    if (threads < 0) throw perpend::UsageError("threads is " + std::to_string(threads) + "; it must be 0 or more");
    if (classes != nullptr && known.schema.quantity) {
      throw perpend::UsageError("classes must be NULL, because this model answers with a number");
    }
    const auto found = perpend::predict(known, asked, {.members = members != nullptr, .threads = threads});
    perpend::copy_answers(found, perpend::outputs(known), answers, disagreement, classes, members);
  });
}
