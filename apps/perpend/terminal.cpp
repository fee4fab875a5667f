#include "apps/perpend/terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "apps/perpend/flag_spelling.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend::app {

namespace {

constexpr std::string_view kWipeLine = "\r\x1b[2K";

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_rich(int stream) {
  return ::isatty(stream) == 1 && environment("TERM") != "dumb" && environment("NO_COLOR").empty();
}

// Goes through the numbers in ascending order, because open() takes the lowest free one.
void fill_if_closed(int stream, int access) {
  if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) return;
  if (::open("/dev/null", access) != stream) std::_Exit(static_cast<int>(ErrorKind::io));
}

// Writes the bytes as they are. If this fails, nobody can be told.
void put_message(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stderr); }

[[noreturn]] void results_failed() {
  if (errno == EPIPE) throw ReaderLeft();
  throw IoError("cannot write the results to stdout: " + std::generic_category().message(errno));
}

void put_result(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) results_failed();
}

std::string warning_line(const std::string& warning) { return "warning: " + spelled(warning, flag_spelling) + "\n"; }

}  // namespace

void prepare_streams() {
  fill_if_closed(STDIN_FILENO, O_RDONLY);
  fill_if_closed(STDOUT_FILENO, O_RDONLY);  // so that writing results fails, as it should
  fill_if_closed(STDERR_FILENO, O_WRONLY);
  std::signal(SIGPIPE, SIG_IGN);
}

bool messages_are_rich() { return is_rich(STDERR_FILENO); }
bool results_are_rich() { return is_rich(STDOUT_FILENO); }

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (!value.empty()) return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos;
  }
  return false;
}

void write_message(std::string_view text) { put_message(printable_lines(text)); }

void warn(const std::string& warning) { write_message(warning_line(warning)); }

void write_message_at_once(std::string_view line) noexcept {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

void write_text(std::string_view text) { put_result(printable_lines(text)); }

// File names need not be UTF-8, and JSON must be.
void write_json(const nlohmann::ordered_json& document) {
  put_result(printable_json(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n");
}

void write_data(std::string_view bytes) { ::isatty(STDOUT_FILENO) == 1 ? write_text(bytes) : put_result(bytes); }

void write_drawing(std::string_view drawing) { put_result(drawing); }

void redraw_text(std::size_t lines, std::string_view text) {
  if (lines > 0) put_result(fmt::format("\x1b[{}A\x1b[J", lines));
  write_text(text);
}

void flush_results() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) results_failed();
}

void ProgressLine::show(const std::string& text) {
  if (!rich_) return;
  put_message(std::string(kWipeLine) + printable(text));
  shown_ = true;
}

void ProgressLine::clear() {
  if (shown_) put_message(kWipeLine);
  shown_ = false;
}

HeldMessages::HeldMessages() : held_(::isatty(STDERR_FILENO) != 1) {}

void HeldMessages::write(std::string_view text) { held_ ? void(text_ += text) : write_message(text); }

void HeldMessages::warn(const std::string& warning) { write(warning_line(warning)); }

void HeldMessages::release() {
  held_ = false;
  write_message(std::exchange(text_, ""));
}

}  // namespace perpend::app
