#include "apps/perpend/interrupt.h"

#include <csignal>

namespace perpend::app {

namespace {

volatile std::sig_atomic_t caught = 0;

}  // namespace

void watch_for_interrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { caught = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return caught != 0; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace perpend::app
