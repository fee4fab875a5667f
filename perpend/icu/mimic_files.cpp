#include "perpend/icu/mimic_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

constexpr std::uint64_t kRowsBetweenCalls = 1 << 16;

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return capitals;
}

ByteSource counting(ByteSource source, std::shared_ptr<std::uint64_t> bytes) {
  auto inner = std::move(source.read);
  source.read = [inner = std::move(inner), bytes = std::move(bytes)](char* to, std::size_t size) {
    const std::size_t got = inner(to, size);
    *bytes += got;
    return got;
  };
  return source;
}

// The number of the digits text[at, at + count). -1 if one of them is not a digit.
int digits(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::string mimic_file(const std::string& folder, std::string_view table) {
  if (!std::filesystem::is_directory(folder))
    throw IoError(printable(folder) + " is not a folder with MIMIC-III's files");
  for (const std::string& name : {std::string(table), in_capitals(table)}) {
    for (const char* ending : {".csv", ".csv.gz"}) {
      const auto path = std::filesystem::path(folder) / (name + ending);
      if (std::filesystem::exists(path)) return path.string();
    }
  }
  throw IoError(
      fmt::format("{} has no {}.csv or {}.csv.gz; the folder must hold MIMIC-III's patients, admissions, icustays, "
                  "chartevents, labevents and outputevents",
                  printable(folder), table, table));
}

MimicRows::MimicRows(const std::string& folder, std::string_view table, std::span<const std::string_view> columns,
                     IcuCallback callback)
    : table_(table),
      columns_(columns.begin(), columns.end()),
      bytes_(std::make_shared<std::uint64_t>(0)),
      reader_([&] {
        ByteSource source = open_bytes(mimic_file(folder, table));
        total_ = source.size;
        return counting(std::move(source), bytes_);
      }()),
      cells_(columns.size()),
      callback_(std::move(callback)) {
  std::vector<std::string> capitals;
  for (const std::string& name : reader_.names()) capitals.push_back(in_capitals(name));
  std::vector<std::size_t> selected;
  for (const std::string_view name : columns) {
    const auto at = std::ranges::find(capitals, in_capitals(name));
    if (at == capitals.end()) {
      throw DataError(fmt::format("{} has no column {}; MIMIC-III's {} has it", printable(mimic_file(folder, table)),
                                  quote(name), table));
    }
    selected.push_back(static_cast<std::size_t>(at - capitals.begin()));
  }
  reader_.select(selected);
}

bool MimicRows::next() {
  if (callback_ && rows_ % kRowsBetweenCalls == 0) callback_({table_, rows_, *bytes_, total_});
  if (!reader_.next_row(cells_)) return false;
  ++rows_;
  return true;
}

std::uint32_t MimicRows::id(std::size_t column) const {
  const std::string_view text = cells_[column];
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) refuse(column, "a whole number");
  return value;
}

std::optional<std::int64_t> MimicRows::time(std::size_t column) const {
  if (cells_[column].empty()) return std::nullopt;
  const auto seconds = parse_time(cells_[column]);
  if (!seconds) refuse(column, "a time such as 2164-10-23 21:09:00");
  return seconds;
}

void MimicRows::refuse(std::size_t column, std::string_view wanted) const {
  throw DataError(fmt::format("{}: column {} is {}, not {}", reader_.row_place(), quote(columns_[column]),
                              cells_[column].empty() ? "empty" : quote(cells_[column]), wanted));
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  const bool date_only = text.size() == 10;
  if ((!date_only && text.size() != 16 && text.size() != 19) || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int year = digits(text, 0, 4);
  const int month = digits(text, 5, 2);
  const int day = digits(text, 8, 2);
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  if (date_only) return days * 86400;
  if ((text[10] != ' ' && text[10] != 'T') || text[13] != ':' || (text.size() == 19 && text[16] != ':')) return {};
  const int hour = digits(text, 11, 2);
  const int minute = digits(text, 14, 2);
  const int second = text.size() == 19 ? digits(text, 17, 2) : 0;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
  return days * 86400 + hour * 3600 + minute * 60 + second;
}

}  // namespace perpend
