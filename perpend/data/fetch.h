// Fetches public sets from their official addresses.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "perpend/data/public.h"

namespace perpend {

// Returns the bytes at an address, or throws IoError. It throws also if the answer has more than `most` bytes.
using Download = std::function<std::string(const std::string& address, std::size_t most)>;

// The most bytes that one official file of a set may have, packed or not. An official file has the same values as
// NAME.csv and nothing else, so a few times that size is plenty. An endless answer is cut off here.
std::size_t most_download_bytes(const PublicSet& set);

// Makes NAME.csv of a public set from its official files, and checks its size and sha256. A mismatch is a DataError
// that shows both sums. A mirror is a folder or an address that has NAME.csv itself or the official files under their
// own names. An empty mirror stands for the official addresses.
std::string fetch_public(const PublicSet& set, const std::string& mirror, const Download& download);

// Returns the only file of a zip archive. Throws DataError if the archive is damaged, has no file, or unpacks to more
// than `most` bytes.
std::string unzip_single(const std::string& archive, const std::string& name_for_errors, std::size_t most);

}  // namespace perpend
