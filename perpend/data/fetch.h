// Public sets by their official address.
#pragma once

#include <functional>
#include <string>

#include "perpend/data/public.h"

namespace perpend {

// Returns the bytes at an address, or throws IoError.
using Download = std::function<std::string(const std::string& address)>;

// NAME.csv of a public set, made from its official files and checked by size and sha256; a mismatch is a DataError that
// shows both sums. A mirror is a folder or an address that holds NAME.csv itself or the official files under their own
// names; an empty mirror stands for the official addresses.
std::string fetch_public(const PublicSet& set, const std::string& mirror, const Download& download);

// The only file of a zip archive. DataError when it is damaged or holds none.
std::string unzip_single(const std::string& archive, const std::string& name_for_errors);

}  // namespace perpend
