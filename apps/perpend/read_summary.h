// What a verb that trains says of its data before it starts: what the table holds, what is odd about it, how it is
// split.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "perpend/data/table.h"
#include "perpend/run/run.h"

namespace perpend::app {

void say_what_was_read(const Table& table, const Prepared& data, const RunOptions& options, std::FILE* to);
// That the paper's own encoding of this public set is used, and what is odd about it.
void say_published_encoding(const std::string& set, std::FILE* to);
void say_split(const std::string& name, const Prepared& data, std::uint64_t seed, std::FILE* to);

// What --manifold found; nothing without it.
void say_manifold(const Prepared& data, const RunOptions& options, std::FILE* to);

}  // namespace perpend::app
