#include "perpend/data/fetch.h"

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <filesystem>

#include "perpend/base/error.h"
#include "perpend/base/file_system.h"
#include "perpend/base/message.h"
#include "perpend/base/sha256.h"

namespace perpend {

namespace {

bool is_address(const std::string& text) { return text.find("://") != std::string::npos; }

std::string last_part(const std::string& address) { return address.substr(address.rfind('/') + 1); }

// size() refuses anything but a regular file, such as a device that never ends.
std::string read_whole(const std::filesystem::path& path, std::size_t most) {
  File file(real_file_system(), path.string(), FileSystem::Use::read, "cannot read " + printable(path.string()));
  const std::size_t size = file.size();
  if (size > most) {
    throw DataError(printable(path.string()) + " is not the published file: it has " + counted(size, "byte") +
                    " where at most " + thousands(most) + " are expected");
  }
  return file.read(size);
}

bool is_right(const PublicSet& set, const std::string& csv) {
  return csv.size() == set.bytes && sha256_hex(csv) == set.sha256;
}

std::string from_official(const PublicSet& set, const std::string& mirror, const Download& download) {
  const std::size_t most = most_download_bytes(set);
  std::vector<std::string> files;
  for (const auto& address : set.downloads) {
    const std::string name = last_part(address);
    std::string bytes;
    if (mirror.empty()) {
      bytes = download(address, most);
    } else if (is_address(mirror)) {
      bytes = download(std::string(mirror).append("/").append(name), most);
    } else {
      bytes = read_whole(std::filesystem::path(mirror) / name, most);
    }
    files.push_back(name.ends_with(".zip") ? unzip_single(bytes, name, most) : std::move(bytes));
  }
  return public_csv(set, files);
}

std::uint32_t little_endian(const std::string& bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

std::string inflate_raw(const char* bytes, std::size_t size, std::size_t unpacked, const std::string& name) {
  std::string out(unpacked, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes));
  stream.avail_in = static_cast<uInt>(size);
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.total_out == unpacked;
  inflateEnd(&stream);
  if (!whole) throw DataError(name + " is a damaged zip archive; download it again");
  return out;
}

}  // namespace

std::size_t most_download_bytes(const PublicSet& set) {
  constexpr std::size_t kRoom = std::size_t{1} << 20;
  return 4 * set.bytes + kRoom;
}

std::string unzip_single(const std::string& archive, const std::string& name, std::size_t most) {
  // The central directory has the sizes even if the local header leaves them to a trailing record.
  const std::size_t entry = archive.find("PK\x01\x02");
  constexpr std::size_t kEntry = 46;
  constexpr std::size_t kLocal = 30;
  if (entry == std::string::npos || entry + kEntry > archive.size()) throw DataError(name + " is not a zip archive");
  const std::uint32_t method = little_endian(archive, entry + 10, 2);
  const std::uint32_t packed = little_endian(archive, entry + 20, 4);
  const std::uint32_t unpacked = little_endian(archive, entry + 24, 4);
  const std::uint64_t local = little_endian(archive, entry + 42, 4);
  if (local + kLocal > archive.size() || unpacked > most) throw DataError(name + " is a damaged zip archive");
  const std::uint64_t start =
      local + kLocal + little_endian(archive, local + 26, 2) + little_endian(archive, local + 28, 2);
  if (start + packed > archive.size()) throw DataError(name + " is a damaged zip archive; download it again");
  if (method == 0 && packed == unpacked) return archive.substr(start, packed);
  if (method != 8) throw DataError(name + " is packed by a method other than deflate");
  return inflate_raw(archive.data() + start, packed, unpacked, name);
}

std::string fetch_public(const PublicSet& set, const std::string& mirror, const Download& download) {
  if (!mirror.empty() && !is_address(mirror)) {
    const auto ready = std::filesystem::path(mirror) / (set.name + ".csv");
    if (std::filesystem::exists(ready)) {
      std::string csv = read_whole(ready, most_download_bytes(set));
      if (!is_right(set, csv)) {
        throw DataError(printable(ready.string()) + " is not the published set: sha256 " + sha256_hex(csv) + " where " +
                        set.sha256 + " is expected");
      }
      return csv;
    }
  }
  std::string csv = from_official(set, mirror, download);
  if (!is_right(set, csv)) {
    throw DataError(set.name + ".csv made from its download has sha256 " + sha256_hex(csv) + " where " + set.sha256 +
                    " is expected; the publisher may have changed the file");
  }
  return csv;
}

}  // namespace perpend
