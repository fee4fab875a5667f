#include "perpend/data/codecs.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "perpend/base/error.h"
#ifdef PERPEND_SNAPPY
#include <snappy-c.h>
#endif
#ifdef PERPEND_ZSTD
#include <zstd.h>
#endif
#ifdef PERPEND_LZ4
#include <lz4.h>
#include <lz4frame.h>
#endif

namespace perpend {

namespace {

// Several gzip members in a row count as one stream, as for gunzip.
bool unpack_gzip(std::string_view packed, std::span<char> to) {
  constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
  if (packed.size() > kMost || to.size() > kMost) return false;
  z_stream stream{};
  constexpr int kGzipOrZlib = 15 + 32;
  if (inflateInit2(&stream, kGzipOrZlib) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> ended(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<unsigned>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(to.data());
  stream.avail_out = static_cast<unsigned>(to.size());
  int result = inflate(&stream, Z_FINISH);
  while (result == Z_STREAM_END && stream.avail_in > 0 && stream.avail_out > 0) {
    if (inflateReset(&stream) != Z_OK) return false;
    result = inflate(&stream, Z_FINISH);
  }
  return result == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
}

#ifdef PERPEND_SNAPPY
bool unpack_snappy(std::string_view packed, std::span<char> to) {
  std::size_t size = 0;
  if (snappy_uncompressed_length(packed.data(), packed.size(), &size) != SNAPPY_OK || size != to.size()) return false;
  return snappy_uncompress(packed.data(), packed.size(), to.data(), &size) == SNAPPY_OK && size == to.size();
}
#endif

#ifdef PERPEND_LZ4
bool unpack_lz4(std::string_view packed, std::span<char> to) {
  if (packed.size() > LZ4_MAX_INPUT_SIZE || to.size() > LZ4_MAX_INPUT_SIZE) return false;
  const int size = static_cast<int>(to.size());
  return LZ4_decompress_safe(packed.data(), to.data(), static_cast<int>(packed.size()), size) == size;
}

bool unpack_lz4_frame(std::string_view packed, std::span<char> to) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(made,
                                                                                     LZ4F_freeDecompressionContext);
  std::size_t done = 0;
  while (!packed.empty()) {
    std::size_t written = to.size() - done;
    std::size_t taken = packed.size();
    const std::size_t more = LZ4F_decompress(context.get(), to.data() + done, &written, packed.data(), &taken, nullptr);
    if (LZ4F_isError(more) != 0 || (written == 0 && taken == 0)) return false;
    done += written;
    packed.remove_prefix(taken);
    if (more == 0) break;
  }
  return done == to.size() && packed.empty();
}
#endif

}  // namespace

bool has_codec(Codec codec) {
  switch (codec) {
    case Codec::none:
    case Codec::gzip:
      return true;
    case Codec::snappy:
#ifdef PERPEND_SNAPPY
      return true;
#else
      return false;
#endif
    case Codec::zstd:
#ifdef PERPEND_ZSTD
      return true;
#else
      return false;
#endif
    case Codec::lz4_raw:
    case Codec::lz4_frame:
#ifdef PERPEND_LZ4
      return true;
#else
      return false;
#endif
  }
  return false;
}

std::vector<std::string> codec_names() {
  std::vector<std::string> names;
  for (const Codec codec : {Codec::gzip, Codec::snappy, Codec::zstd, Codec::lz4_raw}) {
    if (has_codec(codec)) names.emplace_back(name_of(codec));
  }
  return names;
}

std::string_view name_of(Codec codec) {
  constexpr std::array<std::string_view, 6> kNames = {"none", "snappy", "gzip", "zstd", "lz4", "lz4"};
  return kNames[static_cast<std::size_t>(codec)];
}

bool unpack(Codec codec, std::string_view packed, std::span<char> to) {
  PERPEND_CHECK(!to.empty() && has_codec(codec));
  switch (codec) {
    case Codec::none:
      if (packed.size() != to.size()) return false;
      std::copy(packed.begin(), packed.end(), to.begin());
      return true;
    case Codec::gzip:
      return unpack_gzip(packed, to);
#ifdef PERPEND_SNAPPY
    case Codec::snappy:
      return unpack_snappy(packed, to);
#endif
#ifdef PERPEND_ZSTD
    case Codec::zstd:
      return ZSTD_decompress(to.data(), to.size(), packed.data(), packed.size()) == to.size();
#endif
#ifdef PERPEND_LZ4
    case Codec::lz4_raw:
      return unpack_lz4(packed, to);
    case Codec::lz4_frame:
      return unpack_lz4_frame(packed, to);
#endif
    default:
      return false;
  }
}

}  // namespace perpend
