// Whole files, written so that a crash, a full disk or kill -9 leaves the old file or the new one, never half of
// either.
//
// For results that are made in one piece: models, reports, tables, pictures. Not for logs that grow, which are appended
// to and synced record by record.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "perpend/base/file_system.h"

namespace perpend {

// Writes a temporary file beside `path`, syncs it, renames it to `path` and syncs the folder; when this returns, the
// bytes are on the disk. Without `overwrite`, a file that is there already, or appears meanwhile, is left alone. Throws
// IoError naming the path and the reason; what was at `path` is then as it was (or, if only the last sync of the folder
// failed, the whole new file) and the temporary file is gone.
//
// Who could not read the old file cannot read the new one, at no moment: it gets the old one's permissions, and its
// owner and group where that is allowed. A symbolic link at `path` is replaced by the file, and what it points to is
// left alone.
//
// A process that is killed leaves its temporary file. It holds a lock on it while it lives, so the next process that
// writes into the folder can tell, and removes it. Where the file system has no locks, such files stay.
void write_file_durably(const std::filesystem::path& path, std::string_view bytes, bool overwrite = true,
                        FileSystem& files = real_file_system());

// Removes what dead processes left in the folder, once in the life of this one: for a folder into which nothing may be
// written this time. A folder that is not there has nothing.
void remove_leftovers(const std::filesystem::path& folder, FileSystem& files = real_file_system());

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
