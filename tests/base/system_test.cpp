#include "perpend/base/system.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/support/run_program.h"

namespace perpend::test {
namespace {

TEST(System, ANamelessFileHoldsItsBytesAndIsInNoFolder) {
  const TemporaryFolder folder;
  const int file = open_nameless(folder.path().string());
  ASSERT_GE(file, 0);
  EXPECT_EQ(::write(file, "abc", 3), 3);
  EXPECT_EQ(sync_data(file), 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  char bytes[3] = {};
  EXPECT_EQ(::pread(file, bytes, 3, 0), 3);
  EXPECT_EQ(std::string(bytes, 3), "abc");
  ::close(file);
}

TEST(System, ARenameIfNewReplacesNothing) {
  const TemporaryFolder folder;
  const std::string from = (folder.path() / "from").string();
  const std::string to = (folder.path() / "to").string();
  std::ofstream(from) << "new";
  std::ofstream(to) << "old";
  EXPECT_EQ(rename_if_new(from, to), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(file_content(to), "old");
  std::filesystem::remove(to);
  EXPECT_EQ(rename_if_new(from, to), 0);
  EXPECT_EQ(file_content(to), "new");
}

TEST(System, BytesGoThroughAPipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(open_pipe(ends), 0);
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  for (const int end : ends) ::close(end);
}

TEST(System, TheProgramKnowsItsOwnPath) {
  EXPECT_EQ(std::filesystem::path(own_program()).filename(), "test_base") << own_program();
}

}  // namespace
}  // namespace perpend::test
