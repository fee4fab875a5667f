#include "perpend/data/text_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/foreign_file.h"

namespace perpend {

namespace {

constexpr const char* kNotUtf8 =
    "not UTF-8; text in Latin-1, as Windows programs write it, becomes UTF-8 with: iconv -f WINDOWS-1252 -t UTF-8 "
    "OLD.csv "
    "> NEW.csv, or save it as CSV UTF-8 in Excel";
constexpr std::size_t kReadBytes = std::size_t{256} << 10;

// The index of the first byte that is NUL or not ASCII, or a little less. It is `size` if there is none.
std::size_t plain_ascii(const char* text, std::size_t size) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighs = 0x8080808080808080U;
  std::size_t i = 0;
  for (; i + 32 <= size; i += 32) {
    std::uint64_t words[4];
    std::memcpy(words, text + i, 32);
    // If no byte has its high bit set, subtracting one from each byte sets a high bit only where a byte was zero.
    std::uint64_t seen = 0;
    for (const std::uint64_t word : words) seen |= word | (word - kOnes);
    if ((seen & kHighs) != 0) return i;
  }
  while (i<size&& static_cast<signed char>(text[i])> 0) ++i;
  return i;
}

enum class Utf8 { good, cut, bad };

struct Sequence {
  Utf8 state;
  std::size_t length;
};

// The UTF-8 sequence at text[0]: well formed by the Unicode standard's table 3-7, cut off by the end, or bad.
Sequence sequence_at(const unsigned char* text, std::size_t size) {
  const unsigned first = text[0];
  if (first < 0x80) return {first == 0 ? Utf8::bad : Utf8::good, 1};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC2 || first > 0xF4) return {Utf8::bad, 1};
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  for (std::size_t i = 1; i < length; ++i) {
    if (i == size) return {Utf8::cut, i};
    if (text[i] < low || text[i] > high) return {Utf8::bad, i};
    low = 0x80;
    high = 0xBF;
  }
  return {Utf8::good, length};
}

}  // namespace

TextWindow::TextWindow(ByteSource source, RecordEnd end) : source_(std::move(source)), record_end_(end) {
  const std::uint64_t wanted = source_.size.value_or(kReadBytes) + 1 + kSlackBytes;
  buffer_.resize(std::min<std::uint64_t>(wanted, 2 * kReadBytes));
}

std::string_view TextWindow::next_records(std::size_t line) {
  drop_returned();
  while (whole_end_ == 0) {
    if (size_ > kMaxRecordBytes) {
      if (in_quotes_) return open_quote_ = true, hand_out(size_);
      throw DataError(fmt::format("{}:{}: the line is longer than 16 MiB", printable(name()), line));
    }
    if (!read_more(line)) {
      open_quote_ = in_quotes_;
      return hand_out(size_);
    }
  }
  return hand_out(whole_end_);
}

std::string_view TextWindow::opening(std::size_t bytes) {
  while (size_ < bytes && read_more(1)) {
  }
  return {buffer_.data(), std::min(size_, bytes)};
}

void TextWindow::drop_returned() {
  std::memmove(buffer_.data(), buffer_.data() + start_, size_ - start_);
  offset_ += start_;
  size_ -= start_;
  checked_ -= start_;
  scanned_ -= start_;
  whole_end_ -= std::min(whole_end_, start_);
  start_ = 0;
}

bool TextWindow::read_more(std::size_t line) {
  if (at_end_) return false;
  if (buffer_.size() - size_ <= kSlackBytes) buffer_.resize(2 * buffer_.size());
  const std::size_t room = buffer_.size() - size_ - kSlackBytes;
  const std::size_t got = source_.read(buffer_.data() + size_, std::min(room, kReadBytes));
  size_ += got;
  at_end_ = got == 0;
  if (!begun_ && (size_ >= kOpeningBytes || at_end_)) begin();
  if (begun_) {
    check_text(line);
    find_record_end();
  }
  return !at_end_;
}

void TextWindow::begin() {
  begun_ = true;
  const std::string_view text(buffer_.data(), size_);
  if (const auto foreign = foreign_file(text.substr(0, kOpeningBytes))) {
    throw DataError(fmt::format("{} is {}", printable(name()), *foreign));
  }
  if (!text.starts_with("\xEF\xBB\xBF")) return;
  std::memmove(buffer_.data(), buffer_.data() + 3, size_ - 3);
  size_ -= 3;
  offset_ = 3;
}

void TextWindow::check_text(std::size_t line) {
  while (checked_ < size_) {
    checked_ += plain_ascii(buffer_.data() + checked_, size_ - checked_);
    const std::size_t stop = std::min(size_, checked_ + 64);  // then it tries the fast way again
    while (checked_ < stop) {
      const auto* text = reinterpret_cast<const unsigned char*>(buffer_.data()) + checked_;
      const Sequence sequence = sequence_at(text, size_ - checked_);
      if (sequence.state == Utf8::cut && !at_end_) return;
      if (*text == 0) bad_byte(line, checked_, "a NUL byte; is this a text file?");
      if (sequence.state != Utf8::good) bad_byte(line, checked_, kNotUtf8);
      checked_ += sequence.length;
    }
  }
}

void TextWindow::find_record_end() {
  const bool quotes = record_end_ == RecordEnd::outside_quotes;
  const char* first = buffer_.data() + scanned_;
  const char* last = buffer_.data() + size_;
  if (quotes) in_quotes_ ^= std::count(first, last, '"') % 2 != 0;
  scanned_ = size_;
  // Only the end of the last record is wanted, so the search goes backwards from the end and is short.
  bool inside = in_quotes_;
  for (const char* p = last; p != first;) {
    --p;
    if (quotes && *p == '"') inside = !inside;
    if (*p == '\n' && !inside) {
      whole_end_ = static_cast<std::size_t>(p - buffer_.data()) + 1;
      return;
    }
  }
}

std::string_view TextWindow::hand_out(std::size_t end) {
  start_ = end;
  if (end == 0) return {};
  if (end < size_ || buffer_[end - 1] == '\n') {
    if (!open_quote_) return {buffer_.data(), end};
  }
  buffer_[end] = '\n';  // there is room: kSlackBytes
  return {buffer_.data(), end + 1};
}

void TextWindow::bad_byte(std::size_t line, std::size_t at, const char* what) const {
  const auto lines = std::count(buffer_.data(), buffer_.data() + at, '\n');
  throw DataError(fmt::format("{}:{}: byte offset {} is {}", printable(name()), line + static_cast<std::size_t>(lines),
                              offset_ + at, what));
}

}  // namespace perpend
