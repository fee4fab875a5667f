// Everything the program shows goes through here: results to stdout, messages to stderr. Nothing else in apps/ and
// perpend/ prints (tools/check_printing).
//
// Column names, labels, paths and strings in models are other people's text. They are shown as base/message.h writes
// them, so they cannot control a terminal. Only data (a CSV that is redirected) are the exact bytes.
//
// If a message cannot be written, it is lost, but the work and its exit code stay. If a result cannot be written, that
// is an IoError. If the reader of a pipe has left, as `head -1` does, it is a ReaderLeft, which ends the program
// quietly.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace perpend::app {

// Call it before anything is opened or written. A closed stream (`2>&-`) would give its number to the next file that is
// opened, and messages would go into that file. So a closed stream is opened. From here on, writing to a pipe that
// nobody reads is an error of the write, and not a signal that kills.
void prepare_streams();

// Colours and progress go to a terminal only, and not when NO_COLOR or TERM=dumb forbid them.
bool messages_are_rich();
bool results_are_rich();
// Whether the locale shows UTF-8.
bool speaks_utf8();

// Messages. These functions never fail.
void write_message(std::string_view text);
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  write_message(fmt::format(format, std::forward<Values>(values)...));
}
void warn(const std::string& warning);  // "warning: ..." on a line of its own, options as flags
// For a signal handler. It writes a fixed line, without checks and without allocating.
void write_message_at_once(std::string_view line) noexcept;

// Results. Each may throw IoError or ReaderLeft.
struct ReaderLeft {};
void write_text(std::string_view text);
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  write_text(fmt::format(format, std::forward<Values>(values)...));
}
void write_json(const nlohmann::ordered_json& document);  // on lines of its own
void write_data(std::string_view bytes);                  // exactly these bytes, but as text on a terminal
void write_drawing(std::string_view drawing);             // made by perpend, with its colours
void redraw_text(std::size_t lines,
                 std::string_view text);  // in the place of the last `lines` lines of a rich terminal
void flush_results();

// One line on stderr that is overwritten as work goes on and removed at the end. Silent unless messages are rich.
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

// Holds messages back until it is known that there is no error, because an error is one line. On a terminal it holds
// nothing back.
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
