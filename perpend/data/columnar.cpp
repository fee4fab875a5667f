#include "perpend/data/columnar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <unordered_map>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/bytes.h"
#include "perpend/data/read_csv.h"

namespace perpend {

void check_table_size(const std::string& file, std::uint64_t file_bytes, std::uint64_t rows, std::size_t columns) {
  const std::string name = printable(file);
  if (columns == 0) throw DataError(name + " has no columns");
  if (columns > kMaxColumns) throw DataError(name + " has more than " + thousands(kMaxColumns) + " columns");
  if (rows == 0) throw DataError(name + " has no rows");
  if (rows >= std::numeric_limits<std::uint32_t>::max()) throw DataError(name + " has more than 4,294,967,294 rows");
  const std::uint64_t bytes = rows * columns * sizeof(double);  // below 2^32 * 2^17 * 2^3
  if (bytes > kFreeTableBytes && bytes / kMaxTableRatio > file_bytes) {
    throw DataError(fmt::format("{} claims {} of {} in {} bytes, which no table needs; make CSV of it if it is meant",
                                name, counted(rows, "row"), counted(columns, "column"), thousands(file_bytes)));
  }
}

void check_column_names(const std::string& file, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) throw DataError(fmt::format("{}: column {} has no name", printable(file), i + 1));
    if (!is_text(names[i])) {
      throw DataError(fmt::format("{}: the name of column {} is not UTF-8", printable(file), i + 1));
    }
    const auto [first, added] = seen.emplace(names[i], i);
    if (!added) {
      throw DataError(fmt::format("{}: columns {} and {} are both called {}", printable(file), first->second + 1, i + 1,
                                  quote(names[i])));
    }
  }
}

bool may_unpack(std::uint64_t packed, std::uint64_t unpacked) {
  return unpacked <= kFreeUnpackBytes || unpacked / kMaxUnpackRatio <= packed;
}

bool is_row_label(std::string_view name) {
  constexpr std::string_view kBegin = "__index_level_";
  if (!name.starts_with(kBegin) || !name.ends_with("__") || name.size() <= kBegin.size() + 2) return false;
  const std::string_view number = name.substr(kBegin.size(), name.size() - kBegin.size() - 2);
  return std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::span<char> ScratchBytes::room(std::size_t size) {
  if (bytes_ == nullptr || size + kScratchSlack > capacity_) {
    bytes_ = std::make_unique_for_overwrite<char[]>(size + kScratchSlack);
    capacity_ = size + kScratchSlack;
  }
  std::memset(bytes_.get() + size, 0, kScratchSlack);
  return {bytes_.get(), size};
}

void for_each_column(std::size_t columns, const Threads& threads, const std::function<void(std::size_t)>& read) {
  std::vector<std::exception_ptr> failures(columns);
  threads.for_each(columns, [&](std::size_t c) {
    try {
      read(c);
    } catch (...) {
      failures[c] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

bool is_text(std::string_view bytes) { return bytes.find('\0') == std::string_view::npos && is_utf8(bytes); }

}  // namespace perpend
