// Whether a target is a class or a number. Part of fit_schema; the rules are in encode.h.
#pragma once

#include <optional>
#include <string>

#include "perpend/data/encode.h"

namespace perpend {

// More different numbers than this are a quantity, not names of classes.
constexpr std::size_t kMostNumberClasses = 20;

// Gives the schema its classes or its quantity, the latter's mean and sd by these rows. note: says that automatic chose
// a regression. Throws DataError for a target that cannot be used.
void find_target(const Table& table, const Column& target, Rows rows, const SchemaOptions& options, Schema& schema,
                 std::optional<std::string>* note = nullptr);

}  // namespace perpend
