// What the readers of columnar files (Parquet, Arrow) share. They check what a file says of its table before they take
// memory for it.
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

// A column of few runs unpacks to much more than its bytes. For example, an honest indicator that is nearly always 0
// takes a thousandth in the file. A table may take kMaxTableRatio times the bytes of its file, or kFreeTableBytes.
constexpr std::uint64_t kFreeTableBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxTableRatio = 3000;

// Throws DataError if there are no rows, no columns, too many of either, or more cells than a file of this size can
// have.
void check_table_size(const std::string& file, std::uint64_t file_bytes, std::uint64_t rows, std::size_t columns);

// Throws DataError if a name is missing, is not UTF-8 or occurs twice.
void check_column_names(const std::string& file, const std::vector<std::string>& names);

// Whether a packed block may unpack to this many bytes. The limits are those of gz files (bytes.h).
bool may_unpack(std::uint64_t packed, std::uint64_t unpacked);

// Whether pandas stores the labels of rows in a column of this name. They are not a column of the table.
bool is_row_label(std::string_view name);

// Whether a CSV file may contain the bytes as text, that is, whether they are UTF-8 without NUL.
bool is_text(std::string_view bytes);

// Memory that is used again and again without being cleared. The kScratchSlack bytes behind it are readable zeros.
constexpr std::size_t kScratchSlack = 16;
class ScratchBytes {
 public:
  std::span<char> room(std::size_t size);

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
};

// Calls read(column) for each column, in parallel on the threads. If several columns fail, it reports the first of
// them, whichever thread was the fastest.
void for_each_column(std::size_t columns, const Threads& threads, const std::function<void(std::size_t)>& read);

}  // namespace perpend
