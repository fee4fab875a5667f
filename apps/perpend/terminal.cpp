#include "apps/perpend/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "perpend/base/error.h"

namespace perpend::app {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_rich(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1 && environment("TERM") != "dumb" && environment("NO_COLOR").empty();
}

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (!value.empty()) return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos;
  }
  return false;
}

void ProgressLine::show(const std::string& text) {
  if (!rich_) return;
  std::fprintf(stderr, "\r\x1b[2K%s", text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[2K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

namespace {

[[noreturn]] void results_failed() {
  throw IoError("cannot write the results to stdout: " + std::generic_category().message(errno));
}

}  // namespace

void write_results(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) results_failed();
}

void flush_results() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) results_failed();
}

HeldMessages::HeldMessages() : stream_(::isatty(STDERR_FILENO) == 1 ? stderr : ::open_memstream(&text_, &size_)) {
  if (stream_ == nullptr) stream_ = stderr;
}

HeldMessages::~HeldMessages() {
  if (stream_ != stderr) std::fclose(stream_);
  std::free(text_);
}

void HeldMessages::release() {
  if (stream_ == stderr) return;
  std::fclose(stream_);
  stream_ = stderr;
  std::fwrite(text_, 1, size_, stderr);
}

}  // namespace perpend::app
