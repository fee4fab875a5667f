// Finds the classes of a target column. It is a part of fit_schema.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

constexpr std::size_t kMaxClasses = 1000;

// Returns the classes in their fixed order: by value if all labels are numbers, else bytewise. If `positive` is not
// empty, it comes second of two.
std::vector<std::string> find_classes(const Table& table, const Column& target, const std::string& positive);

// Returns a warning if a spreadsheet would take a class for a formula, that is, if its name begins with = + - @ or a
// tab. Predictions contain the class names unchanged, because other programs compare them with the table's labels. So
// users get a warning instead.
std::optional<std::string> formula_warning(std::span<const std::string> classes);

}  // namespace perpend
