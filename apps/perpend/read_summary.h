// What a verb that trains says of its data before it starts: what the table holds, what is odd about it, how it is
// split.
#pragma once

#include <cstdint>
#include <string>

#include "perpend/data/table.h"
#include "perpend/run/run.h"

namespace perpend::app {

std::string what_was_read(const Table& table, const Prepared& data, const RunOptions& options);
// That the paper's own encoding of this public set is used, and what is odd about it.
std::string published_encoding(const std::string& set);
std::string split_line(const std::string& name, const Prepared& data, std::uint64_t seed);

// What --manifold found; empty without it.
std::string manifold_lines(const Prepared& data, const RunOptions& options);

}  // namespace perpend::app
