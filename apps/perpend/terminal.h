// The one door for everything the program shows: results go to stdout, messages to stderr. Nothing else in apps/ and
// perpend/ prints (tools/check_printing).
//
// Column names, labels, paths and model strings are other people's text. Whatever of it comes through here is shown as
// base/message.h writes it, so none of it can steer a terminal. Only data (a CSV that is redirected) are the exact
// bytes.
//
// A message that cannot be written is lost, and the work and its exit code are not. A result that cannot be written is
// an IoError; when the reader of a pipe has left, as `head -1` does, it is a ReaderLeft, which ends the program
// quietly.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace perpend::app {

// Before anything is opened or written. A closed stream (`2>&-`) would give its number to the next file that is opened,
// and messages would go into that file; so something is put in its place. And a pipe that nobody reads is an error of
// the write from here on, not a signal that kills.
void prepare_streams();

// Colours and progress go to a terminal only, and not when NO_COLOR or TERM=dumb say no.
bool messages_are_rich();
bool results_are_rich();
// Whether the locale shows UTF-8.
bool speaks_utf8();

// Messages. Both never fail.
void write_message(std::string_view text);
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  write_message(fmt::format(format, std::forward<Values>(values)...));
}
void warn(const std::string& warning);  // "warning: ..." on a line of its own, options as flags
// For a signal handler, with a line of our own: nothing is looked at, nothing is allocated.
void write_message_at_once(std::string_view line) noexcept;

// Results. Each may throw IoError or ReaderLeft.
struct ReaderLeft {};
void write_text(std::string_view text);
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  write_text(fmt::format(format, std::forward<Values>(values)...));
}
void write_json(const nlohmann::ordered_json& document);  // on lines of its own
void write_data(std::string_view bytes);                  // exactly these, but as text on a terminal
void write_drawing(std::string_view drawing);             // of our own making, with its colours
void redraw_text(std::size_t lines,
                 std::string_view text);  // in the place of the last `lines` lines of a rich terminal
void flush_results();

// One line on stderr that is overwritten as work goes on and wiped at the end. Silent unless messages are rich.
class ProgressLine {
 public:
  ProgressLine() : rich_(messages_are_rich()) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }
  void show(const std::string& text);
  void clear();

 private:
  bool rich_;
  bool shown_ = false;
};

// Messages that wait until it is known that no error comes: an error is one line. On a terminal nothing waits.
class HeldMessages {
 public:
  HeldMessages();
  void write(std::string_view text);
  void warn(const std::string& warning);
  void release();  // shows what came so far and all that comes

 private:
  bool held_;
  std::string text_;
};

}  // namespace perpend::app
