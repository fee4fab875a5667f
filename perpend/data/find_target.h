// Finds whether a target is a class or a number. It is a part of fit_schema, and the rules are in encode.h.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/encode.h"

namespace perpend {

// If a target has more different numbers than this, it is a quantity. Otherwise the numbers are names of classes.
constexpr std::size_t kMostNumberClasses = 20;

// If the classes are at least this many different numbers, they may be counts, such as children or stars. So a warning
// says that each number is a class.
constexpr std::size_t kFewestCounts = 6;

// Gives the schema its classes or its quantity. The mean and sd of a quantity come from these rows. The warnings say
// what automatic chose if a user may want the other choice, and how words are read as numbers. Throws DataError for a
// target that cannot be used.
void find_target(const Table& table, const Column& target, Rows rows, const SchemaOptions& options, Schema& schema,
                 std::vector<std::string>* warnings = nullptr);

}  // namespace perpend
