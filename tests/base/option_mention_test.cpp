#include "perpend/base/option_mention.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {
namespace {

// A front end that shows all parts of a mention.
std::string angles(const OptionMention& mention) {
  return "<" + mention.name + (mention.value ? "|" + *mention.value : "") + ">";
}

TEST(OptionMention, IsSpelledByTheFrontEnd) {
  const std::string message = "give " + option_mention("missing", "mean") + " or " + option_mention("drop") + " it";
  EXPECT_EQ(spelled(message, angles), "give <missing|mean> or <drop> it");
  EXPECT_EQ(spelled(message, plain_spelling), "give missing=mean or drop it");
}

TEST(OptionMention, KeepsAnyValueExactly) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  for (const std::string& value : {std::string(), std::string("a b"), std::string("50%0a%"), every_byte,
                                   option_mention("drop", "x"), "\x0f" + option_mention("drop")}) {
    std::string heard = "nothing";
    spelled(option_mention("keep", value), [&](const OptionMention& mention) {
      heard = mention.value.value_or("no value");
      return std::string();
    });
    EXPECT_EQ(heard, value);
  }
}

TEST(OptionMention, IsPrintableOnceItIsSpelled) {
  EXPECT_EQ(spelled(option_mention("drop", "a\x1b[2J\n"), angles), "<drop|a\\x1b[2J\\n>");
}

TEST(OptionMention, IsNotMadeByForeignText) {
  const std::string forged = "\x0emissing\x1fmean\x0f";
  ASSERT_EQ(option_mention("missing", "mean"), forged);
  EXPECT_EQ(spelled("column " + quote(forged) + " of " + printable(forged), angles),
            "column '\\x0emissing\\x1fmean\\x0f' of \\x0emissing\\x1fmean\\x0f");
}

TEST(OptionMention, ThatIsNotWellFormedIsEscaped) {
  for (const std::string text : {"\x0e", "\x0emissing", "\x0e\x0f", "\x0e\x1fmean\x0f", "\x0eMissing\x0f",
                                 "\x0emissing mean\x0f", "\x0emissing\x1f%\x0f", "\x0emissing\x1f%0g\x0f",
                                 "\x0emissing\x1f\x1b[2J\x0f", "\x0f missing \x1f mean \x0e", "\x1f"}) {
    EXPECT_EQ(spelled(text, angles), printable(text));
  }
  EXPECT_EQ(spelled("\x0e\x0emissing\x0f", angles), "\\x0e<missing>");
}

TEST(OptionMention, NeedsANameOfAnOption) {
  EXPECT_THROW(option_mention(""), Error);
  EXPECT_THROW(option_mention("--missing"), Error);
  EXPECT_THROW(option_mention("missing\x0f", "mean"), Error);
}

TEST(Error, SpellsItsOptionsAsTheFrontEndAsks) {
  const DataError error("cell \x1b is missing; give " + option_mention("missing", "mean"));
  EXPECT_STREQ(error.what(), "cell \\x1b is missing; give missing=mean");
  EXPECT_EQ(error.spelled(angles), "cell \\x1b is missing; give <missing|mean>");
  const ConfigError outer("train.toml: " + error.message());
  EXPECT_EQ(outer.spelled(angles), "train.toml: cell \\x1b is missing; give <missing|mean>");
}

TEST(Error, CutsNoMentionInTwo) {
  const std::string filler(2500, 'x');
  const DataError error(filler + option_mention("drop", std::string(3000, 'y')) + filler);
  for (const std::string& text : {std::string(error.what()), error.spelled(angles)}) {
    EXPECT_LT(text.size(), 5000U);
    EXPECT_EQ(text.find("\\x0"), text.npos) << "a mark shows";
  }
}

}  // namespace
}  // namespace perpend
