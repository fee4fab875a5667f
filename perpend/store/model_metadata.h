// Checks what a model file says about its training, once, when the file is loaded. Code that reads options and summary
// later can rely on their shape. Internal to store.
#pragma once

#include <cstddef>
#include <string>

#include "perpend/records/run_summary.h"

namespace perpend {

// The options must be a JSON object of numbers, words, true, false, null and lists of numbers or words. Only
// run/option_table.h knows what the names and values mean. Throws ModelFileError "the model's options ...".
void check_options(const std::string& json);

// Reads the summary (records/json.h says what may be in it). Its metrics must be those of this many members, and its
// log that of this many networks. Throws ModelFileError "the model's summary ...".
RunSummary read_summary(const std::string& json, std::size_t members, std::size_t networks);

}  // namespace perpend
