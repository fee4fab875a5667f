#include "perpend/base/durable_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

namespace fs = std::filesystem;

// A name nobody uses: the dead of an earlier process with our id may have left theirs. Short, so that it fits wherever
// the file's own name does.
fs::path unused_name(const fs::path& folder, FileSystem& files) {
  static std::atomic<unsigned> count{0};
  for (;;) {
    fs::path name = folder / (".perpend-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".tmp");
    if (files.exists(name.string()) != 0) return name;
  }
}

// Removes on the way out what was not renamed.
class TemporaryName {
 public:
  TemporaryName(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  ~TemporaryName() {
    if (!renamed_) files_.remove(path_);
  }

  int rename(const std::string& to, bool overwrite) {
    const int result = files_.rename(path_, to, overwrite);
    renamed_ = result == 0;
    return result;
  }

 private:
  FileSystem& files_;
  std::string path_;
  bool renamed_ = false;
};

void refuse_existing(int result, const std::string& path) {
  if (result == -EEXIST)
    throw IoError("will not overwrite " + printable(path) + ": choose another name, or allow it with --force");
}

}  // namespace

void write_file_durably(const fs::path& path, std::string_view bytes, bool overwrite, FileSystem& files) {
  const std::string target = path.string();
  const std::string failure = "cannot write " + printable(target);
  if (!path.has_filename()) checked_call(-EISDIR, failure);
  if (!overwrite && files.exists(target) == 0) refuse_existing(-EEXIST, target);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");

  const std::string temporary = unused_name(folder, files).string();
  File file(files, temporary, FileSystem::Use::create, failure);
  TemporaryName name(files, temporary);
  file.write(bytes);
  file.sync();
  file.close();
  const int renamed = name.rename(target, overwrite);
  refuse_existing(renamed, target);
  checked_call(renamed, failure);
  File(files, folder.string(), FileSystem::Use::folder, failure).sync();
}

}  // namespace perpend
