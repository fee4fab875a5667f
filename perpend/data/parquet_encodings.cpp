#include "perpend/data/parquet_encodings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace perpend {

namespace {

static_assert(std::endian::native == std::endian::little, "the values read here are little-endian");

std::uint64_t load_word(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto next = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    value |= std::uint64_t{next & 127U} << shift;
    if (next < 128) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> take_zigzag(std::string_view& bytes) {
  const auto value = take_varint(bytes);
  if (!value) return std::nullopt;
  return (*value >> 1) ^ (~(*value & 1) + 1);
}

// Reads `count` values of W bits from the first bit of `from` on. Eight values are W bytes. The compiler knows all
// shifts.
template <class T, unsigned W>
void take_bits_of(const char* from, std::size_t count, T* values) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << W) - 1;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8, from += W) {
#pragma GCC unroll 8
    for (unsigned k = 0; k < 8; ++k) {
      values[i + k] = static_cast<T>(load_word(from + k * W / 8) >> (k * W % 8) & kMask);
    }
  }
  for (unsigned k = 0; i < count; ++i, ++k) {
    values[i] = static_cast<T>(load_word(from + k * W / 8) >> (k * W % 8) & kMask);
  }
}

template <class T, unsigned... W>
constexpr auto bit_takers(std::integer_sequence<unsigned, W...>) {
  return std::array{&take_bits_of<T, W>...};
}

template <class T>
void take_bits(const char* from, unsigned width, std::size_t count, T* values) {
  static constexpr auto kTakers = bit_takers<T>(std::make_integer_sequence<unsigned, 33>());
  kTakers[width](from, count, values);
}

template <class T>
bool take_runs(std::string_view bytes, unsigned width, std::size_t count, T* values) {
  if (width > 32) return false;
  const std::size_t value_bytes = (width + 7) / 8;
  for (std::size_t done = 0; done < count;) {
    const auto head = take_varint(bytes);
    if (!head) return false;
    const std::uint64_t length = *head >> 1;
    if ((*head & 1) != 0) {
      // The bytes of the last group may end right behind the last wanted value.
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(length, (count - done + 7) / 8) * 8);
      const std::size_t wanted = std::min(now, count - done);
      if (wanted > 0 && (wanted * width + 7) / 8 > bytes.size()) return false;
      take_bits(bytes.data(), width, wanted, values + done);
      bytes.remove_prefix(std::min<std::size_t>(now / 8 * width, bytes.size()));
      done += wanted;
      continue;
    }
    if (bytes.size() < value_bytes) return false;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < value_bytes; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    if (value >> width != 0) return false;
    bytes.remove_prefix(value_bytes);
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(length, count - done));
    std::fill_n(values + done, now, static_cast<T>(value));
    done += now;
  }
  return true;
}

// A value of up to 64 bits.
std::uint64_t wide_bits(const char* from, std::size_t index, unsigned width) {
  const std::size_t bit = index * width;
  const char* at = from + bit / 8;
  const unsigned shift = bit % 8;
  std::uint64_t value = load_word(at) >> shift;
  if (width + shift > 64) value |= std::uint64_t{static_cast<unsigned char>(at[8])} << (64 - shift);
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

template <class T>
void join_streams(const char* streams, std::size_t count, char* values) {
  for (std::size_t i = 0; i < count; ++i) {
    T value = 0;
    for (unsigned b = 0; b < sizeof(T); ++b) {
      value |= static_cast<T>(static_cast<unsigned char>(streams[b * count + i])) << (8 * b);
    }
    std::memcpy(values + i * sizeof(T), &value, sizeof(T));
  }
}

// Reads the lengths of texts. None may be negative or longer than the page, so their sum cannot overflow.
bool take_lengths(std::string_view& bytes, std::size_t count, std::vector<std::int32_t>& lengths) {
  lengths.resize(count);
  return decode_deltas(bytes, count, lengths.data()) &&
         std::all_of(lengths.begin(), lengths.end(), [](std::int32_t length) { return length >= 0; });
}

}  // namespace

bool decode_runs(std::string_view bytes, unsigned width, std::size_t count, std::uint8_t* values) {
  return width <= 8 && take_runs(bytes, width, count, values);
}

