// Ctrl-C and SIGTERM: what runs looks here between pieces of work and leaves; a second Ctrl-C kills at once.
#pragma once

namespace perpend::app {

// Thrown to leave; main makes it exit code 130.
struct Interrupted {};

void watch_for_interrupts();
bool interrupted();
void throw_if_interrupted();  // Interrupted

}  // namespace perpend::app
