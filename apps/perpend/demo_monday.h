// The last part of the demo: rows of another place arrive without labels.
#pragma once

namespace perpend::app {

// Trains on builtin:shortcut with default options, monitors builtin:shortcut-flipped, asks for labels of 32 of its
// rows, adapts to them, and prints how good the model then is on the other rows.
void show_monday();

}  // namespace perpend::app
