// What may be written where: colours and progress go to a terminal only, and not when NO_COLOR or TERM=dumb say no.
#pragma once

#include <cstdio>
#include <string>

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

// Writes out what stdout still holds; throws IoError when it cannot take it (a full disk behind `>`).
void flush_results();

}  // namespace perpend::app
