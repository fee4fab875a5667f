// What a shell and a pipeline see of perpend monitor.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

class MonitorVerb : public testing::Test {
 protected:
  void SetUp() override {
    home_ = write("home.csv", 0, 400);
    like_ = write("like.csv", 0, 150);
    moved_ = write("moved.csv", 2, 150);
    model_ = path("m.safetensors");
    const auto run =
        perpend({"train", home_, "--target", "y", "-o", model_, "--members", "3", "--hidden", "8", "--epochs", "10"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  // Column a is from 0 to 10, moved up by `shift`. y follows it.
  std::string write(const std::string& name, int shift, int rows) const {
    std::ofstream file(path(name));
    file << "a,b,y\n";
    for (int r = 0; r < rows; ++r) {
      const int a = r * 37 % 101;
      file << a / 10.0 + shift << ',' << r * 53 % 97 << ',' << (a > 50 ? "yes" : "no") << '\n';
    }
    return path(name);
  }

  TemporaryFolder folder_;
  std::string home_, like_, moved_, model_;
};

TEST_F(MonitorVerb, SaysWhatMovedAndLeavesWithZero) {
  const auto run = perpend({"monitor", model_, moved_});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.rfind("verdict              moved\n", 0), 0U) << run.out;
  EXPECT_NE(run.out.find("1 of 2 columns moved: 'a'"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\na                      "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\n  perpend ask " + model_ + " " + moved_ + " -n 32 -o rows.csv\n"), std::string::npos)
      << run.out;
  EXPECT_TRUE(run.err.empty()) << run.err;
}

TEST_F(MonitorVerb, TellsPipelinesByItsExitCode) {
  const auto alarmed = perpend({"monitor", model_, moved_, "--fail-if", "drift", "--json"});
  EXPECT_EQ(alarmed.exit_code, 9);
  EXPECT_EQ(nlohmann::json::parse(alarmed.out)["verdict"], "moved");
  EXPECT_NE(alarmed.err.find("are different from home (--fail-if drift)"), std::string::npos) << alarmed.err;
  EXPECT_EQ(perpend({"monitor", model_, moved_, "--fail-if", "far"}).exit_code, 0);
  EXPECT_EQ(perpend({"monitor", model_, like_, "--fail-if", "drift"}).exit_code, 0);
}

TEST_F(MonitorVerb, MeasuresLabelsAndWindows) {
  const auto run = perpend({"monitor", model_, like_, "--labels", "y", "--window", "50"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("AUC"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("rows 51-100"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("Nothing changes along the rows."), std::string::npos) << run.out;
}

// The rows that were not chosen measure the adapted model. Nothing is said of the row numbers that ask wrote.
TEST_F(MonitorVerb, AskWritesTheOtherRowsForMeasuring) {
  const std::string rows = path("rows.csv"), rest = path("rest.csv"), there = path("there.safetensors");
  const auto asked = perpend({"ask", model_, moved_, "-n", "20", "-o", rows, "--rest", rest});
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  std::ifstream file(rest);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "a,b,y");
  const auto adapted = perpend({"adapt", model_, rows, "-o", there});
  EXPECT_EQ(adapted.exit_code, 0) << adapted.err;
  EXPECT_EQ(adapted.err.find("does not know"), std::string::npos) << adapted.err;
  const auto measured = perpend({"evaluate", there, rest, "--json"});
  EXPECT_EQ(nlohmann::json::parse(measured.out).at("rows"), 130) << measured.out;
  const auto again = perpend({"ask", model_, moved_, "-n", "20", "-o", path("new.csv"), "--rest", rest});
  EXPECT_EQ(again.exit_code, 6) << again.err;
  EXPECT_FALSE(std::ifstream(path("new.csv")).good());
  EXPECT_EQ(perpend({"ask", model_, moved_, "-n", "20", "-o", rows, "--rest", rows, "--force"}).exit_code, 2);
}

TEST_F(MonitorVerb, BadInputIsOneLine) {
  const auto expect_one_line = [&](const std::vector<std::string>& words, int code, const std::string& part) {
    const auto run = perpend(words);
    EXPECT_EQ(run.exit_code, code) << run.err;
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  };
  expect_one_line({"monitor", model_, moved_, "--labels", "z"}, 4, "no column 'z'");
  expect_one_line({"monitor", model_, moved_, "--window", "z"}, 4, "no column 'z'");
  expect_one_line({"monitor", model_, moved_, "--fail-if", "rain"}, 2, "--fail-if");
  expect_one_line({"monitor", home_, moved_}, 5, "not a model file");
  const std::string published = path("p.safetensors");
  ASSERT_EQ(
      perpend({"train", home_, "--target", "y", "-o", published, "--preset", "published", "--epochs", "1"}).exit_code,
      0);
  expect_one_line({"monitor", published, moved_}, 3, "does not remember");
}

TEST_F(MonitorVerb, AModelThatRemembersNothingRefusesAndItsCardSaysSo) {
  const std::string bare = path("bare.safetensors");
  ASSERT_EQ(perpend({"train", home_, "--target", "y", "-o", bare, "--members", "3", "--hidden", "8", "--epochs", "1",
                     "--no-remember"})
                .exit_code,
            0);
  const auto card = perpend({"inspect", bare, "--card"});
  EXPECT_NE(card.out.find("keeps no label of any row"), std::string::npos) << card.out;
  const auto full = perpend({"inspect", model_, "--card"});
  EXPECT_NE(full.out.find("the file keeps the label and the answer of each member"), std::string::npos) << full.out;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"monitor", bare, moved_}, {"predict", bare, moved_, "--sets", "0.9"}}) {
    const auto refused = perpend(words);
    EXPECT_EQ(refused.exit_code, 3) << refused.err;
    EXPECT_NE(refused.err.find("train it again"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("--remember"), std::string::npos) << refused.err;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  }
}

TEST_F(MonitorVerb, SetsOfShiftedRowsAreWeighedByAllOfThem) {
  const auto plain = perpend({"predict", model_, moved_, "--sets", "0.9"});
  const auto shifted = perpend({"predict", model_, moved_, "--sets", "0.9", "--shifted"});
  ASSERT_EQ(shifted.exit_code, 0) << shifted.err;
  EXPECT_EQ(shifted.out.substr(0, shifted.out.find('\n')), plain.out.substr(0, plain.out.find('\n')));
  EXPECT_EQ(std::ranges::count(shifted.out, '\n'), std::ranges::count(plain.out, '\n'));
  EXPECT_NE(shifted.out, plain.out);
  EXPECT_EQ(perpend({"predict", model_, moved_, "--shifted"}).exit_code, 2);
}

}  // namespace
}  // namespace perpend::test
