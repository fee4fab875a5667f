// How Parquet writes the values of a page. Each function decodes `count` values and returns false when the bytes are
// not such values, or too few of them.
//
// kDecodeSlack bytes behind the bytes given must be readable, whatever they hold: bits are fetched eight bytes at a
// time.
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

// PLAIN booleans: a bit each.
bool decode_bits(std::string_view bytes, std::size_t count, std::uint8_t* values);

// DELTA_BINARY_PACKED. T is std::int32_t or std::int64_t. `bytes` is left behind the values, for what follows them.
template <class T>
bool decode_deltas(std::string_view& bytes, std::size_t count, T* values);

// BYTE_STREAM_SPLIT: the first bytes of all values, then the second ones, and so on, put together again.
bool decode_streams(std::string_view bytes, std::size_t width, std::size_t count, char* values);

// Texts of PLAIN, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY. The first two are views of `bytes`. Those of the last
// are views of `joined`, which holds at most `most_joined` bytes: with shared beginnings, a few bytes could make many.
bool decode_plain_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts);
bool decode_length_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts);
bool decode_prefix_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts,
                         std::string& joined, std::size_t most_joined);

}  // namespace perpend
