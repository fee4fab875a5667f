// Reads what a user gives as DATA, and writes tables as CSV.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "perpend/data/dataset.h"
#include "perpend/data/encode.h"
#include "perpend/data/public.h"
#include "perpend/data/table.h"

namespace perpend {

// A generated set as a table: its features, then the names of the classes in column `target`.
constexpr const char* kGeneratedTarget = "target";
Table table_of(const Dataset& data, const std::string& source);

// Reads the table that `source` names:
//
// builtin:NAME     a generated set (generate.h) with seed 0 and its own number of rows
// NAME             the public set of that name (public.h) if there is no such file: data_dir/NAME.csv
// anything else    a table for read_table
Table read_source(const std::string& source, const std::string& data_dir);

// Reads the same rows in blocks (base/blocks.h), so that a CSV file may be larger than memory. Each block is read while
// the one before it is used. Any other file is one block.
void read_source_in_blocks(const std::string& source, const std::string& data_dir,
                           const std::function<void(const Table&)>& use);

// The column of labels if DATA alone determines it, as for a generated set, a public set and X.npy,y.npy. Else empty.
std::string target_of(const std::string& source);

// The public set that read_source would look up for this DATA; null if it is anything else.
const PublicSet* public_set_of(const std::string& source);

// How the paper encodes one of its public sets. The statistics are those of the rows that the paper uses for them.
Schema public_schema(const PublicSet& set, const Table& table);

// The paper's schema if the source is the name of a public set, else nothing. Throws ConfigError if the options set
// anything except the target, because they would change the paper's encoding.
std::optional<Schema> published_schema(const std::string& source, const Table& table, const SchemaOptions& options);

// Throws IoError at once if a file of this DATA is not a regular file: a pipe, for example, cannot be read twice.
void refuse_read_once(const std::string& source, const std::string& data_dir);

// The sha256 of the bytes that read_source reads. They must come from regular files, because they are read more than
// once. Several files have the sha256 of all their bytes, one file after the other. A generated set and rows of a
// database have the sha256 of their CSV text.
std::string source_sha256(const std::string& source, const std::string& data_dir);

// The table as RFC 4180 text, header first. Each number is the shortest text that reads back as the same double.
std::string csv_text(const Table& table);
// A cell for a CSV file. It is quoted if it has a comma, a quote, a line break, or blanks at an end.
std::string csv_cell(std::string_view text);

}  // namespace perpend
