// Runs a program as a user would, and returns what it wrote and how it ended.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace perpend::test {

inline std::string file_content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A new folder. The destructor removes it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = testing::TempDir() + "perpend_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder in " + testing::TempDir());
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Finished {
  int exit_code = -1;  // 128 + signal if a signal ended it
  std::string out, err;
  long peak_kib = 0;  // largest memory
};

class RunningProgram {
 public:
  // stdout goes to a file of our own unless `out` names one, for example /dev/full.
  RunningProgram(const std::string& program, const std::vector<std::string>& arguments, const std::string& out = "")
      : out_(out.empty() ? (folder_.path() / "out").string() : out), err_((folder_.path() / "err").string()) {
    std::vector<std::string> words = {program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out_.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err_.c_str(), O_WRONLY | O_CREAT, 0600);
    const int failed = posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("cannot run " + program);
  }

  // Waits at most 20 seconds.
  void wait_for_output() const {
    for (int i = 0; i < 4000 && file_content(out_).empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  void wait_for_messages() const {
    for (int i = 0; i < 4000 && file_content(err_).empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  std::string output_so_far() const { return file_content(out_); }
  // Whether the program has ended. It is still necessary to call wait().
  bool ended() const {
    siginfo_t state{};
    return ::waitid(P_PID, static_cast<id_t>(process_), &state, WEXITED | WNOHANG | WNOWAIT) != 0 || state.si_pid != 0;
  }
  pid_t process() const { return process_; }
  void send(int signal) const { ::kill(process_, signal); }
  Finished wait() const {
    int status = 0;
    struct rusage used {};
    ::wait4(process_, &status, 0, &used);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            out_.rfind("/dev/", 0) == 0 ? "" : file_content(out_), file_content(err_), used.ru_maxrss};
  }

 private:
  TemporaryFolder folder_;
  std::string out_, err_;
  pid_t process_ = 0;
};

inline Finished run_program(const std::string& program, const std::vector<std::string>& arguments,
                            const std::string& out = "") {
  return RunningProgram(program, arguments, out).wait();
}

}  // namespace perpend::test
