// What `report` and `reproduce` owe their user at the command line; tests/web opens their pages.
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

class Report : public SmallModel {
 protected:
  void SetUp() override {
    const auto run = perpend({"report", model(), "-o", path("probe.html")});
    if (contains(run.err, "npm")) GTEST_SKIP() << "perpend was built without npm, so it has no report page";
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  std::string page(const std::vector<std::string>& words) const {
    std::vector<std::string> all = {"report"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"-o", path("page.html"), "--force"});
    const auto run = perpend(all);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return file_content(path("page.html"));
  }
};

TEST_F(Report, TellsWhereThePageIsAndLeavesAFileThatIsThere) {
  const auto run = perpend({"report", model(), "-o", path("new.html")});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.out, path("new.html"))) << run.out;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(contains(expect_error(perpend({"report", model(), "-o", path("new.html")}), 6), "--force"));
}

TEST_F(Report, OfAModelAloneSaysWhatRowsWouldShow) {
  const std::string html = page({model()});
  EXPECT_TRUE(contains(html, "perpend report small.safetensors DATA"));
  EXPECT_TRUE(contains(html, "\"id\":\"loss\""));
  EXPECT_FALSE(contains(html, "\"id\":\"roc\""));
}

TEST_F(Report, KnowsItsOwnTableAgainAndNoOther) {
  const std::string own = write("own.csv", small_table());
  EXPECT_TRUE(contains(page({model(), own}), "training, "));
  const std::string other = page({model(), write("other.csv", small_table(59))});
  EXPECT_FALSE(contains(other, "training, "));
  EXPECT_TRUE(contains(other, "is not the table this model was trained on"));
}

TEST_F(Report, TakesNewRowsWithoutLabels) {
  const std::string html =
      page({model(), write("own.csv", small_table()), "--new", write("n.csv", "a,b,c\n1,2,red\n3,4,blue\n")});
  EXPECT_TRUE(contains(html, "new: n.csv, 2 rows"));
}

TEST_F(Report, IsTheSameBytesOnAnyNumberOfThreads) {
  const std::string own = write("own.csv", small_table());
  EXPECT_TRUE(page({model(), own, "--threads", "1"}) == page({model(), own, "--threads", "3"}));
}

TEST_F(Report, MistakesAreOneLine) {
  EXPECT_TRUE(contains(expect_error(perpend({"report", model()}), 2), "-o FILE.html"));
  EXPECT_TRUE(contains(expect_error(perpend({"report", ".", "-o", path("x.html")}), 6), "no study.toml"));
  expect_error(perpend({"report", "absent.safetensors", "-o", path("x.html")}), 6);
  expect_error(perpend({"report", model(), "absent.csv", "-o", path("x.html")}), 6);
  expect_error(perpend({"report", model(), "-o", "/dev/null/x.html"}), 6);
  EXPECT_FALSE(std::filesystem::exists(path("x.html")));
}

// The numbers after `title` in the line that has it.
std::vector<double> figures(const std::string& text, const std::string& title) {
  const std::size_t at = text.find(title);
  if (at == text.npos) return {};
  std::istringstream in(text.substr(at + title.size(), text.find('\n', at) - at - title.size()));
  return {std::istream_iterator<double>(in), {}};
}

TEST(ReproduceFigureToy, RestartsCoincideAndLitIsOrthogonalWhereNothingWasSeen) {
  const TemporaryFolder folder;
  const auto run = perpend({"reproduce", "figure-toy", "--quick", "-o", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  // The angle of the boundaries, that of the gradients, the accuracy of the worse member.
  const auto restarts = figures(run.out, "Random restarts ");
  const auto lit = figures(run.out, "LIT, lambda 1 ");
  ASSERT_EQ(restarts.size(), 3U) << run.out;
  ASSERT_EQ(lit.size(), 3U) << run.out;
  EXPECT_LE(restarts[0], 10);
  EXPECT_LE(restarts[1], 15);
  EXPECT_GE(lit[0], 75);
  EXPECT_GE(lit[1], 75);
  EXPECT_GE(restarts[2], 99);
  EXPECT_GE(lit[2], 98);
  const std::string svg = file_content(folder.path() / "figure-toy.svg");
  EXPECT_EQ(svg.rfind("<svg ", 0), 0U);
  EXPECT_TRUE(contains(svg, "class=\"member m2\""));
}

TEST(ReproduceFigureGradients, DrawsRestartsAboveLit) {
  const TemporaryFolder folder;
  const auto run = perpend({"reproduce", "figure-gradients", "--quick", "-o", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string svg = file_content(folder.path() / "figure-gradients.svg");
  EXPECT_LT(svg.find(">Random restarts<"), svg.find(">LIT, lambda 1<"));
  for (const char* name : {">ward<", ">sodium<", ">member 2<"}) EXPECT_TRUE(contains(svg, name)) << name;
}

TEST(Reproduce, MistakesAreOneLine) {
  expect_error(perpend({"reproduce"}), 2);
  EXPECT_TRUE(contains(expect_error(perpend({"reproduce", "figure-toy", "-o", "/dev/null/f"}), 6), "/dev/null/f"));
}

}  // namespace
}  // namespace perpend::test
