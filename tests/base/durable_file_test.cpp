#include "perpend/base/durable_file.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "perpend/base/error.h"
#include "tests/support/run_program.h"

namespace perpend {
namespace {

namespace fs = std::filesystem;

class DurableFile : public testing::Test {
 protected:
  fs::path file() const { return folder_ / "result.txt"; }
  static std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string message_of(const fs::path& path, std::string_view bytes) {
    try {
      write_file_durably(path, bytes);
    } catch (const IoError& error) {
      return error.what();
    }
    return "nothing thrown";
  }
  // Whether a user who is not root, and in none of our groups, could write the file.
  static bool written_by_another_user(const std::string& path, const std::string& bytes) {
    const pid_t child = ::fork();
    if (child == 0) {
      if ((::setgroups(0, nullptr) | ::setgid(4321) | ::setuid(4321)) != 0) ::_exit(1);
      ::_exit(message_of(path, bytes) == "nothing thrown" ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return status == 0;
  }

  test::TemporaryFolder own_;
  fs::path folder_ = own_.path();
};

TEST_F(DurableFile, HoldsExactlyTheBytesAndLeavesNothingBeside) {
  const std::string bytes("a\0b\r\n", 5);
  write_file_durably(file(), bytes);
  EXPECT_EQ(content(file()), bytes);
  EXPECT_EQ(files(), 1U);
}

TEST_F(DurableFile, ReplacesTheOldFile) {
  write_file_durably(file(), "a longer old content");
  write_file_durably(file(), "new");
  EXPECT_EQ(content(file()), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(DurableFile, MissingFolderIsNamedWithTheReason) {
  const fs::path path = folder_ / "absent" / "result.txt";
  EXPECT_EQ(message_of(path, "x"), "cannot write " + path.string() + ": No such file or directory");
}

TEST_F(DurableFile, FolderInThePlaceOfTheFileStays) {
  fs::create_directory(file());
  EXPECT_NE(message_of(file(), "x").find("Is a directory"), std::string::npos);
  EXPECT_NE(message_of(file() / "", "x").find("Is a directory"), std::string::npos);
  EXPECT_EQ(files(), 1U);
}

TEST_F(DurableFile, DevicesAndPipesAreNotReplaced) {
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(message_of(pipe, "x"),
            "cannot write " + pipe.string() + ": it is a device or a pipe, not a file; send results there with >");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

// The mode of the only temporary file in the folder.
mode_t mode_of_temporary(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".tmp") return mode_of(entry.path());
  }
  return 0;
}

TEST_F(DurableFile, KeepsTheModeOfTheFileItReplaces) {
  const mode_t umask = ::umask(022);
  for (const mode_t mode : {0600, 0640, 0664, 0400, 0755}) {
    write_file_durably(file(), "old");
    ASSERT_EQ(::chmod(file().c_str(), mode), 0);
    perpend::DurableFile writer(file());
    writer.write("new");
    EXPECT_EQ(mode_of_temporary(folder_), 0600U) << "nobody reads it before it has the right mode";
    writer.commit();
    EXPECT_EQ(mode_of(file()), mode);
    EXPECT_EQ(content(file()), "new");
    fs::remove(file());
  }
  write_file_durably(file(), "where nothing was");
  EXPECT_EQ(mode_of(file()), 0644U);
  ::umask(umask);
}

TEST_F(DurableFile, KeepsOwnerAndGroupWhereItMay) {
  if (::getuid() != 0) GTEST_SKIP() << "only root may give files away";
  write_file_durably(file(), "old");
  ASSERT_EQ(::chown(file().c_str(), 1234, 5678), 0);
  write_file_durably(file(), "new");
  struct stat status {};
  ASSERT_EQ(::stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234U);
  EXPECT_EQ(status.st_gid, 5678U);
}

TEST_F(DurableFile, GivesAnotherGroupNoMoreThanEverybodyHas) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  ASSERT_EQ(::chmod(folder_.c_str(), 0777), 0);
  for (const auto& [mode, kept] : {std::pair(0660, 0600), std::pair(0664, 0644), std::pair(0640, 0600)}) {
    write_file_durably(file(), "old");
    ASSERT_EQ(::chown(file().c_str(), 1234, 5678) | ::chmod(file().c_str(), static_cast<mode_t>(mode)), 0);
    ASSERT_TRUE(written_by_another_user(file(), "new"));
    EXPECT_EQ(content(file()), "new");
    EXPECT_EQ(mode_of(file()), static_cast<mode_t>(kept));
  }
}

TEST_F(DurableFile, ClaimsOnlyTheFileThatHasTheName) {
  FileSystem& disk = real_file_system();
  write_file_durably(file(), "first");
  const int first = disk.open(file(), FileSystem::Use::leftover);
  ASSERT_GE(first, 0);
  EXPECT_EQ(disk.claim(first, file()), 0);
  const int again = disk.open(file(), FileSystem::Use::leftover);
  EXPECT_EQ(disk.claim(again, file()), -EWOULDBLOCK);
  write_file_durably(file(), "second");
  EXPECT_EQ(disk.claim(first, file()), -ENOENT) << "another file has its name";
  fs::remove(file());
  EXPECT_EQ(disk.claim(first, file()), -ENOENT) << "it has no name";
  disk.close(first);
  disk.close(again);
}

TEST_F(DurableFile, ReplacesALinkAndLeavesWhatItPointsTo) {
  const fs::path behind = folder_ / "behind.txt";
  write_file_durably(behind, "behind");
  fs::create_symlink(behind, file());
  write_file_durably(file(), "new");
  EXPECT_FALSE(fs::is_symlink(file()));
  EXPECT_EQ(content(file()), "new");
  EXPECT_EQ(content(behind), "behind");
}

TEST_F(DurableFile, InThePlaceOfALinkHasTheModeAndOwnerOfAnyNewFile) {
  const mode_t umask = ::umask(027);
  write_file_durably(folder_ / "open.sh", "behind");
  ASSERT_EQ(::chmod((folder_ / "open.sh").c_str(), 0777), 0);
  const int given = ::chown((folder_ / "open.sh").c_str(), 1234, 5678);
  EXPECT_EQ(given, ::getuid() == 0 ? 0 : -1);
  for (const fs::path& behind : {folder_ / "open.sh", fs::path("/tmp"), fs::path("/dev/null"), folder_ / "nothing"}) {
    fs::remove(file());
    fs::create_symlink(behind, file());
    write_file_durably(file(), "new");
    EXPECT_EQ(mode_of(file()), 0640U) << behind;
    struct stat status {};
    ASSERT_EQ(::stat(file().c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, ::getuid()) << behind;
  }
  ::umask(umask);
}

// The access control list of a file as Linux stores it: a version, then tag, permissions and id of each entry.
constexpr const char* kAcl = "system.posix_acl_access";
std::string acl_bytes(const std::vector<std::array<std::uint32_t, 3>>& entries) {
  std::string bytes("\2\0\0\0", 4);
  for (const auto& [tag, permissions, id] : entries) {
    for (const std::uint32_t half : {tag, permissions}) bytes += {static_cast<char>(half), '\0'};
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(id >> shift);
  }
  return bytes;
}
std::string acl_of(const fs::path& path) {
  std::string bytes(1000, '\0');
  bytes.resize(
      static_cast<std::size_t>(std::max<ssize_t>(::getxattr(path.c_str(), kAcl, bytes.data(), bytes.size()), 0)));
  return bytes;
}
constexpr std::uint32_t kNobody = 0xffffffff;
// The owner has rw-, user 65534 r--, the group ---, the mask is r--, and everybody has ---. As a mode it is 0640.
const std::string kGroupMayNot =
    acl_bytes({{1, 6, kNobody}, {2, 4, 65534}, {4, 0, kNobody}, {16, 4, kNobody}, {32, 0, kNobody}});

TEST_F(DurableFile, KeepsTheAccessControlListOfTheFileItReplaces) {
  write_file_durably(file(), "old");
  if (::setxattr(file().c_str(), kAcl, kGroupMayNot.data(), kGroupMayNot.size(), 0) != 0) {
    GTEST_SKIP() << "no access control lists here";
  }
  ASSERT_EQ(mode_of(file()), 0640U);
  write_file_durably(file(), "new");
  EXPECT_EQ(content(file()), "new");
  EXPECT_EQ(mode_of(file()), 0640U);
  EXPECT_EQ(acl_of(file()), kGroupMayNot) << "the group must not gain what the list denies it";
}

TEST_F(DurableFile, TakesNoAccessControlListFromTheFolder) {
  write_file_durably(file(), "old");
  ASSERT_EQ(::chmod(file().c_str(), 0640), 0);
  if (::setxattr(folder_.c_str(), "system.posix_acl_default", kGroupMayNot.data(), kGroupMayNot.size(), 0) != 0) {
    GTEST_SKIP() << "no access control lists here";
  }
  write_file_durably(file(), "new");
  EXPECT_EQ(mode_of(file()), 0640U);
  EXPECT_EQ(acl_of(file()), "") << "user 65534 could not read the old file";
}

TEST_F(DurableFile, IsItsOwnersAloneWhereTheAccessControlListCannotBeKept) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  ASSERT_EQ(::chmod(folder_.c_str(), 0777), 0);
  write_file_durably(file(), "old");
  ASSERT_EQ(::chown(file().c_str(), 1234, 5678), 0);
  if (::setxattr(file().c_str(), kAcl, kGroupMayNot.data(), kGroupMayNot.size(), 0) != 0) {
    GTEST_SKIP() << "no access control lists here";
  }
  ASSERT_TRUE(written_by_another_user(file(), "new"));
  EXPECT_EQ(mode_of(file()), 0600U);
  EXPECT_EQ(acl_of(file()), "");
}

TEST_F(DurableFile, LeftoversOfAKilledProcessAreRemovedByTheNext) {
  const pid_t child = ::fork();
  if (child == 0) {
    perpend::DurableFile writer(file());
    writer.write("half of a");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(files(), 1U) << "what the dead has left";
  fs::create_symlink(folder_ / "elsewhere", folder_ / ".perpend-1-2.tmp");
  write_file_durably(file(), "new");
  EXPECT_EQ(content(file()), "new");
  EXPECT_EQ(files(), 2U) << "the file, and a link that is nobody's leftover";
}

TEST_F(DurableFile, LeftoversOfALivingProcessAreNone) {
  int told[2];
  int leave[2];
  ASSERT_EQ(::pipe(told) | ::pipe(leave), 0);
  const pid_t child = ::fork();
  char byte = 0;
  if (child == 0) {
    perpend::DurableFile writer(folder_ / "other.txt");
    writer.write("of the other");
    if (::write(told[1], "x", 1) != 1 || ::read(leave[0], &byte, 1) != 1) ::_exit(1);
    writer.commit();
    ::_exit(0);
  }
  ASSERT_EQ(::read(told[0], &byte, 1), 1);
  write_file_durably(file(), "new");
  ASSERT_EQ(::write(leave[1], "x", 1), 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  for (const int end : {told[0], told[1], leave[0], leave[1]}) ::close(end);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content(folder_ / "other.txt"), "of the other");
  EXPECT_EQ(files(), 2U);
}

TEST_F(DurableFile, WriteThatFailsHalfwayLeavesTheOldFile) {
  write_file_durably(file(), "old");
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{.rlim_cur = 1000, .rlim_max = limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = message_of(file(), std::string(5000, 'x'));
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "cannot write " + file().string() + ": File too large");
  EXPECT_EQ(content(file()), "old");
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace perpend
