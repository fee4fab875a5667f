// Ctrl-C, SIGTERM and SIGHUP (the terminal has gone) end the program with one line and an exit code of its own. A
// signal that is ignored when the program starts, as under nohup, stays ignored.
#pragma once

#include <string>

namespace perpend::app {

// Returns 130 after Ctrl-C. Returns 75 after SIGHUP and SIGTERM, because a batch system ends with SIGTERM what it will
// start again. Also returns 75 for a rank that stops because another one received a signal.
int interrupt_code();

// Thrown to leave. main says what was done and exits with interrupt_code().
struct Interrupted {
  std::string remark;  // such as "; the model is saved"
};

// From here on a signal ends the program at once. Its temporary files are removed (base/durable_file.h), so work that
// only writes files has nothing else to clean up.
void watch_for_interrupts();

// While such an object lives, a signal only sets interrupted(). It is for work that has something to save and asks
// often. This work must not wait for input meanwhile. A second signal, of any kind, ends the program at once.
class InterruptsWait {
 public:
  InterruptsWait();
  InterruptsWait(const InterruptsWait&) = delete;
  InterruptsWait& operator=(const InterruptsWait&) = delete;
  ~InterruptsWait();
};
bool interrupted();
void throw_if_interrupted();  // Interrupted

}  // namespace perpend::app
