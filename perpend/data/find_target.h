// Whether a target is a class or a number. Part of fit_schema; the rules are in encode.h.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/encode.h"

namespace perpend {

// More different numbers than this are a quantity, not names of classes.
constexpr std::size_t kMostNumberClasses = 20;

// Classes that are so many different numbers may be counts, such as children or stars, so a warning says that each is a
// class.
constexpr std::size_t kFewestCounts = 6;

// Gives the schema its classes or its quantity, the latter's mean and sd by these rows. The warnings say what
// automatic chose where a user may want the other, and how words are read as numbers. Throws DataError for a target
// that cannot be used.
void find_target(const Table& table, const Column& target, Rows rows, const SchemaOptions& options, Schema& schema,
                 std::vector<std::string>* warnings = nullptr);

}  // namespace perpend
