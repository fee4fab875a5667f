// The program under test, and what every run of it must do.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/run_program.h"

namespace perpend::test {

inline Finished perpend(const std::vector<std::string>& arguments) { return run_program(PERPEND_PROGRAM, arguments); }

// An error has this code, nothing on stdout, and exactly one line "perpend: ..." on stderr. Returns the line.
inline std::string expect_error(const Finished& run, int code) {
  EXPECT_EQ(run.exit_code, code) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err.rfind("perpend: ", 0), 0U) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_EQ(run.err.back(), '\n');
  return run.err;
}

// Whether it took at most 256 MiB. A sanitizer's own memory counts in the figure, so under a sanitizer nothing is
// checked.
inline bool took_little_memory(const Finished& run) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return run.peak_kib > 0;
#else
  return run.peak_kib <= 256 * 1024;
#endif
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// Characters that control a terminal or mislead its reader: control characters (except '\n'), also as the two bytes of
// U+0080 to U+009F or as single bytes that are not UTF-8; line separators; marks that change the direction of writing.
inline bool has_control_bytes(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const bool follows = i > 0 && byte(i - 1) >= 0x80;
    if ((byte(i) < 0x20 && text[i] != '\n') || byte(i) == 0x7f) return true;
    if (byte(i) >= 0x80 && byte(i) < 0xc0 && !follows) return true;
    if (byte(i) == 0xc2 && byte(i + 1) < 0xa0) return true;
    const bool turns =
        byte(i + 1) == 0x80 ? byte(i + 2) >= 0xa8 && byte(i + 2) <= 0xae : byte(i + 1) == 0x81 && byte(i + 2) >= 0xa0;
    if (byte(i) == 0xe2 && turns) return true;
  }
  return false;
}

}  // namespace perpend::test
