// A bounded window over UTF-8 text: hands out runs of whole records, however large the file.
//
// Checks what every text format needs before a parser looks: not a file of another kind (foreign_file.h), UTF-8
// throughout, no NUL byte, a byte order mark skipped, no record over 16 MiB. Memory is at most one such record and one
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perpend/data/bytes.h"

namespace perpend {

constexpr std::size_t kMaxRecordBytes = std::size_t{16} << 20;
constexpr std::size_t kSlackBytes = 16;  // readable beyond the end of a run, whatever they hold

class TextWindow {
 public:
  // A record ends at a newline; with RecordEnd::outside_quotes only where the number of " before it is even.
  enum class RecordEnd { any_newline, outside_quotes };

  TextWindow(ByteSource source, RecordEnd end);

  // The next run of whole records; its last byte is a newline (added when the file lacks it). Empty at the end of the
  // text. The view lives until the next call. `line` is the number of the run's first line, for messages.
  // A record that never ends because of an odd quote is handed out as it is, followed by a newline that is not part of
  // it. open_quote() is then true, and the parser reports the error, because it knows the place.
  std::string_view next_records(std::size_t line);
  bool open_quote() const { return open_quote_; }

  // The first bytes of the text, as many as are asked for or all there are. They are handed out later all the same. To
  // be called before next_records.
  std::string_view opening(std::size_t bytes);

  const std::string& name() const { return source_.name; }

 private:
  void drop_returned();
  bool read_more(std::size_t line);
  void begin();
  void check_text(std::size_t line);
  void find_record_end();
  std::string_view hand_out(std::size_t end);
  [[noreturn]] void bad_byte(std::size_t line, std::size_t at, const char* what) const;

  ByteSource source_;
  RecordEnd record_end_;
  std::vector<char> buffer_;
  std::size_t size_ = 0;       // bytes in the buffer
  std::size_t start_ = 0;      // first byte not handed out
  std::size_t checked_ = 0;    // bytes known to be good UTF-8
  std::size_t scanned_ = 0;    // bytes searched for quotes and newlines
  std::size_t whole_end_ = 0;  // end of the last whole record
  std::uint64_t offset_ = 0;   // of buffer_[0] in the text
  bool in_quotes_ = false;
  bool open_quote_ = false;
  bool at_end_ = false;
  bool begun_ = false;
};

}  // namespace perpend
