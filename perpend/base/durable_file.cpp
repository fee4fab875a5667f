#include "perpend/base/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "perpend/base/error.h"

namespace perpend {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int reason) {
  throw IoError("cannot write " + path.string() + ": " + std::generic_category().message(reason));
}

// Closes on every way out; unlinks what was not renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& beside) : target_(beside) {
    static std::atomic<unsigned> count{0};
    path_ = beside;
    path_.replace_filename("." + beside.filename().string() + "." + std::to_string(::getpid()) + "." +
                           std::to_string(count++) + ".tmp");
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(target_, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(path_.c_str());
  }

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) fail(target_, errno);
      if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void rename() {
    if (::fsync(descriptor_) != 0) fail(target_, errno);
    // Some file systems report a failed write only here.
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(target_, errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, errno);
    renamed_ = true;
  }

 private:
  fs::path target_, path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

void sync_folder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail(file, errno);
  const int reason = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (reason != 0) fail(file, reason);
}

}  // namespace

void write_file_durably(const fs::path& path, std::string_view bytes) {
  if (!path.has_filename()) fail(path, EISDIR);
  TemporaryFile file(path);
  file.write(bytes);
  file.rename();
  sync_folder(path);
}

}  // namespace perpend
