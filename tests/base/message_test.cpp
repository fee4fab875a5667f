#include "perpend/base/message.h"

#include <gtest/gtest.h>

#include <vector>

namespace perpend {
namespace {

TEST(Quote, StaysOnOneLine) { EXPECT_EQ(quote("a\nb\r\tc\x1b"), "'a\\nb\\r\\tc\\x1b'"); }

TEST(Quote, CutsAfterFortyCharactersNotBytes) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "\xC3\xB6";
  EXPECT_EQ(quote(text), "'" + text + "'");
  EXPECT_EQ(quote(text + "x"), "'" + text + "...'");
}

TEST(Thousands, AreGrouped) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(1234567), "1,234,567");
}

TEST(Counted, HasAPlural) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1200, "row"), "1,200 rows");
}

TEST(NearestName, FindsSlipsOfTheHandAndNothingElse) {
  const std::vector<std::string> names = {"default", "debt_ratio", "income", "Age", "x"};
  EXPECT_EQ(nearest_name("defualt", names), "default");
  EXPECT_EQ(nearest_name("incom", names), "income");
  EXPECT_EQ(nearest_name("debtratio", names), "debt_ratio");
  EXPECT_EQ(nearest_name("age", names), "Age");
  EXPECT_EQ(nearest_name("outcome", names), "");
  EXPECT_EQ(nearest_name("zzz", names), "");
  EXPECT_EQ(nearest_name("y", names), "");
  EXPECT_EQ(nearest_name("X", names), "x");
}

}  // namespace
}  // namespace perpend
