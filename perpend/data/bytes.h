// Where the bytes of a table come from.
//
// Every reader reads through one small interface: files, gz files, stdin, memory and whatever a test invents (a failing
// disk, an endless line). A source is read once, from the front to the back.
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
  // Fills up to `size` bytes and returns how many; 0 is the end. Throws IoError if a system call fails, and DataError
  // if packed bytes are damaged.
  std::function<std::size_t(char* to, std::size_t size)> read;
  std::optional<std::uint64_t> size;  // the size of the whole source, if it is known beforehand
};

// Opens a file, a pipe, or stdin if path is "-". A device such as /dev/zero is an IoError. Files packed by gzip are
// unpacked as they are read. perpend knows them by their first bytes, not by their name, and their size is unknown. It
// refuses a file that unpacks to more than kMaxUnpackRatio times the packed bytes read (beyond the first
// kFreeUnpackBytes), because no honest table does so.
ByteSource open_bytes(const std::string& path);
constexpr std::uint64_t kMaxUnpackRatio = 300;
constexpr std::uint64_t kFreeUnpackBytes = std::uint64_t{16} << 20;

// The bytes must outlive the source.
ByteSource bytes_in_memory(std::string name, std::string_view bytes);

// Bytes that can be read at any place: a regular file, or memory. They are for formats whose directory is at the end.
struct RandomBytes {
  std::string name;  // for messages
  std::uint64_t size = 0;
  // Fills `to` with the `count` bytes from `offset` on. All of them must lie within `size`. Several threads may call it
  // at once. Throws IoError if a system call fails, or if the file has become shorter.
  std::function<void(std::uint64_t offset, char* to, std::size_t count)> read;
};

RandomBytes open_random_bytes(const std::string& path);
RandomBytes random_bytes_in_memory(std::string name, std::string_view bytes);  // the bytes must outlive it

}  // namespace perpend
