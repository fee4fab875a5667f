// Tables as spreadsheets and other programs write them.
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

class Tables : public SmallModel {
 protected:
  static std::string with_separator(std::string text, char separator) {
    std::ranges::replace(text, ',', separator);
    return text;
  }
};

TEST_F(Tables, AreReadWithAnySeparatorByTrainAndPredict) {
  const std::vector<std::string> quick = {"--members", "2", "--views", "plain"};
  ASSERT_EQ(train(write("t.csv", small_table()), quick).exit_code, 0);
  const std::string commas = perpend({"predict", path("model"), path("t.csv")}).out;
  for (const char separator : {';', '\t', '|'}) {
    const std::string file = write("t.csv", with_separator(small_table(), separator));
    auto words = quick;
    words.emplace_back("--force");
    const auto run = train(file, words);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(perpend({"predict", path("model"), file}).out, commas);
  }
}

TEST_F(Tables, OfDecimalCommasGiveTheAnswersOfPlainNumbers) {
  const std::vector<std::string> quick = {"--members", "2", "--views", "plain"};
  ASSERT_EQ(train(write("t.csv", small_table()), quick).exit_code, 0);
  const std::string plain = perpend({"predict", path("model"), path("t.csv")}).out;
  std::string text = with_separator(small_table(), ';');
  for (std::size_t at = text.find(".5;"); at != text.npos; at = text.find(".5;")) text.replace(at, 3, ",50 €;");
  const std::string file = write("t.csv", text);
  auto words = quick;
  words.emplace_back("--force");
  const auto run = train(file, words);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "column 'a' is read as numbers, '10,50 €' as 10.5; --categorical a reads it as words"))
      << run.err;
  EXPECT_EQ(perpend({"predict", path("model"), file}).out, plain);
}

}  // namespace
}  // namespace perpend::test
