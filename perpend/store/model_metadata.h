// Checks what a model file says about its training, once, when the file is loaded. Code that reads options and summary
// later can rely on their shape. Internal to store.
#pragma once

#include <cstddef>
#include <string>

#include "perpend/records/run_summary.h"

namespace perpend {

// A JSON object of numbers, words, true, false, null and lists of numbers or words. What the names and values mean is
// known to run/option_table.h alone. Throws ModelFileError "the model's options ...".
void check_options(const std::string& json);

// The summary (records/json.h says what may be in it). Its metrics must be those of this many members, and its log that
// of this many networks. Throws ModelFileError "the model's summary ...".
RunSummary read_summary(const std::string& json, std::size_t members, std::size_t networks);

}  // namespace perpend
