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

struct DurableFile::State {
  State(const fs::path& path, bool may_overwrite, FileSystem& at)
      : files(at),
        target(path.string()),
        failure("cannot write " + printable(target)),
        overwrite(may_overwrite),
        folder(path.has_parent_path() ? path.parent_path() : fs::path(".")),
        temporary(unused_name(folder, files).string()),
        file(files, temporary, FileSystem::Use::create, failure),
        name(files, temporary) {}
  FileSystem& files;
  std::string target, failure;
  bool overwrite;
  fs::path folder;
  std::string temporary;
  File file;
  TemporaryName name;
};

DurableFile::DurableFile(const fs::path& path, bool overwrite, FileSystem& files) {
  if (!path.has_filename()) checked_call(-EISDIR, "cannot write " + printable(path.string()));
  refuse_irreplaceable(files.replaceable(path.string()), path.string());
  if (!overwrite && files.exists(path.string()) == 0) refuse_existing(-EEXIST, path.string());
  state_ = std::make_unique<State>(path, overwrite, files);
}
DurableFile::~DurableFile() = default;

void DurableFile::write(std::string_view bytes) { state_->file.write(bytes); }

void DurableFile::commit() {
  state_->file.sync();
  state_->file.close();
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
