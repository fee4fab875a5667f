// What may be written where: colours and progress go to a terminal only, and not when NO_COLOR or TERM=dumb say no.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace perpend::app {

// Whether control sequences are welcome on this stream.
bool is_rich(std::FILE* stream);
// Whether the locale shows UTF-8.
bool speaks_utf8();

// One line on stderr that is overwritten as work goes on and wiped at the end. Silent unless stderr is rich.
class ProgressLine {
 public:
  ProgressLine() : rich_(is_rich(stderr)) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }
  void show(const std::string& text);
  void clear();

 private:
  bool rich_;
  bool shown_ = false;
};

// To stdout. Both throw IoError when it cannot take it (a full disk behind `>`).
void write_results(std::string_view text);
void flush_results();

// Text for stderr that waits until it is known that no error comes: an error is one line. On a terminal nothing waits.
class HeldMessages {
 public:
  HeldMessages();
  HeldMessages(const HeldMessages&) = delete;
  HeldMessages& operator=(const HeldMessages&) = delete;
  ~HeldMessages();
  std::FILE* stream() const { return stream_; }  // where to print
  void release();                                // shows what came so far and all that comes

 private:
  std::FILE* stream_;
  char* text_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace perpend::app
