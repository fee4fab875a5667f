#include "apps/perpend/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "apps/perpend/terminal.h"

namespace perpend::app {

namespace {

volatile std::sig_atomic_t caught = 0;  // the signal

int code_of(int signal) { return signal == SIGINT ? 130 : 75; }

void remember(int signal) { caught = signal; }

void leave(int signal) {
  constexpr std::string_view kLine = "perpend: interrupted\n";
  write_message_at_once(kLine);
  ::_exit(code_of(signal));
}

// nohup, and a shell that starts something in the background, ignore what must not end it.
bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void on_signals(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
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
