// The classes of a target column. Part of fit_schema.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

constexpr std::size_t kMaxClasses = 1000;

// In their fixed order: by value when all labels are numbers, else bytewise; `positive` (when not empty) second of two.
std::vector<std::string> find_classes(const Table& table, const Column& target, const std::string& positive);

}  // namespace perpend
