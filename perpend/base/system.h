// What Linux offers and other POSIX systems do not, or do in another way: all such calls of perpend are in system.cpp,
// each beside what stands in for it elsewhere. docs/portability.md lists them.
//
// Functions that return an int answer as POSIX does: -1 with errno set where they fail.
#pragma once

#include <array>
#include <string>

namespace perpend {

// Opens a file of that folder for reading and writing that has no name, so nothing of it is left behind.
int open_nameless(const std::string& folder);

// What an open file holds survives a loss of power from here on.
int sync_data(int file);

// Renames a file, or fails with EEXIST. Where neither the system nor the file system can do it in one step, a file that
// appears in between is lost.
int rename_if_new(const std::string& from, const std::string& to);

// A pipe whose ends no other program inherits: what is written to [1] can be read from [0].
int open_pipe(std::array<int, 2>& ends);

// In a child process: it is to be killed when its parent ends. Only Linux can promise that. Elsewhere a child that
// writes to a pipe of its parent ends with the next bytes that it writes.
void end_with_parent();

// The path of the program that runs; empty where it cannot be told.
std::string own_program();

// The POSIX access control list of a file. A file that has one shows its mask where others show the group's
// permissions, so the mode alone does not tell what the group may do. Only Linux keeps such lists where we can read
// them; elsewhere there is none.
class AccessList {
 public:
  explicit AccessList(const std::string& path);
  bool there() const { return there_; }  // or cannot be asked for
  bool copy_to(int file) const;
  static void remove_from(int file);

 private:
  std::string bytes_;
  bool there_ = false;
};

}  // namespace perpend
