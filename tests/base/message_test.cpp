#include "perpend/base/message.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/run_program.h"

namespace perpend {
namespace {

TEST(ShellWord, IsReadBackByAShell) {
  for (const std::string word : {"", "plain", "two words", "it's", "\"$HOME\" `id` $(id)", "a\\b\nc;d&e|f*?[g]{h}",
                                 "-n", "caf\xc3\xa9", "''", "!x #y", "~", "=ls", "a\x1b[2J'\\1",
                                 "\xe2\x80\xae"
                                 "1",
                                 "\xc2\x9b"
                                 "7",
                                 "\x9b"
                                 "f"}) {
    const std::string shown = shell_word(word);
    const auto run = test::run_program("/bin/bash", {"-c", "printf %s " + shown});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out, word);
    EXPECT_EQ(printable(shown), shown) << "it can be shown on one line as it is";
  }
}

TEST(Utf8, IsToldFromOtherBytes) {
  for (const char* good : {"", "plain", "caf\xc3\xa9", "\xf0\x9f\x98\x80"}) EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad : {"caf\xe9", "\x9b", "\xc3", "a\xc0\x80", "\xed\xa0\x80"}) EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(ShellWord, LeavesOrdinaryNamesAlone) {
  EXPECT_EQ(shell_word("runs/first-2.csv"), "runs/first-2.csv");
  EXPECT_EQ(shell_word("my loans"), "'my loans'");
}

TEST(Quote, StaysOnOneLine) { EXPECT_EQ(quote("a\nb\r\tc\x1b"), "'a\\nb\\r\\tc\\x1b'"); }

TEST(Quote, CutsAfterFortyCharactersNotBytes) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "\xC3\xB6";
  EXPECT_EQ(quote(text), "'" + text + "'");
  EXPECT_EQ(quote(text + "x"), "'" + text + "...'");
}

TEST(Quote, CutsBytesThatAreNoCharacters) { EXPECT_LT(quote(std::string(1'000'000, '\x80')).size(), 1000U); }

TEST(Printable, WritesOutWhatSteersATerminalOrMisleadsItsReader) {
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\u009b");      // C1: ESC [ in one byte
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\\u202e");  // right-to-left override
  EXPECT_EQ(printable("\xE2\x80\xA8\xE2\x81\xA6"), "\\u2028\\u2066");
  EXPECT_EQ(printable("\xF3\xA0\x80\x81"), "\\U000e0001");  // a tag
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, WritesOutBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("a\xFF"), "a\\xff");
  EXPECT_EQ(printable("\x9B"), "\\x9b");
  EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xE2\x80"), "\\xe2\\x80");  // cut off
}

TEST(Printable, LeavesAllOtherTextAlone) {
  const std::string text = "na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80 \xD7\xA9\xD7\x9C \\x1b ~";
  EXPECT_EQ(printable(text), text);
  const std::string shown = printable("\x1b[2J\xE2\x80\xAE\xFF\n");
  EXPECT_EQ(printable(shown), shown);
}

TEST(PrintableLines, KeepsLineEndsOnly) { EXPECT_EQ(printable_lines("a\nb\r\x1b\n"), "a\nb\\r\\x1b\n"); }

TEST(PrintableJson, IsTheSameDocument) {
  EXPECT_EQ(printable_json("{\n \"\x7f\xC2\x9B\xE2\x80\xAE\xF3\xA0\x80\x81\xC3\xB6\"}"),
            "{\n \"\\u007f\\u009b\\u202e\\udb40\\udc01\xC3\xB6\"}");
}

TEST(Thousands, AreGrouped) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(1234567), "1,234,567");
}

TEST(QuoteAll, JoinsNamesAndCountsThoseAfterTheTenth) {
  std::vector<std::string> names;
  EXPECT_EQ(quote_all(names), "");
  names = {"a"};
  EXPECT_EQ(quote_all(names), "'a'");
  names = {"a", "b,\n", "c"};
  EXPECT_EQ(quote_all(names), "'a', 'b,\\n' and 'c'");
  names.assign(10, "x");
  EXPECT_TRUE(quote_all(names).ends_with("'x', 'x' and 'x'"));
  names.insert(names.end(), 1200, "y");
  EXPECT_TRUE(quote_all(names).ends_with("'x', 'x' and 1,200 more"));
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
