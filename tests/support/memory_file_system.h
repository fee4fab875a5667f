// A disk in memory. It fails on request, and it knows what a crash would leave.
//
// As on a real disk, bytes survive a crash only after the sync of their file. A new or renamed name may survive
// earlier, and survives for certain after the sync of the folder.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "perpend/base/file_system.h"

namespace perpend::test {

class MemoryFileSystem final : public FileSystem {
 public:
  static constexpr int kNever = std::numeric_limits<int>::max();
  int fail_at = kNever;   // the call with this number (from 0) fails
  int crash_at = kNever;  // this call and all later ones fail, because the process is dead
  int reason = EIO;
  std::size_t longest_transfer = std::numeric_limits<std::size_t>::max();
  int calls = 0;

  void put(const std::string& path, const std::string& bytes) {
    names_[path] = lasting_names_[path] = std::make_shared<Content>();
    names_[path]->bytes = names_[path]->lasting = bytes;
  }
  // The files that a reader sees now.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> seen;
    for (const auto& [path, content] : names_) seen[path] = content->bytes;
    return seen;
  }
  // The files after a loss of power, if none or all of the unsynced changes of names reached the disk.
  std::map<std::string, std::string> files_after_crash(bool names_lasted) const {
    std::map<std::string, std::string> left;
    for (const auto& [path, content] : names_lasted ? names_ : lasting_names_) left[path] = content->lasting;
    return left;
  }
  // The same for files that only grow. `rest` says which of the bytes behind the last sync are on the disk.
  std::map<std::string, std::string> files_after_crash(
      bool names_lasted, const std::function<std::string(const std::string&)>& rest) const {
    std::map<std::string, std::string> left;
    for (const auto& [path, content] : names_lasted ? names_ : lasting_names_) {
      left[path] = content->lasting + rest(content->bytes.substr(content->lasting.size()));
    }
    return left;
  }
  int mode(const std::string& path) const { return names_.at(path)->mode; }
  std::function<void(const std::string&)> on_claim;  // called before each claim, with the path
  std::size_t open_files() const { return open_.size(); }

  int open(const std::string& path, Use use) override {
    if (fails()) return -reason;
    if (use == Use::create || use == Use::create_private) {
      if (names_.contains(path)) return -EEXIST;
      names_[path] = std::make_shared<Content>();
      names_[path]->mode = use == Use::create ? 0644 : 0600;
    }
    if (use != Use::folder && !names_.contains(path)) return -ENOENT;
    open_[next_] = {use == Use::folder ? nullptr : names_[path], 0};
    return next_++;
  }
  std::int64_t size(int file) override {
    if (fails()) return -reason;
    return static_cast<std::int64_t>(open_.at(file).content->bytes.size());
  }
  std::int64_t read(int file, char* bytes, std::size_t count) override {
    if (fails()) return -reason;
    Open& from = open_.at(file);
    const std::size_t n = std::min({count, from.content->bytes.size() - from.position, longest_transfer});
    std::memcpy(bytes, from.content->bytes.data() + from.position, n);
    from.position += n;
    return static_cast<std::int64_t>(n);
  }
  std::int64_t write(int file, std::string_view bytes) override {
    if (fails()) return -reason;
    bytes = bytes.substr(0, longest_transfer);
    open_.at(file).content->bytes += bytes;
    return static_cast<std::int64_t>(bytes.size());
  }
  int sync(int file) override {
    if (fails()) return -reason;
    if (const auto& content = open_.at(file).content) {
      content->lasting = content->bytes;
    } else {
      lasting_names_ = names_;
    }
    return 0;
  }
  int close(int file) override {
    if (const auto& content = open_.at(file).content; content && content->owner == file) content->owner = 0;
    open_.erase(file);
    return fails() ? -reason : 0;
  }
  int rename(const std::string& from, const std::string& to, bool overwrite) override {
    if (fails()) return -reason;
    if (!overwrite && names_.contains(to)) return -EEXIST;
    names_[to] = names_.at(from);
    names_.erase(from);
    return 0;
  }
  int remove(const std::string& path) override {
    if (fails()) return -reason;
    return names_.erase(path) == 1 ? 0 : -ENOENT;
  }
  int make_folder(const std::string& /*path*/) override { return fails() ? -reason : 0; }
  int list(const std::string& folder, std::vector<std::string>& names) override {
    if (fails()) return -reason;
    for (const auto& [path, content] : names_) {
      const auto slash = path.rfind('/');
      if (path.substr(0, slash) == folder) names.push_back(path.substr(slash + 1));
    }
    return 0;
  }
  int exists(const std::string& path) override {
    if (fails()) return -reason;
    return names_.contains(path) ? 0 : -ENOENT;
  }
  int claim(int file, const std::string& path) override {
    if (fails()) return -reason;
    if (on_claim) on_claim(path);
    const auto& content = open_.at(file).content;
    if (content->owner != 0) return -EWOULDBLOCK;
    content->owner = file;
    return names_.contains(path) && names_.at(path) == content ? 0 : -ENOENT;
  }
  int copy_permissions(const std::string& path, int file) override {
    if (fails()) return -reason;
    if (names_.contains(path)) open_.at(file).content->mode = names_.at(path)->mode;
    return 0;
  }
  bool is_link(const std::string& /*path*/) override { return false; }
  bool first_visit(const std::string& /*folder*/) override { return true; }
  int replaceable(const std::string& /*path*/) override { return fails() ? -reason : 0; }

 private:
  struct Content {
    std::string bytes, lasting;
    int mode = 0644;
    int owner = 0;  // the open file that claimed it
  };
  struct Open {
    std::shared_ptr<Content> content;  // none for the folder
    std::size_t position = 0;
  };
  bool fails() {
    const int call = calls++;
    return call == fail_at || call >= crash_at;
  }

  std::map<std::string, std::shared_ptr<Content>> names_, lasting_names_;
  std::map<int, Open> open_;
  int next_ = 3;
};

}  // namespace perpend::test
