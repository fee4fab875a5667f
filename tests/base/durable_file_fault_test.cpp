#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "tests/support/memory_file_system.h"

namespace perpend {
namespace {

using test::MemoryFileSystem;
using Files = std::map<std::string, std::string>;

const std::string kPath = "out/result";
const std::string kNew = "the new content";

MemoryFileSystem disk(const std::optional<std::string>& old) {
  MemoryFileSystem files;
  files.longest_transfer = 4;
  if (old) files.put(kPath, *old);
  return files;
}

int calls_of_a_good_write(const std::optional<std::string>& old) {
  MemoryFileSystem files = disk(old);
  write_file_durably(kPath, kNew, true, files);
  return files.calls;
}

std::optional<std::string> content(const Files& files) {
  const auto found = files.find(kPath);
  return found == files.end() ? std::nullopt : std::optional(found->second);
}

class DurableFileFaults : public testing::TestWithParam<std::optional<std::string>> {};
INSTANTIATE_TEST_SUITE_P(OldFile, DurableFileFaults, testing::Values(std::nullopt, "", "the old content"));

TEST_P(DurableFileFaults, ShortWritesAddUpToTheWholeFile) {
  MemoryFileSystem files = disk(GetParam());
  write_file_durably(kPath, kNew, true, files);
  EXPECT_EQ(files.files(), (Files{{kPath, kNew}}));
  EXPECT_EQ(files.open_files(), 0U);
}

TEST_P(DurableFileFaults, WrittenMeansOnTheDisk) {
  MemoryFileSystem files = disk(GetParam());
  write_file_durably(kPath, kNew, true, files);
  EXPECT_EQ(files.files_after_crash(false), (Files{{kPath, kNew}}));
}

TEST_P(DurableFileFaults, NoFailedCallLeavesHalfAFile) {
  const int calls = calls_of_a_good_write(GetParam());
  ASSERT_GE(calls, 10);
  int unharmed = 0;
  for (int n = 0; n < calls; ++n) {
    MemoryFileSystem files = disk(GetParam());
    files.fail_at = n;
    files.reason = ENOSPC;
    try {
      write_file_durably(kPath, kNew, true, files);
      EXPECT_EQ(content(files.files()), kNew) << "call " << n;
      ++unharmed;
    } catch (const IoError& error) {
      EXPECT_EQ(error.what(), "cannot write " + kPath + ": No space left on device");
      // Only four calls come after the rename: open, sync and close of the folder, and close of the file.
      EXPECT_EQ(content(files.files()), n < calls - 4 ? GetParam() : std::optional(kNew)) << "call " << n;
    }
    EXPECT_LE(files.files().size(), 1U) << "call " << n;
    EXPECT_EQ(files.open_files(), 0U) << "call " << n;
  }
  EXPECT_EQ(unharmed, 6)
      << "only the look for the old file, the look for leftovers, the lock, the permissions and both "
         "closes may fail unnoticed";
}

TEST_P(DurableFileFaults, NoCrashLeavesHalfAFile) {
  const int calls = calls_of_a_good_write(GetParam());
  for (int n = 0; n < calls; ++n) {
    for (const bool names_lasted : {false, true}) {
      MemoryFileSystem files = disk(GetParam());
      files.crash_at = n;
      try {
        write_file_durably(kPath, kNew, true, files);
      } catch (const IoError&) {
      }
      const auto left = content(files.files_after_crash(names_lasted));
      EXPECT_TRUE(left == GetParam() || left == kNew) << "call " << n << ": " << left.value_or("nothing");
    }
  }
}

TEST(DurableFileLeftovers, OfTheDeadAreRemoved) {
  MemoryFileSystem files = disk("old");
  files.put("out/.perpend-1-0.tmp", "half of a");
  files.put("out/.perpend-notes", "not ours");
  files.put("elsewhere/.perpend-1-0.tmp", "of another folder");
  write_file_durably(kPath, kNew, true, files);
  EXPECT_EQ(
      files.files(),
      (Files{{kPath, kNew}, {"out/.perpend-notes", "not ours"}, {"elsewhere/.perpend-1-0.tmp", "of another folder"}}));
}

TEST(DurableFileLeftovers, HaveExactlyTheNameThatPerpendGives) {
  Files others;
  for (const char* name : {".perpend-notes.tmp", ".perpend-notes1.tmp", ".perpend-1-.tmp", ".perpend--1.tmp",
                           ".perpend-1.tmp", ".perpend-1-0-2.tmp", ".perpend-1-0.tmp.tmp", ".perpend-.tmp"}) {
    others[std::string("out/") + name] = "not ours";
  }
  MemoryFileSystem files;
  for (const auto& [path, bytes] : others) files.put(path, bytes);
  write_file_durably(kPath, kNew, true, files);
  others[kPath] = kNew;
  EXPECT_EQ(files.files(), others);
}

TEST(DurableFileLeftovers, OfTheLivingStay) {
  MemoryFileSystem files = disk("old");
  DurableFile slow("out/slow", true, files);
  slow.write("first half, ");
  write_file_durably(kPath, kNew, true, files);
  slow.write("second half");
  slow.commit();
  EXPECT_EQ(files.files(), (Files{{kPath, kNew}, {"out/slow", "first half, second half"}}));
}

TEST(DurableFileLeftovers, AreNotWhatIsLockedAMomentLater) {
  MemoryFileSystem files = disk("old");
  int claims = 0;
  files.on_claim = [&](const std::string& path) {
    if (claims++ == 0) files.remove(path);  // as if another process saw a file without a lock
  };
  write_file_durably(kPath, kNew, true, files);
  EXPECT_EQ(claims, 2);
  EXPECT_EQ(files.files(), (Files{{kPath, kNew}}));
}

TEST(DurableFileLeftovers, ThatCannotBeLockedStay) {
  MemoryFileSystem files = disk(std::nullopt);
  files.put("out/.perpend-1-0.tmp", "half of a");
  files.reason = ENOLCK;
  files.fail_at = 4;  // replaceable, exists, list, open, claim
  write_file_durably(kPath, kNew, true, files);
  EXPECT_EQ(files.files(), (Files{{kPath, kNew}, {"out/.perpend-1-0.tmp", "half of a"}}));
}

TEST(DurableFileOverwrite, IsNotOverwrittenUnlessAsked) {
  MemoryFileSystem files = disk("old");
  try {
    write_file_durably(kPath, kNew, false, files);
    FAIL();
  } catch (const IoError& error) {
    EXPECT_STREQ(error.what(), "will not overwrite out/result: choose another name, or allow it with force");
  }
  EXPECT_EQ(files.files(), (Files{{kPath, "old"}}));
}

TEST(DurableFileOverwrite, ThatAppearsMeanwhileIsNotOverwritten) {
  MemoryFileSystem files = disk("old");
  files.fail_at = 1;  // the call that looks for the file does not see it
  files.reason = ENOENT;
  EXPECT_THROW(write_file_durably(kPath, kNew, false, files), IoError);
  EXPECT_EQ(files.files(), (Files{{kPath, "old"}}));
}

}  // namespace
}  // namespace perpend
