#include "perpend/base/durable_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".perpend-";
constexpr std::string_view kSuffix = ".tmp";

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

struct Temporary {
  std::string path;
  int descriptor;  // or -errno
};

// A new file under a name nobody uses: the dead of an earlier process with our id may have left theirs. The name is
// short, so that it fits wherever the file's own name does.
Temporary create_temporary(const fs::path& folder, FileSystem::Use use, FileSystem& files) {
  static std::atomic<unsigned> count{0};
  for (;;) {
    const std::string name = std::to_string(::getpid()) + "-" + std::to_string(count++);
    const std::string path = (folder / (std::string(kPrefix) + name + std::string(kSuffix))).string();
    const int file = files.open(path, use);
    if (file == -EEXIST) continue;
    if (file < 0) return {path, file};
    const int claimed = files.claim(file, path);
    if (claimed != -EWOULDBLOCK && claimed != -ENOENT) return {path, file};
    files.close(file);  // somebody took it for a leftover before it was locked, and removes it
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

// rename() refuses a folder too, but only after the work is done; and it would put a file in the place of /dev/null.
void refuse_irreplaceable(int result, const std::string& path) {
  const std::string failure = "cannot write " + printable(path);
  if (result == -ENODEV) throw IoError(failure + ": it is no file but a device or pipe; send results there with >");
  checked_call(result, failure);
}

void refuse_existing(int result, const std::string& path) {
  if (result == -EEXIST)
    throw IoError("will not overwrite " + printable(path) + ": choose another name, or allow it with --force");
}

}  // namespace

// A lock tells the leftovers of the dead from the files of the living, on other machines too.
void remove_leftovers(const fs::path& folder, FileSystem& files) {
  if (!files.first_visit(folder.string())) return;
  std::vector<std::string> names;
  files.list(folder.string(), names);
  for (const auto& name : names) {
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    const std::string path = (folder / name).string();
    const int file = files.open(path, FileSystem::Use::leftover);
    if (file < 0) continue;
    if (files.claim(file, path) == 0) files.remove(path);
    files.close(file);
  }
}

struct DurableFile::State {
  State(const fs::path& path, bool may_overwrite, FileSystem::Use use, FileSystem& at)
      : files(at),
        target(path.string()),
        failure("cannot write " + printable(target)),
        overwrite(may_overwrite),
        folder(folder_of(path)),
        temporary(create_temporary(folder, use, files)),
        file(files, temporary.descriptor, failure),
        name(files, temporary.path) {}
  FileSystem& files;
  std::string target, failure;
  bool overwrite;
  fs::path folder;
  Temporary temporary;
  File file;  // open, and so locked, until it has its name
  TemporaryName name;
};

DurableFile::DurableFile(const fs::path& path, bool overwrite, FileSystem& files) {
  if (!path.has_filename()) checked_call(-EISDIR, "cannot write " + printable(path.string()));
  refuse_irreplaceable(files.replaceable(path.string()), path.string());
  const bool is_there = files.exists(path.string()) == 0;
  if (!overwrite && is_there) refuse_existing(-EEXIST, path.string());
  const fs::path folder = folder_of(path);
  remove_leftovers(folder, files);
  const auto use = is_there ? FileSystem::Use::create_private : FileSystem::Use::create;
  state_ = std::make_unique<State>(path, overwrite, use, files);
}
DurableFile::~DurableFile() = default;

void DurableFile::write(std::string_view bytes) { state_->file.write(bytes); }

void DurableFile::commit() {
  // Some file systems have no permissions; then what it was made with must do, which is no more than the old file's.
  state_->files.copy_permissions(state_->target, state_->file.descriptor());
  state_->file.sync();
  const int renamed = state_->name.rename(state_->target, state_->overwrite);
  refuse_existing(renamed, state_->target);
  checked_call(renamed, state_->failure);
  File(state_->files, state_->folder.string(), FileSystem::Use::folder, state_->failure).sync();
}

void write_file_durably(const fs::path& path, std::string_view bytes, bool overwrite, FileSystem& files) {
  DurableFile file(path, overwrite, files);
  file.write(bytes);
  file.commit();
}

}  // namespace perpend
