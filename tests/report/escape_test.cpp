#include "perpend/report/escape.h"

#include <gtest/gtest.h>

namespace perpend {
namespace {

TEST(HtmlText, LeavesNoCharacterThatMarkupIsMadeOf) {
  EXPECT_EQ(html_text("<img src=x onerror='a' title=\"b\">&amp;"),
            "&lt;img src=x onerror=&#39;a&#39; title=&quot;b&quot;&gt;&amp;amp;");
}

TEST(HtmlText, KeepsWordsOfAnyLanguage) { EXPECT_EQ(html_text("Größe 身長 🙂"), "Größe 身長 🙂"); }

TEST(HtmlText, WritesOutWhatIsHiddenAsMessagesDo) {
  EXPECT_EQ(html_text(std::string_view("a\0b\x1b", 4)), "a\\x00b\\x1b");
  EXPECT_EQ(html_text("\u202Etxt.exe\u2066\u200B\u0085"), "\\u202etxt.exe\\u2066\\u200b\\u0085");
  EXPECT_EQ(html_text("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");  // bytes that are never UTF-8, and an overlong slash
  EXPECT_EQ(html_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half a surrogate pair
  EXPECT_EQ(html_text("\xe2\x82"), "\\xe2\\x82");           // cut off
}

TEST(JsonForScript, CannotEndItsElementAndMeansTheSame) {
  EXPECT_EQ(json_for_script("{\"a\":\"</script><!-- & \u2028\u2029\"}"),
            "{\"a\":\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028\\u2029\"}");
}

TEST(JsonForScript, HidesNothingFromWhoReadsThePagesSource) {
  EXPECT_EQ(json_for_script("[\"\u202Ea\u0085\x7f\U000E0041\"]"), "[\"\\u202ea\\u0085\\u007f\\udb40\\udc41\"]");
  EXPECT_EQ(json_for_script("[\"Größe 身長 🙂\"]"), "[\"Größe 身長 🙂\"]");
}

TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

}  // namespace
}  // namespace perpend
