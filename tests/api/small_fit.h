// Small tables and models for the tests of the use cases.
#pragma once

#include <string>

#include "perpend/api/fit.h"
#include "perpend/data/read_csv.h"

namespace perpend::test {

// Columns a, b (numbers) and c (words); target y with two or three classes.
inline Table small_table(int rows = 90, int classes = 2) {
  const char* const words[] = {"red", "green", "blue"};
  const char* const labels[] = {"no", "yes", "maybe"};
  std::string text = "a,b,c,y\n";
  for (int i = 0; i < rows; ++i) {
    const int a = i * 7 % 11;
    const int label = classes == 2 ? (a > 5 ? 1 : 0) : (a > 7 ? 2 : a > 3 ? 1 : 0);
    text += std::to_string(a) + ".5," + std::to_string(i * 5 % 13) + "," + words[i % 3] + "," + labels[label] + "\n";
  }
  return read_csv(bytes_in_memory("small.csv", text));
}

inline RunOptions small_options() {
  RunOptions options;
  options.schema.target = "y";
  options.train.members = 3;
  options.train.hidden = {8};
  options.train.epochs = 6;
  options.train.threads = 1;
  return options;
}

// The same with plain features in place of views.
inline RunOptions plain_options() {
  RunOptions options = small_options();
  options.views_auto = false;
  return options;
}

}  // namespace perpend::test
