// System calls that other POSIX systems lack, or that work in another way there than on Linux. All such calls of
// perpend are in system.cpp, each beside its replacement for other systems. docs/portability.md lists them.
//
// Functions that return an int report a failure as POSIX does: they return -1 and set errno.
#pragma once

#include <array>
#include <string>

namespace perpend {

// Opens a file in the folder for reading and writing. The file has no name, so nothing of it is left behind.
int open_nameless(const std::string& folder);

// After this call the bytes of an open file survive a loss of power.
int sync_data(int file);

// Renames a file, or fails with EEXIST. If neither the system nor the file system can do it in one step, a file that
// appears at `to` in between is lost.
int rename_if_new(const std::string& from, const std::string& to);

// A pipe whose ends no other program inherits: what is written to [1] can be read from [0].
int open_pipe(std::array<int, 2>& ends);

// Call it in a child process. The system then kills the child when its parent ends. Only Linux can promise that.
// Elsewhere a child that writes to a pipe of its parent ends with the next bytes that it writes.
void end_with_parent();

// The path of the running program; empty if it is unknown.
std::string own_program();

// The POSIX access control list of a file. The mode of a file with a list shows the list's mask in place of the group's
// permissions, so the mode alone does not tell what the group may do. Only on Linux can perpend read such lists.
// Elsewhere no file has one here.
class AccessList {
 public:
  explicit AccessList(const std::string& path);
  bool there() const { return there_; }  // true also if the list cannot be read
  bool copy_to(int file) const;
  static void remove_from(int file);

 private:
  std::string bytes_;
  bool there_ = false;
};

}  // namespace perpend
