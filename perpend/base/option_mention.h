// Options inside messages: the library names an option, and each front end spells it in its own language.
//
//     throw DataError("row 3 has no age; give " + option_mention("missing", "mean"));
//
//     command line           row 3 has no age; give --missing mean
//     Python                 row 3 has no age; give missing="mean"
//     Error::what(), files   row 3 has no age; give missing=mean
//
// A mention is marked by control bytes, so a message stays a std::string. An Error spells its own marks (error.h). A
// warning keeps its marks until a front end shows it through spelled().
//
// Column names and other foreign text cannot make a mention as long as a message shows them by quote() or printable(),
// which escape control bytes. A value of a mention may be any text: it is kept exactly, and each front end quotes it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace perpend {

struct OptionMention {
  std::string name;                  // as in the option table (run/option_table.h), such as learning_rate
  std::optional<std::string> value;  // as a user types it; none for the option itself
};

// Returns text for a message. `name` has small letters, digits and underscores only.
std::string option_mention(std::string_view name);
std::string option_mention(std::string_view name, std::string_view value);

// How a front end writes an option.
using Spelling = std::function<std::string(const OptionMention&)>;
// Spells a mention as missing=mean, or as missing if it has no value. Configuration files use these names, too.
std::string plain_spelling(const OptionMention& mention);

// Returns the message as users see it: every mention is spelled, everything is printable (message.h) on one line, and
// the middle of a text over 4,000 bytes is left out. Malformed marks are escaped like any other control bytes.
std::string spelled(std::string_view message, const Spelling& spelling);

}  // namespace perpend
