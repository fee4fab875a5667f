#include "perpend/base/system.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "perpend/base/durable_file.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/xattr.h>
#endif
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace perpend {

int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
#endif
  // Not every system and file system can make a file without a name in one step. If the process is killed before it
  // unlinks the name, the file is a leftover that base/durable_file.h removes.
  for (;;) {
    const std::string name = (std::filesystem::path(folder) / temporary_name()).string();
    const int named = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (named >= 0) ::unlink(name.c_str());
    if (named >= 0 || errno != EEXIST) return named;
  }
}

int sync_data(int file) {
#ifdef __APPLE__
  // On this system fsync leaves the bytes in the drive's own memory. Not every file system has the stronger call.
  if (::fcntl(file, F_FULLFSYNC) == 0) return 0;
  return ::fsync(file);
#else
  return ::fdatasync(file);
#endif
}

int rename_if_new(const std::string& from, const std::string& to) {
#if defined(RENAME_NOREPLACE)
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
#elif defined(__APPLE__)
  if (::renamex_np(from.c_str(), to.c_str(), RENAME_EXCL) == 0) return 0;
  if (errno != EINVAL && errno != ENOTSUP) return -1;
#endif
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(to, error))) {
    errno = EEXIST;
    return -1;
  }
  return ::rename(from.c_str(), to.c_str());
}

int open_pipe(std::array<int, 2>& ends) {
#ifdef __APPLE__
  // A program that another thread starts between the two calls inherits the ends.
  if (::pipe(ends.data()) != 0) return -1;
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return 0;
#else
  return ::pipe2(ends.data(), O_CLOEXEC);
#endif
}

void end_with_parent() {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

std::string own_program() {
#ifdef __APPLE__
  std::uint32_t size = 0;
  ::_NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (::_NSGetExecutablePath(path.data(), &size) != 0) return "";
  return path.c_str();
#else
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
#endif
}

#ifdef __linux__

namespace {

constexpr const char* kAccessList = "system.posix_acl_access";
constexpr std::size_t kLargestAccessList = 65536;  // the limit of the kernel

}  // namespace

AccessList::AccessList(const std::string& path) : bytes_(kLargestAccessList, '\0') {
  const ssize_t size = ::lgetxattr(path.c_str(), kAccessList, bytes_.data(), bytes_.size());
  there_ = size > 0 || (size < 0 && errno != ENODATA && errno != ENOTSUP);
  bytes_.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
}

bool AccessList::copy_to(int file) const {
  return !bytes_.empty() && ::fsetxattr(file, kAccessList, bytes_.data(), bytes_.size(), 0) == 0;
}

void AccessList::remove_from(int file) { ::fremovexattr(file, kAccessList); }

#else

AccessList::AccessList(const std::string& /*path*/) {}
bool AccessList::copy_to(int /*file*/) const { return false; }
void AccessList::remove_from(int /*file*/) {}

#endif

}  // namespace perpend
