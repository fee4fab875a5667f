// What a model file says of its training, looked through once when it is loaded: whoever reads options and summary
// later finds them in their shape. Internal to store.
#pragma once

#include <cstddef>
#include <string>

namespace perpend {

// A JSON object of numbers, words, true, false, null and lists of numbers or words. What the names and values mean is
// known to run/option_table.h alone. Throws ModelFileError "the model's options ...".
void check_options(const std::string& json);

// A JSON object. Of the keys that perpend writes (run/saved_model.h) any may be absent, but none may be of another
// shape or hold a number that it cannot have; metrics are those of so many members. Throws ModelFileError "the model's
// summary
// ...".
void check_summary(const std::string& json, std::size_t members);

}  // namespace perpend
