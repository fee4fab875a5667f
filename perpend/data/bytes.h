// Where the bytes of a table come from.
//
// One small seam for every reader: files, gz files, stdin, memory and whatever a test invents (a failing disk, an
// endless line). A source is read once, front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace perpend {

struct ByteSource {
  std::string name;  // for messages
  // Fills up to `size` bytes and returns how many; 0 is the end. Throws IoError when the system fails, DataError when
  // packed bytes are damaged.
  std::function<std::size_t(char* to, std::size_t size)> read;
  std::optional<std::uint64_t> size;  // of the whole source, when known beforehand
};

// A file, a pipe, or stdin when path is "-"; a device such as /dev/zero is an IoError. Files packed by gzip are
// unpacked as they are read; their first bytes tell, not their name, and their size is unknown. A file that unpacks to
// more than kMaxUnpackRatio times the packed bytes read (beyond the first kFreeUnpackBytes) is refused: no table does
// that, only a bomb.
ByteSource open_bytes(const std::string& path);
constexpr std::uint64_t kMaxUnpackRatio = 300;
constexpr std::uint64_t kFreeUnpackBytes = std::uint64_t{16} << 20;

// The bytes must outlive the source.
ByteSource bytes_in_memory(std::string name, std::string_view bytes);

// Bytes that are read at any place, for formats whose directory stands at the end: a regular file, or memory.
struct RandomBytes {
  std::string name;  // for messages
  std::uint64_t size = 0;
  // Fills `to` with the `count` bytes from `offset` on, all of which are there. Threads may call it at once. Throws
  // IoError when the system fails, or when the file has become shorter.
  std::function<void(std::uint64_t offset, char* to, std::size_t count)> read;
};

RandomBytes open_random_bytes(const std::string& path);
RandomBytes random_bytes_in_memory(std::string name, std::string_view bytes);  // which must outlive the source

}  // namespace perpend
