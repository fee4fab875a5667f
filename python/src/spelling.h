// How Python writes the options that messages of the library mention (base/option_mention.h).
#pragma once

#include <string>
#include <vector>

#include "perpend/base/option_mention.h"

namespace perpend::python {

// missing="mean", drop=["age"], standardize=False, lambda_=0.5.
std::string keyword_spelling(const OptionMention& mention);

// Warnings as Python shows them.
std::vector<std::string> spelled(std::vector<std::string> warnings);

}  // namespace perpend::python
