// The classes of a target column. Part of fit_schema.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

constexpr std::size_t kMaxClasses = 1000;

// In their fixed order: by value when all labels are numbers, else bytewise; `positive` (when not empty) second of two.
std::vector<std::string> find_classes(const Table& table, const Column& target, const std::string& positive);

// A warning if a spreadsheet would take a class for a formula, that is, if its name begins with = + - @ or a tab.
// Predictions contain the class names unchanged, because other programs compare them with the table's labels. So users
// are warned instead.
std::optional<std::string> formula_warning(std::span<const std::string> classes);

}  // namespace perpend
