// Control bytes go to a terminal that wants them, and nowhere else.
#include <poll.h>
#include <pty.h>

#include <cstdlib>

#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

// Everything the program shows on a terminal that hands bytes through as they are.
std::string on_terminal(const std::vector<std::string>& arguments, const std::string& term, const char* no_color) {
  std::vector<std::string> words = {PERPEND_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  struct termios raw {};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, &raw, nullptr);
  if (child == 0) {
    ::setenv("TERM", term.c_str(), 1);
    no_color == nullptr ? ::unsetenv("NO_COLOR") : ::setenv("NO_COLOR", no_color, 1);
    ::execv(PERPEND_PROGRAM, argv.data());
    ::_exit(127);
  }
  std::string shown;
  char piece[4096];
  for (ssize_t n = 0; (n = ::read(terminal, piece, sizeof piece)) > 0;) shown.append(piece, static_cast<size_t>(n));
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << shown;
  return shown;
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
  // An empty NO_COLOR is as good as none.
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
