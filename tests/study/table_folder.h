// A small study with results, and functions for its table as text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/study/folders.h"

namespace perpend::test {

inline Grid two_lambdas() { return {.members = {5}, .lambdas = {{Method::lit, {0.1, 1}}}}; }

// ionosphere and loans, random; restarts (one trial each) and lit (two); trials 0-2, 3-5 of ionosphere's two restarts.
inline StudyFolder small_folder() {
  return empty_folder({"ionosphere", "loans.csv"}, {Method::restarts, Method::lit}, two_lambdas(), 2);
}

inline StudyFolder filled_folder() {
  StudyFolder folder = small_folder();
  add_result(folder, 0, 0.90, 0.95, 0.9, 1.0);
  add_result(folder, 1, 0.80, 0.10, 0.1, 0.1);
  add_result(folder, 2, 0.95, 0.97, 0.3, 0.02);
  add_result(folder, 3, 0.90, 0.93, 0.7, 0.9);
  add_result(folder, 4, 0.99, 0.99, 0.2, 0.0);
  add_diverged(folder, 5);
  for (std::size_t i = 6; i < 12; ++i) add_result(folder, i, 0.5, 0.6, -0.001, 0.5);
  return folder;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::size_t columns(const std::string& line) {  // columns of a terminal
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
}

// There is no TeX in a test. This counts what TeX would fail on first.
inline void expect_sound_latex(const std::string& text, std::ptrdiff_t cells) {
  EXPECT_EQ(std::ranges::count(text, '{'), std::ranges::count(text, '}'));
  EXPECT_EQ(std::ranges::count(text, '$') % 2, 0);
  for (const auto& line : lines_of(text)) {
    if (!line.ends_with("\\\\")) continue;
    EXPECT_EQ(std::ranges::count(line, '&'), cells - 1) << line;
    EXPECT_EQ(std::ranges::count(line, '$') % 2, 0) << line;
  }
}

}  // namespace perpend::test