bool decode_runs(std::string_view bytes, unsigned width, std::size_t count, std::uint32_t* values) {
  return take_runs(bytes, width, count, values);
}

bool decode_bits(std::string_view bytes, std::size_t count, std::uint8_t* values) {
  if ((count + 7) / 8 > bytes.size()) return false;
  take_bits(bytes.data(), 1, count, values);
  return true;
}

template <class T>
bool decode_deltas(std::string_view& bytes, std::size_t count, T* values) {
  const auto block = take_varint(bytes);
  const auto parts = take_varint(bytes);
  const auto total = take_varint(bytes);
  const auto first = take_zigzag(bytes);
  constexpr std::uint64_t kMostInBlock = std::uint64_t{1} << 20;
  if (!block || !parts || !total || !first || *block == 0 || *block > kMostInBlock || *parts == 0 ||
      *parts > *block / 8 || *block % *parts != 0 || *block / *parts % 8 != 0 || *total != count) {
    return false;
  }
  const std::size_t per_part = *block / *parts;
  std::uint64_t value = *first;  // unsigned, because the format asks for wrap-around
  if (count > 0) values[0] = static_cast<T>(value);
  for (std::size_t done = 1; done < count;) {
    const auto least = take_zigzag(bytes);
    if (!least || bytes.size() < *parts) return false;
    const std::string_view widths = bytes.substr(0, *parts);
    bytes.remove_prefix(*parts);
    for (std::size_t part = 0; part < *parts && done < count; ++part) {
      const unsigned width = static_cast<unsigned char>(widths[part]);
      if (width > 64 || per_part / 8 * width > bytes.size()) return false;
      const std::size_t here = std::min(per_part, count - done);
      for (std::size_t i = 0; i < here; ++i) {
        value += *least + (width == 0 ? 0 : wide_bits(bytes.data(), i, width));
        values[done + i] = static_cast<T>(value);
      }
      bytes.remove_prefix(per_part / 8 * width);
      done += here;
    }
  }
  return true;
}
template bool decode_deltas(std::string_view&, std::size_t, std::int32_t*);
template bool decode_deltas(std::string_view&, std::size_t, std::int64_t*);

bool decode_streams(std::string_view bytes, std::size_t width, std::size_t count, char* values) {
  if (count > bytes.size() / width) return false;
  if (width == 8) {
    join_streams<std::uint64_t>(bytes.data(), count, values);
  } else if (width == 4) {
    join_streams<std::uint32_t>(bytes.data(), count, values);
  } else {
    for (std::size_t b = 0; b < width; ++b) {
      for (std::size_t i = 0; i < count; ++i) values[i * width + b] = bytes[b * count + i];
    }
  }
  return true;
}

bool decode_plain_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts) {
  if (count > bytes.size() / 4) return false;
  texts.resize(count);
  for (std::string_view& text : texts) {
    if (bytes.size() < 4) return false;
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data(), 4);
    bytes.remove_prefix(4);
    if (length > bytes.size()) return false;
    text = bytes.substr(0, length);
    bytes.remove_prefix(length);
  }
  return true;
}

bool decode_length_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts) {
  std::vector<std::int32_t> lengths;
  if (!take_lengths(bytes, count, lengths)) return false;
  texts.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto length = static_cast<std::size_t>(lengths[i]);
    if (length > bytes.size()) return false;
    texts[i] = bytes.substr(0, length);
    bytes.remove_prefix(length);
  }
  return true;
}

bool decode_prefix_texts(std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts,
                         std::string& joined, std::size_t most_joined) {
  std::vector<std::int32_t> prefixes;
  if (!take_lengths(bytes, count, prefixes) || !decode_length_texts(bytes, count, texts)) return false;
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    size += static_cast<std::size_t>(prefixes[i]) + texts[i].size();
    if (size > most_joined) return false;
  }
  joined.clear();
  joined.reserve(size);  // so that views of it stay valid
  std::string_view before;
  for (std::size_t i = 0; i < count; ++i) {
    const auto prefix = static_cast<std::size_t>(prefixes[i]);
    if (prefix > before.size()) return false;
    const std::size_t start = joined.size();
    joined.append(before.substr(0, prefix)).append(texts[i]);
    before = texts[i] = std::string_view(joined).substr(start);
  }
  return true;
}

}  // namespace perpend
