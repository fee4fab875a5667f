// How the command line writes the options that messages of the library mention (base/option_mention.h).
#pragma once

#include <string>

#include "perpend/base/option_mention.h"

namespace perpend::app {

// --missing mean, --force, --no-standardize. A value is a word that a shell reads back unchanged: --drop 'a b'.
std::string flag_spelling(const OptionMention& mention);

}  // namespace perpend::app
