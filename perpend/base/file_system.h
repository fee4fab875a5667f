// The interface to the file system: perpend writes all files and reads all models through it.
//
// The real implementation calls POSIX. Tests replace it by one that fails the n-th call, shortens writes, or stops at
// any call to look at what a crash would have left on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

// Each function does what its POSIX namesake does, if it has one. It returns a failure as -errno.
class FileSystem {
 public:
  enum class Use {
    create,          // a new file to write; EEXIST if it exists
    create_private,  // the same, and nobody else may read it
    // A regular file or a folder. Anything else is ENODEV at once, so a pipe without a writer keeps nobody waiting.
    read,
    read_once,  // a pipe or a terminal too
    leftover,   // a file to claim(); a link is not followed
    folder      // a folder to sync
  };

  virtual ~FileSystem() = default;
  virtual int open(const std::string& path, Use use) = 0;                   // a descriptor
  virtual std::int64_t size(int file) = 0;                                  // the size of a regular file
  virtual std::int64_t read(int file, char* bytes, std::size_t count) = 0;  // 0 at the end
  virtual std::int64_t write(int file, std::string_view bytes) = 0;         // may write less than asked
  virtual int sync(int file) = 0;                                           // syncs a file or a folder
  virtual int close(int file) = 0;                                          // the descriptor is gone even if it fails
  virtual int rename(const std::string& from, const std::string& to, bool overwrite) = 0;  // without overwrite: EEXIST
  virtual int remove(const std::string& path) = 0;
  virtual int make_folder(const std::string& path) = 0;                              // 0 also if it exists
  virtual int list(const std::string& folder, std::vector<std::string>& names) = 0;  // appends names in any order
  virtual int exists(const std::string& path) = 0;                                   // 0, or -ENOENT and the like
  // Locks the open file for this process alone, until it is closed or the process is dead. The result is EWOULDBLOCK if
  // another process has locked it, and ENOENT if it is no longer the file at `path`.
  virtual int claim(int file, const std::string& path) = 0;
  // Gives the open file the permissions of the regular file at `path`, its access control list, and its owner and group
  // where the system allows it. If the group cannot be kept, the group gets no more rights than everybody has. If the
  // list cannot be kept, only the owner has access. If no regular file is at `path` (a link does not count), nothing
  // changes and the result is 0.
  virtual int copy_permissions(const std::string& path, int file) = 0;
  virtual bool is_link(const std::string& path) = 0;
  virtual bool first_visit(const std::string& folder) = 0;  // true the first time this process asks
  // 0 if a file may take the place of what is at `path`; EISDIR for a folder, ENODEV for a device, pipe or socket.
  virtual int replaceable(const std::string& path) = 0;
};

FileSystem& real_file_system();

// Whether an open file is a device that may never end, such as /dev/zero. A terminal does not count, because its user
// ends it; /dev/null does not count, because it is empty.
bool is_endless(int file);

// An open file. Its destructor closes it.
class File {
 public:
  // Every failure throws IoError "FAILURE: reason"; `failure` is for example "cannot read m.safetensors".
  File(FileSystem& files, const std::string& path, FileSystem::Use use, std::string failure);
  File(FileSystem& files, int descriptor, std::string failure);  // descriptor: of an open file, or -errno
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  std::size_t size();
  // The next `count` bytes, or as many as are left.
  std::string read(std::size_t count);
  void write(std::string_view bytes);  // all of them
  void sync();
  void close();
  int descriptor() const { return descriptor_; }

 private:
  std::int64_t check(std::int64_t result) const;

  FileSystem& files_;
  std::string failure_;
  int descriptor_ = -1;
};

// Throws IoError "FAILURE: reason" for -errno, and returns any other result. The reason of ENODEV is "it is a device
// ...".
std::int64_t checked_call(std::int64_t result, const std::string& failure);

}  // namespace perpend
