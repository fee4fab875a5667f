// What a verb that trains says about its data before it starts: what the table holds, what is odd about it, and how it
// is split.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perpend/api/fit.h"
#include "perpend/data/table.h"

namespace perpend::app {

// remarks: what is odd about the size of the data, as fit finds it.
std::string what_was_read(const Table& table, const Prepared& data, const std::vector<std::string>& remarks);
// Says that the paper's own encoding of this public set is used, and what is odd about it.
std::string published_encoding(const std::string& set);
std::string split_line(const std::string& name, const Prepared& data, std::uint64_t seed);

// Says what --manifold found. Empty without it.
std::string manifold_lines(const Prepared& data, const RunOptions& options);

}  // namespace perpend::app
