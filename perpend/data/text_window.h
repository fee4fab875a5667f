// A bounded window over UTF-8 text. It returns runs of whole records, however large the file is.
//
// It does for every text format what must be done before parsing. It refuses a file of another kind (foreign_file.h),
// text that is not UTF-8, a NUL byte and a record over 16 MiB, and it skips a byte order mark. Its memory is at most
// one such record and one read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perpend/data/bytes.h"

namespace perpend {

constexpr std::size_t kMaxRecordBytes = std::size_t{16} << 20;
constexpr std::size_t kSlackBytes = 16;  // these bytes behind a run are readable; their contents do not matter

class TextWindow {
 public:
  // A record ends at a newline. With RecordEnd::outside_quotes the number of " before the newline must be even.
  enum class RecordEnd { any_newline, outside_quotes };

  TextWindow(ByteSource source, RecordEnd end);

  // The next run of whole records. Its last byte is a newline, which is added if the file lacks it. It is empty at the
  // end of the text. The view lives until the next call. `line` is the number of the run's first line, for messages.
  // If a record never ends because of an odd quote, the run is the text so far, followed by a newline that is not part
  // of it. open_quote() is then true, and the parser reports the error, because it knows the place.
  std::string_view next_records(std::size_t line);
  bool open_quote() const { return open_quote_; }

  // The first `bytes` bytes of the text, or all of a shorter one. Call it before next_records, which returns these
  // bytes again.
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
  std::uint64_t offset_ = 0;   // place of buffer_[0] in the text
  bool in_quotes_ = false;
  bool open_quote_ = false;
  bool at_end_ = false;
  bool begun_ = false;
};

}  // namespace perpend
