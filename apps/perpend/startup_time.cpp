#include "apps/perpend/startup_time.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include "perpend/base/error.h"
#include "perpend/base/system.h"

extern "C" char** environ;  // POSIX leaves it to programs to declare it

namespace perpend::app {

namespace {

double start_once(const std::string& program, const posix_spawn_file_actions_t& actions) {
  const auto start = std::chrono::steady_clock::now();
  std::string name = "perpend";
  std::string flag = "--version";
  std::array<char*, 3> words = {name.data(), flag.data(), nullptr};
  pid_t process = 0;
  int status = 0;
  const bool started = ::posix_spawn(&process, program.c_str(), &actions, nullptr, words.data(), environ) == 0;
  if (!started || ::waitpid(process, &status, 0) != process || status != 0) {
    throw IoError("this program cannot start itself; on Linux that needs /proc");
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TimeSpread startup_milliseconds(int runs) {
  const std::string program = own_program();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(runs));
  for (int i = 0; i < runs; ++i) times.push_back(start_once(program, actions));
  ::posix_spawn_file_actions_destroy(&actions);
  return spread_of(std::move(times));
}

}  // namespace perpend::app
