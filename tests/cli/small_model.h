// Tables that are small enough to train on in an instant, and a model of one, trained once.
#pragma once

#include <fstream>
#include <string>

#include "tests/cli/program.h"

namespace perpend::test {

// Columns a, b (numbers), c (red, green, blue) and y (yes where a > 5). 60 rows have two of each word in every part.
inline std::string small_table(int rows = 60) {
  std::string text = "a,b,c,y\n";
  const std::string words[] = {"red", "green", "blue"};
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(i * 7 % 11) + ".5," + std::to_string(i * 5 % 13) + "," + words[i % 3] +
            (i * 7 % 11 > 5 ? ",yes\n" : ",no\n");
  }
  return text;
}

inline std::string icu_table() {
  std::string text = "Age,BUN_last,HR_last,in_hospital_death\n";
  for (int i = 0; i < 60; ++i) {
    text += std::to_string(50 + i * 7 % 31) + "," + std::to_string(i * 5 % 13) + "," + std::to_string(60 + i * 3 % 17) +
            (i % 4 == 0 ? ",1\n" : ",0\n");
  }
  return text;
}

class SmallModel : public testing::Test {
 protected:
  // The file of a model trained on small_table(), about 10 kB.
  static const std::string& model() {
    static const TemporaryFolder folder;
    static const std::string path = [&] {
      const std::string data = (folder.path() / "small.csv").string();
      const std::string file = (folder.path() / "small.safetensors").string();
      std::ofstream(data) << small_table();
      const auto run = perpend({"train", data, "--target", "y", "-o", file, "--members", "2", "--hidden", "4",
                                "--epochs", "2", "--threads", "1", "--views", "plain"});
      EXPECT_EQ(run.exit_code, 0) << run.err;
      return file;
    }();
    return path;
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  // Training takes a few seconds at most.
  Finished train(const std::string& data, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"train", data, "--target", "y", "-o", path("model")};
    if (std::find(more.begin(), more.end(), "--epochs") == more.end()) words.insert(words.end(), {"--epochs", "1"});
    words.insert(words.end(), more.begin(), more.end());
    return perpend(words);
  }

  TemporaryFolder folder_;
};

}  // namespace perpend::test
