// What the readers of columnar files (Parquet, Arrow) share: promises about a table that are checked before memory is
// taken for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/parallel.h"

namespace perpend {

// Columns of a few runs unpack to much more than their bytes: indicators that are nearly always 0 are honest and take a
// thousandth. A table may take kMaxTableRatio times the bytes of its file, or kFreeTableBytes.
constexpr std::uint64_t kFreeTableBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxTableRatio = 3000;

// Throws DataError: no rows, no columns, too many of either, or more cells than a file of this size can have.
void check_table_size(const std::string& file, std::uint64_t file_bytes, std::uint64_t rows, std::size_t columns);

// Throws DataError: a name is missing, is not UTF-8 or is given twice.
void check_column_names(const std::string& file, const std::vector<std::string>& names);

// Whether a packed block may unpack to so many bytes: the limits of gz files (bytes.h).
bool may_unpack(std::uint64_t packed, std::uint64_t unpacked);

// pandas stores the labels of rows as a column of this name; they are no column of the table.
bool is_row_label(std::string_view name);

// Whether the bytes are text as CSV may have it: UTF-8 without NUL.
bool is_text(std::string_view bytes);

// Memory that is used again and again, and not cleared before. kScratchSlack bytes behind it are readable zeros.
constexpr std::size_t kScratchSlack = 16;
class ScratchBytes {
 public:
  std::span<char> room(std::size_t size);

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
};

// Calls read(column) for each column, side by side on the threads. Of several columns that fail, the first is reported,
// whichever thread was the fastest.
void for_each_column(std::size_t columns, const Threads& threads, const std::function<void(std::size_t)>& read);

}  // namespace perpend
