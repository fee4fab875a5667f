// The program on a terminal that passes bytes on unchanged.
#pragma once

#include <pty.h>

#include <cstdlib>

#include "tests/cli/program.h"

namespace perpend::test {

class OnTerminal {
 public:
  explicit OnTerminal(const std::vector<std::string>& arguments, const std::string& term = "xterm",
                      const char* no_color = nullptr) {
    std::vector<std::string> words = {PERPEND_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    struct termios raw {};
    process_ = ::forkpty(&terminal_, nullptr, &raw, nullptr);
    if (process_ == 0) {
      ::setenv("TERM", term.c_str(), 1);
      no_color == nullptr ? ::unsetenv("NO_COLOR") : ::setenv("NO_COLOR", no_color, 1);
      ::execv(PERPEND_PROGRAM, argv.data());
      ::_exit(127);
    }
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;
  ~OnTerminal() { ::close(terminal_); }

  // Reads until this is shown, or until the end.
  void wait_for(const std::string& text) {
    while (!contains(shown_, text) && read_more()) {
    }
  }
  void send(int signal) const { ::kill(process_, signal); }
  // Everything it shows is in `out`.
  Finished wait() {
    while (read_more()) {
    }
    int status = 0;
    ::waitpid(process_, &status, 0);
    return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), .out = shown_, .err = ""};
  }

 private:
  bool read_more() {
    char piece[4096];
    const ssize_t n = ::read(terminal_, piece, sizeof piece);
    if (n > 0) shown_.append(piece, static_cast<std::size_t>(n));
    return n > 0;
  }

  int terminal_ = -1;
  pid_t process_ = 0;
  std::string shown_;
};

}  // namespace perpend::test
