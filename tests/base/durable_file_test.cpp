#include "perpend/base/durable_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

#include "perpend/base/error.h"

namespace perpend {
namespace {

namespace fs = std::filesystem;

class DurableFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("durable_file_" + std::to_string(::getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

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

  fs::path folder_;
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
            "cannot write " + pipe.string() + ": it is no file but a device or pipe; send results there with >");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
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
