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

// Whether temporary_name() could have given this name.
bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix) || name.size() < kPrefix.size() + kSuffix.size()) {
    return false;
  }
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  const std::size_t dash = name.find('-');
  return dash != name.npos && digits(name.substr(0, dash)) && digits(name.substr(dash + 1));
}

// The names of the temporary files that exist now. A signal handler removes them, so this class neither allocates nor
// locks. A name for which there is no room is left out. The next process then removes its file as a leftover.
class TemporariesNow {
 public:
  void add(const std::string& path) {
    if (path.size() >= sizeof(Slot::path)) return;
    for (Slot& slot : slots_) {
      State expected = State::free;
      if (!slot.state.compare_exchange_strong(expected, State::changing)) continue;
      path.copy(slot.path, path.size());
      slot.path[path.size()] = '\0';
      slot.state = State::there;
      return;
    }
  }
  void take_out(const std::string& path) {
    for (Slot& slot : slots_) {
      if (slot.state == State::there && path == slot.path) slot.state = State::free;
    }
  }
  void remove_all() noexcept {
    for (const Slot& slot : slots_) {
      if (slot.state == State::there) ::unlink(slot.path);
    }
  }

 private:
  enum class State { free, changing, there };
  struct Slot {
    std::atomic<State> state{State::free};
    char path[4096] = {};
  };
  static_assert(std::atomic<State>::is_always_lock_free);
  Slot slots_[16];
};
constinit TemporariesNow temporaries_now{};

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

struct Temporary {
  std::string path;
  int descriptor;  // or -errno
};

// Creates a file under an unused name. An earlier process with the same id may have left a file of the first name.
Temporary create_temporary(const fs::path& folder, FileSystem::Use use, FileSystem& files) {
  for (;;) {
    const std::string path = (folder / temporary_name()).string();
    const int file = files.open(path, use);
    if (file == -EEXIST) continue;
    if (file < 0) return {path, file};
    const int claimed = files.claim(file, path);
    if (claimed != -EWOULDBLOCK && claimed != -ENOENT) return {path, file};
    files.close(file);  // another process took it for a leftover before it was locked, and removes it
  }
}

// Removes the temporary file at the end, unless it was renamed.
class TemporaryName {
 public:
  TemporaryName(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {
    temporaries_now.add(path_);
  }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  ~TemporaryName() {
    if (!renamed_) files_.remove(path_);
    temporaries_now.take_out(path_);
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

// rename() refuses a folder too, but only after the work is done. And it would replace /dev/null by a file.
void refuse_irreplaceable(int result, const std::string& path) {
  const std::string failure = "cannot write " + printable(path);
  if (result == -ENODEV) throw IoError(failure + ": it is a device or a pipe, not a file; send results there with >");
  checked_call(result, failure);
}

void refuse_existing(int result, const std::string& path) {
  if (result == -EEXIST)
    throw IoError("will not overwrite " + printable(path) + ": choose another name, or allow it with " +
                  option_mention("force"));
}

}  // namespace

// A living process holds a lock on its temporary file, so a file without a lock is a leftover. This holds for processes
// on other machines, too.
void remove_leftovers(const fs::path& folder, FileSystem& files) {
  if (!files.first_visit(folder.string())) return;
  std::vector<std::string> names;
  files.list(folder.string(), names);
  for (const auto& name : names) {
    if (!is_temporary_name(name)) continue;
    const std::string path = (folder / name).string();
    const int file = files.open(path, FileSystem::Use::leftover);
    if (file < 0) continue;
    if (files.claim(file, path) == 0) files.remove(path);
    files.close(file);
  }
}

std::string temporary_name() {
  static std::atomic<unsigned> count{0};
  return std::string(kPrefix) + std::to_string(::getpid()) + "-" + std::to_string(count++) + std::string(kSuffix);
}

void remove_temporaries_at_once() noexcept { temporaries_now.remove_all(); }

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
  const bool is_file = is_there && !files.is_link(path.string());
  const auto use = is_file ? FileSystem::Use::create_private : FileSystem::Use::create;
  state_ = std::make_unique<State>(path, overwrite, use, files);
}
DurableFile::~DurableFile() = default;

void DurableFile::write(std::string_view bytes) { state_->file.write(bytes); }

void DurableFile::commit() {
  // Some file systems have no permissions. The file then keeps those it was created with, and these allow no more than
  // the old file's do.
  state_->files.copy_permissions(state_->target, state_->file.descriptor());
  state_->file.sync();
  const int renamed = state_->name.rename(state_->target, state_->overwrite);
  refuse_existing(renamed, state_->target);
  checked_call(renamed, state_->failure);
  File(state_->files, state_->folder.string(), FileSystem::Use::folder, state_->failure).sync();
}

void check_writable(const fs::path& path, bool overwrite, FileSystem& files) {
  const DurableFile attempt(path, overwrite, files);
}

void write_file_durably(const fs::path& path, std::string_view bytes, bool overwrite, FileSystem& files) {
  DurableFile file(path, overwrite, files);
  file.write(bytes);
  file.commit();
}

}  // namespace perpend
