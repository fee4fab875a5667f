#include "apps/perpend/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"

namespace perpend::app {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t caught = 0;  // the signal

int code_of(int signal) { return signal == SIGINT ? 130 : 75; }

// Ends the program. Two signals may come at once, in two threads. One of them ends it.
void leave(int signal) {
  static std::atomic_flag leaving;
  if (leaving.test_and_set()) return;
  constexpr std::string_view kLine = "perpend: interrupted\n";
  remove_temporaries_at_once();
  write_message_at_once(kLine);
  ::_exit(code_of(signal));
}

void remember(int signal) {
  if (caught != 0) return leave(signal);
  caught = signal;
}

// nohup, and shells that start a program in the background, ignore signals that must not end it.
bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void on_signals(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);  // these two are macros on macOS: no :: before them
  for (const int signal : kSignals) sigaddset(&action.sa_mask, signal);
  for (const int signal : kSignals) {
    if (!is_ignored(signal)) ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

int interrupt_code() { return code_of(caught); }

void watch_for_interrupts() { on_signals(leave); }

InterruptsWait::InterruptsWait() { on_signals(remember); }
InterruptsWait::~InterruptsWait() { on_signals(leave); }

bool interrupted() { return caught != 0; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace perpend::app
