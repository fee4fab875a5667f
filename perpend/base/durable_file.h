// Whole files, written so that a crash, a full disk or kill -9 leaves the old file or the new one, never half of
// either.
//
// For results that are made in one piece: models, reports, tables, pictures. Not for logs that grow, which are appended
// to and synced record by record.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "perpend/base/file_system.h"

namespace perpend {

// Writes a temporary file beside `path`, syncs it, renames it to `path` and syncs the folder; when this returns, the
// bytes are on the disk. Without `overwrite`, a file that is there already, or appears meanwhile, is left alone. Throws
// IoError naming the path and the reason; what was at `path` is then as it was (or, if only the last sync of the folder
// failed, the whole new file) and the temporary file is gone.
//
// Who could not read the old file cannot read the new one, at no moment: it gets the old one's permissions and access
// control list, and its owner and group where that is allowed. A symbolic link at `path` is replaced by the file; what
// it points to is left alone and gives it nothing, so it has the permissions of any new file.
//
// A process that is killed leaves its temporary file. It holds a lock on it while it lives, so the next process that
// writes into the folder can tell, and removes it. Where the file system has no locks, such files stay. No file is
// removed whose name is not exactly such as temporary_name() gives.
void write_file_durably(const std::filesystem::path& path, std::string_view bytes, bool overwrite = true,
                        FileSystem& files = real_file_system());

// Removes what dead processes left in the folder, once in the life of this one: for a folder into which nothing may be
// written this time. A folder that is not there has nothing.
void remove_leftovers(const std::filesystem::path& folder, FileSystem& files = real_file_system());

// Throws now what write_file_durably would throw after the work: the folder is missing or may not be written, the path
// is a folder's, or a file is there that may not be overwritten. Leaves nothing.
void check_writable(const std::filesystem::path& path, bool overwrite = true, FileSystem& files = real_file_system());

// A new name for a temporary file, .perpend-PROCESS-COUNT.tmp. It is short, so that it fits wherever the name of the
// file fits that it becomes. A file by this name that nobody has locked is a leftover.
std::string temporary_name();

// For a signal handler that ends the process without a way out for anything else: removes the temporary files of this
// process. Nothing is allocated and nothing is locked.
void remove_temporaries_at_once() noexcept;

// write_file_durably for a file that is written piece by piece: nothing is at `path` before commit(). Destroyed without
// it, the file never was.
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
