// Recognises files of other programs by their first bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perpend {

constexpr std::size_t kOpeningBytes = 4096;  // enough to recognise a file

// Says what the file with these first bytes is and how it can be read, as the end of a sentence: "a Parquet file; ...".
// It knows Parquet, Arrow and Feather, Excel, OpenDocument, zip, bzip2, xz, zstd and UTF-16. It returns nothing for
// anything else, such as text.
std::optional<std::string> foreign_file(std::string_view opening);

}  // namespace perpend
