// Decodes the values of a Parquet page. Each function decodes `count` values. It returns false if the bytes are not
// such values, or if there are too few.
//
// The kDecodeSlack bytes behind the given bytes must be readable, because bits are fetched eight bytes at a time. Their
// contents do not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/data/columnar.h"

namespace perpend {

constexpr std::size_t kDecodeSlack = kScratchSlack;

// Runs of equal values and groups of eight packed values, of `width` bits (at most 32): levels, booleans and indices
// into a dictionary. Every value written is below 2^width.
bool decode_runs(std::string_view bytes, unsigned width, std::size_t count, std::uint8_t* values);
bool decode_runs(std::string_view bytes, unsigned width, std::size_t count, std::uint32_t* values);

// PLAIN booleans: one bit per value.
bool decode_bits(std::string_view bytes, std::size_t count, std::uint8_t* values);

// DELTA_BINARY_PACKED. T is std::int32_t or std::int64_t. Afterwards `bytes` begins behind the values.
template <class T>
bool decode_deltas(std::string_view& bytes, std::size_t count, T* values);

// BYTE_STREAM_SPLIT: the page has the first bytes of all values, then the second ones, and so on.
bool decode_streams(std::string_view bytes, std::size_t width, std::size_t count, char* values);

// Texts of PLAIN, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY. The texts of the first two are views of `bytes`, and
// those of the last are views of `joined`. `joined` has at most `most_joined` bytes, because a few bytes could make
// many where texts share their beginnings.
bool decode_plain_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts);
bool decode_length_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts);
bool decode_prefix_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts,
                         std::string& joined, std::size_t most_joined);

}  // namespace perpend
