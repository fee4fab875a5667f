// Unpacks blocks of Parquet and Arrow files. The unpacked size of a block is known beforehand.
//
// gzip is always there. snappy, zstd and lz4 are there if their libraries were there when perpend was built.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

enum class Codec { none, snappy, gzip, zstd, lz4_raw, lz4_frame };

bool has_codec(Codec codec);
// The names of the codecs that are built in, each once: "gzip", "lz4" and so on.
std::vector<std::string> codec_names();
std::string_view name_of(Codec codec);

// Unpacks into `to`. Returns whether the result has exactly that many bytes. `to` must not be empty, and the codec must
// be built in.
bool unpack(Codec codec, std::string_view packed, std::span<char> to);

}  // namespace perpend
