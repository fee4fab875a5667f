// Files that are tables for other programs. Their first bytes tell what they are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perpend {

constexpr std::size_t kOpeningBytes = 4096;  // enough of a file to know it by

// What the file with these first bytes is and what makes it readable, as the end of a sentence: "a Parquet file;
// ...". Known are Parquet, Arrow and Feather, Excel, OpenDocument, zip, bzip2, xz, zstd and UTF-16. Nothing for
// anything else, such as text.
std::optional<std::string> foreign_file(std::string_view opening);

}  // namespace perpend
