// Reads the files of MIMIC-III in a folder row by row. They are NAME.csv or NAME.csv.gz, with names and headers in
// small letters or capitals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/data/read_csv.h"

namespace perpend {

// How far reading has come. The callback is called now and then. An exception that it throws ends the work.
struct IcuProgress {
  std::string_view table;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;             // unpacked
  std::optional<std::uint64_t> total;  // bytes in all, unless the file is packed
};
using IcuCallback = std::function<void(const IcuProgress&)>;

// The path of a table's file. Throws an IoError that names the folder and the file that it should have.
std::string mimic_file(const std::string& folder, std::string_view table);

// Reads the chosen columns of one table.
class MimicRows {
 public:
  // Throws DataError if the file lacks a column.
  MimicRows(const std::string& folder, std::string_view table, std::span<const std::string_view> columns,
            IcuCallback callback = {});

  bool next();  // false after the last row
  std::string_view text(std::size_t column) const { return cells_[column]; }
  std::uint32_t id(std::size_t column) const;                  // a whole number, else a DataError
  std::optional<std::int64_t> time(std::size_t column) const;  // seconds; nothing if empty, DataError if wrong
  std::uint64_t rows() const { return rows_; }
  std::uint64_t bytes() const { return *bytes_; }

 private:
  [[noreturn]] void refuse(std::size_t column, std::string_view wanted) const;

  std::string_view table_;
  std::vector<std::string> columns_;
  std::shared_ptr<std::uint64_t> bytes_;
  std::optional<std::uint64_t> total_;
  CsvReader reader_;
  std::vector<std::string_view> cells_;
  IcuCallback callback_;
  std::uint64_t rows_ = 0;
};

// Seconds since 1970 of "2164-10-23 21:09:00". The seconds or the time of day may be absent. Nothing for any other
// text.
std::optional<std::int64_t> parse_time(std::string_view text);

}  // namespace perpend
