// The program under test, and what every run of it owes its user.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/run_program.h"

namespace perpend::test {

inline Finished perpend(const std::vector<std::string>& arguments) { return run_program(PERPEND_PROGRAM, arguments); }

// An error is this code, nothing on stdout, and exactly one line "perpend: ..." on stderr. Returns the line.
inline std::string expect_error(const Finished& run, int code) {
  EXPECT_EQ(run.exit_code, code) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err.rfind("perpend: ", 0), 0U) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_EQ(run.err.back(), '\n');
  return run.err;
}

// At most 256 MiB. A sanitizer's own memory counts in the figure, so that nothing can be said with one.
inline bool took_little_memory(const Finished& run) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return run.peak_kib > 0;
#else
  return run.peak_kib <= 256 * 1024;
#endif
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

inline bool has_control_bytes(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; });
}

}  // namespace perpend::test
