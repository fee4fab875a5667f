// Control bytes go only to a terminal that supports them.
#include "tests/cli/pseudo_terminal.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

// Returns everything the program shows on a terminal. The run must succeed.
std::string on_terminal(const std::vector<std::string>& arguments, const std::string& term, const char* no_color) {
  const Finished run = OnTerminal(arguments, term, no_color).wait();
  EXPECT_EQ(run.exit_code, 0) << run.out;
  return run.out;
}

class Terminal : public SmallModel {
 protected:
  std::vector<std::string> training() const {
    return {"train", "builtin:shortcut", "--target", "target", "-o", path("m"), "--epochs", "3", "--force"};
  }
};

TEST_F(Terminal, ShowsProgressWhereItIsWelcome) {
  const std::string shown = on_terminal(training(), "xterm-256color", nullptr);
  EXPECT_TRUE(contains(shown, "\r\x1b[2K"));
  EXPECT_TRUE(contains(shown, "epoch 3/3"));
  // An empty NO_COLOR is the same as none.
  EXPECT_TRUE(contains(on_terminal(training(), "xterm", ""), "\x1b["));
}

TEST_F(Terminal, IsPlainWithNoColorOrADumbTerminal) {
  const std::string rows = write("rows.csv", small_table(100));
  for (const auto& [term, no_color] : {std::pair("xterm-256color", "1"), std::pair("dumb", (const char*)nullptr)}) {
    for (const auto& words : {training(), {"predict", model(), rows}, {"evaluate", model(), rows}, {"demo"}}) {
      const std::string shown = on_terminal(words, term, no_color);
      EXPECT_FALSE(shown.empty());
      EXPECT_FALSE(has_control_bytes(shown)) << words[0] << " with TERM=" << term;
    }
  }
}

TEST_F(Terminal, ShowsNoBytesOfOthersInData) {
  const std::string rows = write("rows.csv", "id,a,b,c,y\n\x1b[31m\xc2\x9b\xe2\x80\xae,1,2,red,yes\n");
  const std::string shown = on_terminal({"predict", model(), rows, "--id", "id"}, "dumb", nullptr);
  EXPECT_FALSE(has_control_bytes(shown)) << shown;
  EXPECT_TRUE(contains(shown, "\n\\x1b[31m\\u009b\\u202e,0.")) << shown;
  const auto piped = perpend({"predict", model(), rows, "--id", "id"});
  EXPECT_TRUE(contains(piped.out, "\n\x1b[31m\xc2\x9b\xe2\x80\xae,0.")) << "data in a pipe are what they are";
}

TEST_F(Terminal, PipesArePlainWhateverTheEnvironmentSays) {
  const std::string rows = write("rows.csv", small_table(100));
  for (const auto& words :
       {training(), {"predict", model(), rows}, {"evaluate", model(), rows}, {"inspect", model()}}) {
    std::vector<std::string> piped = {"-c", "unset NO_COLOR; TERM=xterm exec \"$@\" 2>&1 | cat", "sh", PERPEND_PROGRAM};
    piped.insert(piped.end(), words.begin(), words.end());
    const auto run = run_program("/bin/sh", piped);
    EXPECT_FALSE(run.out.empty());
    EXPECT_FALSE(has_control_bytes(run.out)) << words[0];
  }
}

}  // namespace
}  // namespace perpend::test
