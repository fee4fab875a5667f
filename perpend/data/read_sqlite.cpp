#include "perpend/data/read_sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>

#include "perpend/base/error.h"
#include "perpend/base/file_system.h"
#include "perpend/base/message.h"
#include "perpend/data/column_writer.h"
#include "perpend/data/columnar.h"
#include "perpend/data/text_window.h"

namespace perpend {

namespace {

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::size_t kSqliteRows = 4096;  // how many rows get memory at a time

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

[[noreturn]] void sqlite_failed(const std::string& file, sqlite3* database) {
  if (std::string_view(sqlite3_errmsg(database)).starts_with("not authorized")) {
    throw DataError(fmt::format("{}: the statement may do nothing but select ({})", printable(file),
                                printable(sqlite3_errmsg(database))));
  }
  throw DataError(fmt::format("{}: SQLite says: {}", printable(file), printable(sqlite3_errmsg(database))));
}

// Whatever the statement and the views of the database do, SQLite writes nothing and opens no other file.
int allow_reading(void*, int action, const char*, const char* function, const char*, const char*) {
  if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE) return SQLITE_OK;
  const bool harmless = action == SQLITE_FUNCTION && std::string_view(function) != "load_extension";
  return harmless ? SQLITE_OK : SQLITE_DENY;
}

Database open_database(const std::string& file) {
  // A missing file, a folder or a pipe gives the same error as for any other table.
  File(real_file_system(), file, FileSystem::Use::read, "cannot read " + printable(file)).close();
  sqlite3* made = nullptr;
  const int result = sqlite3_open_v2(file.c_str(), &made, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(made, sqlite3_close);
  if (made == nullptr) throw std::bad_alloc();
  if (result != SQLITE_OK) sqlite_failed(file, made);
  sqlite3_db_config(made, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(made, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(made, SQLITE_LIMIT_LENGTH, static_cast<int>(kMaxRecordBytes));
  sqlite3_set_authorizer(made, allow_reading, nullptr);
  return database;
}

Statement prepare_select(const std::string& file, sqlite3* database, const std::string& text) {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int result = sqlite3_prepare_v2(database, text.c_str(), -1, &made, &rest);
  Statement statement(made, sqlite3_finalize);
  if (result != SQLITE_OK) sqlite_failed(file, database);
  const bool more = std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos;
  if (made == nullptr || more || sqlite3_column_count(made) == 0) {
    throw DataError(fmt::format("{}: {} is not one SELECT statement", printable(file), quote(text)));
  }
  return statement;
}

void read_sqlite_cell(const Table& table, sqlite3_stmt* statement, int c, std::size_t row, ColumnWriter& writer) {
  switch (sqlite3_column_type(statement, c)) {
    case SQLITE_INTEGER:
      return writer.set_number(row, static_cast<double>(sqlite3_column_int64(statement, c)));
    case SQLITE_FLOAT:
      return writer.set_number(row, sqlite3_column_double(statement, c));
    case SQLITE_NULL:
      return writer.set_missing(row);
    case SQLITE_TEXT: {
      const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement, c));
      const std::string_view text(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement, c)));
      if (is_text(text)) return writer.set_cell(row, text);
      break;
    }
    default:
      break;
  }
  throw DataError(fmt::format("{}: column {} is a BLOB or is not UTF-8; select numbers and texts", table.place(row),
                              quote(writer.name())));
}

}  // namespace

bool is_sqlite(const std::string& source) { return source.starts_with(kSqlite); }

std::string sqlite_file(const std::string& source) {
  const std::string rest = source.substr(kSqlite.size());
  return rest.substr(0, rest.find('?'));
}

Table read_sqlite(const std::string& source) {
  const std::string file = sqlite_file(source);
  if (file.empty() || kSqlite.size() + file.size() == source.size()) {
    throw DataError(fmt::format("{} names no rows; write 'sqlite:FILE?SELECT ... FROM ...'", quote(source)));
  }
  const Database database = open_database(file);
  const Statement statement = prepare_select(file, database.get(), source.substr(kSqlite.size() + file.size() + 1));
  Table table{.source = file};
  std::vector<std::string> names;
  for (int c = 0; c < sqlite3_column_count(statement.get()); ++c) {
    const char* name = sqlite3_column_name(statement.get(), c);
    names.emplace_back(name == nullptr ? "" : name);
  }
  check_column_names(file, names);
  std::vector<ColumnWriter> writers(names.begin(), names.end());
  int result = sqlite3_step(statement.get());
  for (; result == SQLITE_ROW; result = sqlite3_step(statement.get()), ++table.rows) {
    if (table.rows % kSqliteRows == 0) {
      for (ColumnWriter& writer : writers) writer.reserve_rows(table.rows + kSqliteRows);
    }
    for (std::size_t c = 0; c < writers.size(); ++c) {
      read_sqlite_cell(table, statement.get(), static_cast<int>(c), table.rows, writers[c]);
    }
  }
  if (result != SQLITE_DONE) sqlite_failed(file, database.get());
  if (table.rows == 0) throw DataError(printable(file) + ": the statement selects no rows");
  for (ColumnWriter& writer : writers) table.columns.push_back(writer.finish(table.rows));
  return table;
}

}  // namespace perpend
