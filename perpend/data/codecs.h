// Unpacking what Parquet and Arrow files pack: one block of bytes whose unpacked size is known beforehand.
//
// gzip is always there. snappy, zstd and lz4 are there where their libraries were when perpend was built.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

enum class Codec { none, snappy, gzip, zstd, lz4_raw, lz4_frame };

bool has_codec(Codec codec);
// "gzip", "lz4" and so on: those that are built in, each once.
std::vector<std::string> codec_names();
std::string_view name_of(Codec codec);

// Whether the packed bytes unpacked to exactly this many bytes. At least one is wanted, and the codec is built in.
bool unpack(Codec codec, std::string_view packed, std::span<char> to);

}  // namespace perpend
