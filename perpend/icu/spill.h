// A temporary file without a name. First all bytes are written, then they are read from the front. It takes no room on
// the disk before a buffer is full. It disappears with the object or the process, however that ends.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace perpend {

class SpillFile {
 public:
  explicit SpillFile(std::filesystem::path folder) : folder_(std::move(folder)) {}
  SpillFile(SpillFile&& other) noexcept;
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  // Throws an IoError that names the folder if the disk is full or fails.
  void write(std::string_view bytes);
  // The next bytes, at most kSpillBuffer, in pieces as they were buffered. Empty at the end. Do not write after the
  // first call.
  std::string_view read();

 private:
  void flush();
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path folder_;
  std::string buffer_;
  int file_ = -1;
  bool reading_ = false;
};

constexpr std::size_t kSpillBuffer = std::size_t{1} << 16;

}  // namespace perpend
