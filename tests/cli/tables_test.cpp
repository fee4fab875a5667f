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

// small_table() with a date on every row, from 1 January 2024 on and not in order.
std::string dated_table() {
  std::string text = "when," + small_table();
  int row = 0;
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1), ++row) {
    const int day = row * 17 % 60;
    const std::string month = day < 30 ? "01" : "02";
    const std::string of_month = std::to_string(101 + day % 30 % 29).substr(1);
    text.insert(at + 1, "2024-" + month + "-" + of_month + " 0" + std::to_string(row % 7) + ":30,");
  }
  return text;
}

TEST_F(Tables, WithDatesAreTrainedSplitByTimeAndPredicted) {
  const std::string file = write("t.csv", dated_table());
  const auto run = train(file, {"--members", "2", "--split", "by-column", "--split-column", "when"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err,
                       "column 'when' is read as dates, '2024-01-01 00:30' as 2024-01-01, in the inputs 'when', "
                       "'when.weekday', 'when.hour'; --categorical when reads it as words"))
      << run.err << "the earlier half of the rows trains, and all of it is in January";
  const auto answers = perpend({"predict", path("model"), file});
  EXPECT_EQ(answers.exit_code, 0) << answers.err;
  EXPECT_TRUE(contains(answers.err, "Wrote 60 rows. ") && contains(answers.err, "30 rows lie outside the range"))
      << "a date counts once, though its days and its month lie outside: " << answers.err;
  expect_error(perpend({"predict", path("model"), write("bad.csv", "when,a,b,c\nsoon,1,2,red\n")}), 4);
  for (const std::string verb : {"explain", "inspect"}) {
    std::vector<std::string> words = {verb, path("model")};
    if (verb == "explain") words.push_back(file);
    const auto said = perpend(words);
    EXPECT_EQ(said.exit_code, 0) << said.err;
    EXPECT_TRUE(contains(said.out, "when")) << said.out;
  }
}

TEST_F(Tables, OfParquetAndArrowGiveTheModelOfTheCsv) {
  const std::string golden = PERPEND_SOURCE_DIR "/tests/golden/tables/";
  const auto model_of = [&](const std::string& name) {
    const auto run = perpend({"train", golden + name, "--target", "flag", "-o", path("model"), "--epochs", "2",
                              "--force", "--missing", "indicator", "--split", "none"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return file_content(path("model"));
  };
  const std::string wanted = model_of("types.csv");
  for (const char* name : {"plain.parquet", "groups.parquet", "plain.feather"})
    EXPECT_TRUE(model_of(name) == wanted) << name;
  const auto of_csv = perpend({"predict", path("model"), golden + "types.csv"});
  ASSERT_EQ(of_csv.exit_code, 0) << of_csv.err;
  EXPECT_EQ(perpend({"predict", path("model"), golden + "encoded.parquet"}).out, of_csv.out);
}

TEST_F(Tables, InPartsGiveTheModelOfTheWhole) {
  const std::string text = small_table();
  const std::string header = text.substr(0, text.find('\n') + 1);
  const std::size_t middle = text.find('\n', text.size() / 2) + 1;
  std::filesystem::create_directory(path("parts"));
  write("parts/a.csv", text.substr(0, middle));
  write("parts/b.csv", header + text.substr(middle));
  const std::vector<std::string> quick = {"--members", "2", "--force"};
  ASSERT_EQ(train(write("t.csv", text), quick).exit_code, 0);
  const std::string wanted = file_content(path("model"));
  const std::string answers = perpend({"predict", path("model"), path("t.csv")}).out;
  for (const std::string& source : {path("parts"), path("parts/*.csv")}) {
    const auto run = train(source, quick);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(file_content(path("model")) == wanted) << source;
    EXPECT_EQ(perpend({"predict", path("model"), source}).out, answers);
  }
  write("parts/b.csv", "a,b,c\n1,2,red\n");
  expect_error(train(path("parts"), quick), 4);
}

}  // namespace
}  // namespace perpend::test
