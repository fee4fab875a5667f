#include "perpend/data/pooled_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "perpend/base/error.h"
#include "perpend/base/sha256.h"

namespace perpend {

namespace {

constexpr std::size_t kDigits = 6;

std::uint32_t mark_in(std::string_view digits) {
  std::uint32_t mark = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), mark, 16);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
    throw ModelFileError("the model's schema is damaged: marks of pooled levels are not written as digits");
  }
  return mark;
}

std::uint32_t mark_of(std::string_view level) {
  const std::string digits = sha256_hex(level);
  return mark_in(std::string_view(digits).substr(0, kDigits));
}

bool holds(std::span<const std::uint32_t> marks, std::string_view level) {
  return std::ranges::binary_search(marks, mark_of(level));
}

}  // namespace

std::vector<std::uint32_t> marks_of(std::span<const std::string> levels) {
  std::vector<std::uint32_t> marks;
  for (const std::string& level : levels) marks.push_back(mark_of(level));
  std::ranges::sort(marks);
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  return marks;
}

std::string text_of_marks(std::span<const std::uint32_t> marks) {
  std::string text;
  for (const std::uint32_t mark : marks) fmt::format_to(std::back_inserter(text), "{:06x}", mark);
  return text;
}

std::vector<std::uint32_t> marks_in(std::string_view text) {
  std::vector<std::uint32_t> marks;
  for (std::size_t at = 0; at < text.size(); at += kDigits) marks.push_back(mark_in(text.substr(at, kDigits)));
  return marks;
}

PooledCells::PooledCells(const Column& column, std::span<const std::uint32_t> marks) : column_(&column), marks_(marks) {
  for (const std::string& word : column.words) words_.push_back(holds(marks, word));
}

bool PooledCells::is_pooled(std::size_t row) {
  const std::int32_t mark = column_->mark(row);
  if (mark == kMissingCell) return false;
  if (mark != kNumberCell) return words_[static_cast<std::size_t>(mark)];
  const double number = column_->number(row);
  const auto known = numbers_.find(number);
  if (known != numbers_.end()) return known->second;
  return numbers_.emplace(number, holds(marks_, number_name(number))).first->second;
}

}  // namespace perpend
