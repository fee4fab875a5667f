// Ctrl-C, SIGTERM and SIGHUP (a terminal that is gone): what they end says so in one line, and by its exit code. A
// signal that is ignored when the program starts, as under nohup, stays ignored.
#pragma once

#include <string>

namespace perpend::app {

// 130 after Ctrl-C; 75 after SIGHUP and after SIGTERM, with which a batch system ends what it means to start again, and
// of a rank that stops because another one was told to.
int interrupt_code();

// Thrown to leave; main says what was done and makes it interrupt_code().
struct Interrupted {
  std::string remark;  // such as "; the model is saved"
};

// From here on a signal ends the program at once. Its temporary files are removed (base/durable_file.h), so work that
// only writes files has nothing to clean up.
void watch_for_interrupts();

// While one lives, a signal waits to be asked for with interrupted(): for work that has something to save, and that
// asks often. It must not wait for input meanwhile. A second signal, of whatever kind, ends the program at once.
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
