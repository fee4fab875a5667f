#include "perpend/icu/spill.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/system.h"

namespace perpend {

SpillFile::SpillFile(SpillFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      buffer_(std::move(other.buffer_)),
      file_(std::exchange(other.file_, -1)),
      reading_(other.reading_) {}

SpillFile::~SpillFile() {
  if (file_ >= 0) ::close(file_);
}

void SpillFile::write(std::string_view bytes) {
  PERPEND_CHECK(!reading_);
  if (buffer_.size() + bytes.size() > kSpillBuffer) flush();
  buffer_.append(bytes);
}

std::string_view SpillFile::read() {
  if (file_ < 0) {  // all bytes fit in the buffer
    return std::exchange(reading_, true) ? std::string_view() : std::string_view(buffer_);
  }
  if (!std::exchange(reading_, true)) {
    flush();
    if (::lseek(file_, 0, SEEK_SET) < 0) fail("read");
  }
  buffer_.resize(kSpillBuffer);
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < buffer_.size();) {
    got = ::read(file_, buffer_.data() + size, buffer_.size() - size);
    if (got < 0 && errno != EINTR) fail("read");
    size += got > 0 ? static_cast<std::size_t>(got) : 0;
    if (got < 0) got = 1;
  }
  buffer_.resize(size);
  return buffer_;
}

void SpillFile::flush() {
  if (file_ < 0 && (file_ = open_nameless(folder_.string())) < 0) fail("made");
  for (std::string_view rest = buffer_; !rest.empty();) {
    const ssize_t put = ::write(file_, rest.data(), rest.size());
    if (put < 0 && errno != EINTR) fail("written");
    if (put > 0) rest.remove_prefix(static_cast<std::size_t>(put));
  }
  buffer_.clear();
}

void SpillFile::fail(const char* what) const {
  throw IoError(
      fmt::format("a temporary file in {} cannot be {}: {}", printable(folder_.string()), what, std::strerror(errno)));
}

}  // namespace perpend
