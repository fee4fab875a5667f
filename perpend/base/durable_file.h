// Whole files, written so that a crash, a full disk or kill -9 leaves the old file or the new one, never half of
// either.
//
// They are for results that are made in one piece: models, reports, tables, pictures. Logs that grow are appended to
// and synced record by record instead.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "perpend/base/file_system.h"

namespace perpend {

// Writes a temporary file beside `path`, syncs it, renames it to `path` and syncs the folder. When this returns, the
// bytes are on the disk. Without `overwrite`, a file that is there already, or appears meanwhile, is left alone.
//
// A failure is an IoError that names the path and the reason. The temporary file is then gone, and the old file is
// unchanged. If only the last sync of the folder failed, the whole new file is at `path`.
//
// A user who could not read the old file can never read the new one: the new file gets the old one's permissions and
// access control list, and its owner and group where the system allows it. A symbolic link at `path` is replaced by the
// file. The file that the link points to is left alone, and the new file gets the permissions of any new file.
//
// A process that is killed leaves its temporary file behind. A living process holds a lock on its temporary file, so
// the next process that writes into the folder can tell the two apart, and removes the leftover. Where the file system
// has no locks, leftovers stay. Only files with names that temporary_name() could have made are ever removed.
void write_file_durably(const std::filesystem::path& path, std::string_view bytes, bool overwrite = true,
                        FileSystem& files = real_file_system());

// Removes the temporary files of dead processes from the folder. Use it where this run may not write into the folder
// itself. Only the first call for a folder in the life of this process does any work. A folder that does not exist is
// fine.
void remove_leftovers(const std::filesystem::path& folder, FileSystem& files = real_file_system());

// Throws now what write_file_durably would throw after hours of work: the folder is missing or not writable, the path
// is a folder, or a file is there that may not be overwritten. It leaves nothing on the disk.
void check_writable(const std::filesystem::path& path, bool overwrite = true, FileSystem& files = real_file_system());

// A new name for a temporary file, .perpend-PROCESS-COUNT.tmp. It is short, so that it is allowed wherever the final
// file name is. A file of such a name that nobody has locked is a leftover.
std::string temporary_name();

// Removes the temporary files of this process. It is for a signal handler that ends the process at once, so it neither
// allocates nor locks.
void remove_temporaries_at_once() noexcept;

// write_file_durably for a file that is written piece by piece. Nothing is at `path` before commit(). If the object is
// destroyed without commit(), no trace of the file is left.
class DurableFile {
 public:
  explicit DurableFile(const std::filesystem::path& path, bool overwrite = true,
                       FileSystem& files = real_file_system());
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  void write(std::string_view bytes);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perpend
