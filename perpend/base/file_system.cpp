#include "perpend/base/file_system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/system.h"

namespace perpend {

namespace {

// Linux moves at most 2 GiB in one call.
constexpr std::size_t kLargestTransfer = std::size_t{1} << 30;

template <class Call>
auto retried(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result < 0 ? static_cast<decltype(result)>(-errno) : result;
}

bool is_no_file(int file) {
  struct stat status {};
  return ::fstat(file, &status) != 0 || (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

// Returns the open file, or closes it and returns ENODEV if it is of an unwanted kind.
int unless(bool (*unwanted)(int), int file) {
  if (file < 0) return file == -ENXIO ? -ENODEV : file;  // ENXIO: a socket
  if (!unwanted(file)) return file;
  ::close(file);
  return -ENODEV;
}

// The owner of the file may read and write it, and nobody else may do anything.
int keep_private(int file) {
  AccessList::remove_from(file);
  return ::fchmod(file, S_IRUSR | S_IWUSR) == 0 ? 0 : -errno;
}

class RealFileSystem final : public FileSystem {
 public:
  int open(const std::string& path, Use use) override {
    const mode_t mode = use == Use::create_private ? 0600 : 0666;
    const auto open_with = [&](int flags) {
      return retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
    };
    constexpr int kNoSurprises = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    switch (use) {
      case Use::create:
      case Use::create_private:
        return open_with(O_WRONLY | O_CREAT | O_EXCL);
      case Use::read:
        return unless(is_no_file, open_with(O_RDONLY | O_NONBLOCK));
      case Use::read_once:
        return unless(is_endless, open_with(O_RDONLY));
      case Use::folder:
        return open_with(O_RDONLY | O_DIRECTORY);
      case Use::leftover:
        break;
    }
    const int file = open_with(O_RDWR | kNoSurprises);  // NFS locks only files that are open for writing
    return file == -EACCES ? open_with(O_RDONLY | kNoSurprises) : file;
  }

  std::int64_t size(int file) override {
    struct stat status {};
    if (::fstat(file, &status) != 0) return -errno;
    if (S_ISDIR(status.st_mode)) return -EISDIR;
    return S_ISREG(status.st_mode) ? static_cast<std::int64_t>(status.st_size) : -ESPIPE;
  }

  std::int64_t read(int file, char* bytes, std::size_t count) override {
    return retried([&] { return ::read(file, bytes, std::min(count, kLargestTransfer)); });
  }

  std::int64_t write(int file, std::string_view bytes) override {
    return retried([&] { return ::write(file, bytes.data(), std::min(bytes.size(), kLargestTransfer)); });
  }

  int sync(int file) override {
    return retried([&] { return sync_data(file); });
  }

  int close(int file) override { return ::close(file) == 0 || errno == EINTR ? 0 : -errno; }

  int rename(const std::string& from, const std::string& to, bool overwrite) override {
    const int result = overwrite ? ::rename(from.c_str(), to.c_str()) : rename_if_new(from, to);
    return result == 0 ? 0 : -errno;
  }

  int remove(const std::string& path) override { return ::unlink(path.c_str()) == 0 ? 0 : -errno; }

  int make_folder(const std::string& path) override {
    if (::mkdir(path.c_str(), 0777) == 0) return 0;
    if (errno != EEXIST) return -errno;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return -errno;
    return S_ISDIR(status.st_mode) ? 0 : -ENOTDIR;
  }

  int list(const std::string& folder, std::vector<std::string>& names) override {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      names.push_back(entry->path().filename().string());
    }
    return -error.value();
  }

  int exists(const std::string& path) override {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? 0 : -errno;
  }

  int claim(int file, const std::string& path) override {
    const int locked = retried([&] { return ::flock(file, LOCK_EX | LOCK_NB); });
    if (locked < 0) return locked;
    struct stat opened {
    }, named{};
    if (::fstat(file, &opened) != 0 || ::lstat(path.c_str(), &named) != 0) return -errno;
    if (!S_ISREG(opened.st_mode)) return -EINVAL;
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev ? 0 : -ENOENT;
  }

  int copy_permissions(const std::string& path, int file) override {
    struct stat old {
    }, now{};
    if (::lstat(path.c_str(), &old) != 0) return errno == ENOENT ? 0 : -errno;
    if (!S_ISREG(old.st_mode)) return 0;
    // Only root may change the owner. Others may choose one of their own groups. fstat tells what worked.
    constexpr auto kUnchanged = static_cast<uid_t>(-1);
    if (::fchown(file, old.st_uid, old.st_gid) != 0 && ::fchown(file, kUnchanged, old.st_gid) != 0) now = {};
    if (::fstat(file, &now) != 0) return -errno;
    const bool group_kept = now.st_gid == old.st_gid;
    const AccessList list(path);
    if (list.there()) return group_kept && list.copy_to(file) ? 0 : keep_private(file);
    AccessList::remove_from(file);  // the folder may have given it one
    const mode_t everybody = old.st_mode & S_IRWXO;
    const mode_t group = group_kept ? S_IRWXG : everybody << 3;
    return ::fchmod(file, old.st_mode & (S_IRWXU | group | S_IRWXO)) == 0 ? 0 : -errno;
  }

  bool is_link(const std::string& path) override {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
  }

  bool first_visit(const std::string& folder) override {
    const std::scoped_lock lock(mutex_);
    return visited_.insert(folder).second;
  }

  int replaceable(const std::string& path) override {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT ? 0 : -errno;
    if (S_ISDIR(status.st_mode)) return -EISDIR;
    return S_ISREG(status.st_mode) || S_ISLNK(status.st_mode) ? 0 : -ENODEV;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> visited_;
};

}  // namespace

bool is_endless(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0 || (!S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode))) return false;
  struct stat null_device {};
  const bool is_null = ::stat("/dev/null", &null_device) == 0 && null_device.st_rdev == status.st_rdev;
  return !is_null && ::isatty(file) == 0;
}

FileSystem& real_file_system() {
  static RealFileSystem files;
  return files;
}

std::int64_t checked_call(std::int64_t result, const std::string& failure) {
  if (result == -ENODEV) throw IoError(failure + ": it is a device, a pipe or a socket, not a file");
  if (result < 0) throw IoError(failure + ": " + std::generic_category().message(static_cast<int>(-result)));
  return result;
}

File::File(FileSystem& files, const std::string& path, FileSystem::Use use, std::string failure)
    : File(files, files.open(path, use), std::move(failure)) {}

File::File(FileSystem& files, int descriptor, std::string failure) : files_(files), failure_(std::move(failure)) {
  descriptor_ = static_cast<int>(check(descriptor));
}

File::~File() {
  if (descriptor_ >= 0) files_.close(descriptor_);
}

std::int64_t File::check(std::int64_t result) const { return checked_call(result, failure_); }

std::size_t File::size() { return static_cast<std::size_t>(check(files_.size(descriptor_))); }

std::string File::read(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (filled < count) {
    const auto got = static_cast<std::size_t>(check(files_.read(descriptor_, bytes.data() + filled, count - filled)));
    if (got == 0) break;
    filled += got;
  }
  bytes.resize(filled);
  return bytes;
}

void File::write(std::string_view bytes) {
  while (!bytes.empty()) bytes.remove_prefix(static_cast<std::size_t>(check(files_.write(descriptor_, bytes))));
}

void File::sync() { check(files_.sync(descriptor_)); }

void File::close() { check(files_.close(std::exchange(descriptor_, -1))); }

}  // namespace perpend
