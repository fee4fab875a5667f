#include "perpend/base/error.h"

#include <gtest/gtest.h>

namespace perpend {
namespace {

TEST(Error, KindFixesTheExitCode) {
  EXPECT_EQ(UsageError("x").exit_code(), 2);
  EXPECT_EQ(ConfigError("x").exit_code(), 3);
  EXPECT_EQ(DataError("x").exit_code(), 4);
  EXPECT_EQ(ModelFileError("x").exit_code(), 5);
  EXPECT_EQ(IoError("x").exit_code(), 6);
}

TEST(Error, IsPrintableWhateverItQuotes) {
  EXPECT_STREQ(DataError("column a\x1b[2J\n\xE2\x80\xAE").what(), "column a\\x1b[2J\\n\\u202e");
}

TEST(Error, LeavesOutTheMiddleOfWhatNobodyReads) {
  const std::string what = DataError("first " + std::string(1'000'000, 'x') + " last").what();
  EXPECT_LT(what.size(), 5000U);
  EXPECT_TRUE(what.starts_with("first ") && what.ends_with(" last"));
}

TEST(Error, BrokenPromiseNamesItsPlaceOnOneLine) {
  try {
    PERPEND_CHECK(1 + 1 == 3);
    FAIL() << "the check must throw";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.exit_code(), 1);
    EXPECT_NE(message.find("error_test.cpp:"), std::string::npos);
    EXPECT_NE(message.find("1 + 1 == 3"), std::string::npos);
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace perpend
