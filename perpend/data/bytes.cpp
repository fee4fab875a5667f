#include "perpend/data/bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "perpend/base/error.h"
#include "perpend/base/file_system.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

constexpr unsigned kUnpackBuffer = 1 << 17;

[[noreturn]] void io_failed(const std::string& name, int error) {
  throw IoError(fmt::format("cannot read {}: {}", printable(name), std::strerror(error)));
}

struct GzClose {
  void operator()(gzFile file) const { gzclose(file); }
};
using GzHandle = std::unique_ptr<gzFile_s, GzClose>;

// zlib hands plain files through unchanged, so one path serves both.
class GzReader {
 public:
  GzReader(std::string name, int descriptor) : name_(std::move(name)), file_(gzdopen(descriptor, "rb")) {
    if (!file_) {
      close(descriptor);
      throw IoError(fmt::format("cannot read {}: out of memory", printable(name_)));
    }
    gzbuffer(file_.get(), kUnpackBuffer);
  }

  bool plain() { return gzdirect(file_.get()) != 0; }

  std::size_t read(char* to, std::size_t size) {
    errno = 0;
    const int got = gzread(file_.get(), to, static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30)));
    int error = Z_OK;
    const char* reason = gzerror(file_.get(), &error);
    if (got < 0 && error == Z_ERRNO) io_failed(name_, errno);
    if (got < 0 || error == Z_BUF_ERROR) {
      throw DataError(fmt::format("{} is damaged or cut off after {} unpacked bytes: {}", printable(name_),
                                  thousands(unpacked_),
                                  error == Z_BUF_ERROR ? "unexpected end of the gz file" : reason));
    }
    unpacked_ += static_cast<std::uint64_t>(got);
    refuse_bombs();
    return static_cast<std::size_t>(got);
  }

 private:
  void refuse_bombs() {
    if (unpacked_ <= kFreeUnpackBytes || plain()) return;
    const auto packed = static_cast<std::uint64_t>(std::max<z_off_t>(gzoffset(file_.get()), 1));
    if (unpacked_ / packed < kMaxUnpackRatio) return;
    throw DataError(
        fmt::format("{} unpacks to over {} times its size ({} bytes gave {} so far); if it is meant to, unpack it with "
                    "gunzip first",
                    printable(name_), kMaxUnpackRatio, thousands(packed), thousands(unpacked_)));
  }

  std::string name_;
  GzHandle file_;
  std::uint64_t unpacked_ = 0;
};

int open_descriptor(const std::string& path) {
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) io_failed(path, errno);
  return descriptor;
}

}  // namespace

ByteSource open_bytes(const std::string& path) {
  const int descriptor = open_descriptor(path);
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int error = S_ISDIR(status.st_mode) ? EISDIR : errno;
    close(descriptor);
    io_failed(path, error);
  }
  const std::string name = path == "-" ? "stdin" : path;
  if (is_endless(descriptor)) {
    close(descriptor);
    throw IoError("cannot read " + printable(name) + ": it is a device, not a file");
  }
  auto reader = std::make_shared<GzReader>(name, descriptor);
  ByteSource source{.name = name, .read = {}, .size = {}};
  if (path != "-" && S_ISREG(status.st_mode) && reader->plain())
    source.size = static_cast<std::uint64_t>(status.st_size);
  source.read = [reader](char* to, std::size_t size) { return reader->read(to, size); };
  return source;
}

ByteSource bytes_in_memory(std::string name, std::string_view bytes) {
  return {.name = std::move(name),
          .read =
              [rest = bytes](char* to, std::size_t size) mutable {
                const std::size_t count = rest.copy(to, size);
                rest.remove_prefix(count);
                return count;
              },
          .size = bytes.size()};
}

RandomBytes open_random_bytes(const std::string& path) {
  const std::string failure = "cannot read " + printable(path);
  auto file = std::make_shared<File>(real_file_system(), path, FileSystem::Use::read, failure);
  const std::uint64_t size = file->size();
  return {.name = path, .size = size, .read = [file, failure](std::uint64_t offset, char* to, std::size_t count) {
            while (count > 0) {
              const ssize_t got = pread(file->descriptor(), to, count, static_cast<off_t>(offset));
              if (got < 0 && errno == EINTR) continue;
              if (got < 0) checked_call(-errno, failure);
              if (got == 0) throw IoError(failure + ": it became shorter while it was read");
              offset += static_cast<std::uint64_t>(got);
              to += got;
              count -= static_cast<std::size_t>(got);
            }
          }};
}

RandomBytes random_bytes_in_memory(std::string name, std::string_view bytes) {
  return {.name = std::move(name),
          .size = bytes.size(),
          .read = [bytes](std::uint64_t offset, char* to, std::size_t count) {
            PERPEND_CHECK(offset <= bytes.size() && count <= bytes.size() - offset);
            bytes.copy(to, count, offset);
          }};
}

}  // namespace perpend
