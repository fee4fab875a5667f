// How Python writes the options that messages of the library mention (base/option_mention.h).
#pragma once

#include <string>
#include <vector>

#include "perpend/base/option_mention.h"

namespace perpend::python {

// The estimator of a method: LITClassifier of lit. A method that is not listed is called by its word:
// SnapshotClassifier.
std::string class_of_method(const std::string& word);

// missing="mean", drop=["age"], standardize=False, lambda_=0.5. The method is the class: LITClassifier.
std::string keyword_spelling(const OptionMention& mention);

// Warnings as Python shows them.
std::vector<std::string> spelled(std::vector<std::string> warnings);

}  // namespace perpend::python
