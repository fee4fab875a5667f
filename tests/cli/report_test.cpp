// What `report` does at the command line. tests/web opens its pages.
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
  // A model whose features can be moved, and named one by one.
  std::string plain_model(const std::string& data) const {
    const auto run = train(data, {"--views", "plain", "--members", "2", "--hidden", "4"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return path("model");
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
  EXPECT_TRUE(contains(page({model(), own}), "[\"training, "));
  const std::string other = page({model(), write("other.csv", small_table(59))});
  EXPECT_FALSE(contains(other, "[\"training, "));
  EXPECT_TRUE(contains(other, "is not the table this model was trained on"));
}

TEST_F(Report, TakesNewRowsWithoutLabels) {
  const std::string html =
      page({model(), write("own.csv", small_table()), "--new", write("n.csv", "a,b,c\n1,2,red\n3,4,blue\n")});
  EXPECT_TRUE(contains(html, "new: n.csv, 2 rows"));
}

TEST_F(Report, SaysOfNewRowsWhetherTheyHaveMovedIfTheModelKnowsItsHome) {
  const std::string own = write("own.csv", small_table());
  const std::string away = write("n.csv", "a,b,c\n1,2,mauve\n3,4,mauve\n");
  EXPECT_FALSE(contains(page({plain_model(own), own, "--new", away}), "What moved?"));
  ASSERT_EQ(train(own, {"--epochs", "2", "--force"}).exit_code, 0);
  const std::string html = page({path("model"), own, "--new", away});
  EXPECT_TRUE(contains(html, "What moved?"));
  EXPECT_TRUE(contains(html, "There are 2 rows with a level that training never saw"));
  EXPECT_TRUE(contains(html, "What to do next?"));
  EXPECT_FALSE(contains(page({path("model"), own}), "What moved?"));
}

// From "On 18 validation rows" to the end of the accuracy.
std::string judged_sentence(const std::string& html) {
  const std::size_t first = html.find(" validation rows the ensemble");
  return first == html.npos ? "" : html.substr(first, html.find('%', first) - first);
}

TEST_F(Report, OfARefittedModelHasTheFiguresFromBeforeTheRefitWithRowsAndWithout) {
  const std::string own = write("own.csv", small_table(90));
  const auto run = train(own, {"--split", "none", "--members", "6", "--lambda", "0", "--early-stopping", "2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  ASSERT_TRUE(contains(run.err, "trained again on all 90 rows")) << run.err;
  const std::string with_rows = page({path("model"), own});
  EXPECT_NE(judged_sentence(with_rows), "");
  EXPECT_EQ(judged_sentence(with_rows), judged_sentence(page({path("model")})));
  EXPECT_TRUE(contains(with_rows, "It shows the answers from before the refit"));
  EXPECT_TRUE(contains(with_rows, "So these rows are not held out here"));
}

TEST_F(Report, DrawsTheColumnsThatWereAskedForBeforeTheOthers) {
  const std::string own = write("own.csv", small_table());
  const std::string plain = plain_model(own);
  EXPECT_FALSE(contains(page({plain, own}), "\"id\":\"named-gradients\""));
  const std::string html = page({plain, own, "--features", "B,c=red"});
  const std::size_t named = html.find("\"id\":\"named-gradients\"");
  ASSERT_NE(named, html.npos);
  EXPECT_LT(named, html.find("\"id\":\"gradients\""));
  const auto error = expect_error(perpend({"report", plain, own, "--features", "a,c=redd", "-o", path("x.html")}), 4);
  EXPECT_TRUE(contains(error, "did you mean 'c=red'?")) << error;
  expect_error(perpend({"report", model(), "--features", "a", "-o", path("x.html")}), 2);
  EXPECT_FALSE(std::filesystem::exists(path("x.html")));
}

TEST_F(Report, ShowsIndependenceAtTheDistancesAskedFor) {
  const std::string own = write("own.csv", small_table());
  const std::string plain = plain_model(own);
  EXPECT_TRUE(contains(page({plain, own}), "\"values\":[0.03,0.1,0.3,1,3]"));
  const std::string html = page({plain, own, "--epsilon", "2,0.5", "--norm", "linf"});
  EXPECT_TRUE(contains(html, "\"values\":[0.5,2]"));
  EXPECT_TRUE(contains(html, "l∞ ball"));
  expect_error(perpend({"report", plain, own, "--epsilon", "0", "-o", path("x.html")}), 2);
}

TEST_F(Report, OfAModelWithViewsHasNoDistancesAndRefusesThoseAskedFor) {
  const std::string own = write("own.csv", small_table());
  ASSERT_EQ(train(own, {"--members", "2", "--hidden", "4"}).exit_code, 0);
  const std::string viewed = path("model");
  const std::string html = page({viewed, own, "--features", "C"});
  EXPECT_FALSE(contains(html, "\"id\":\"distance\""));
  EXPECT_TRUE(contains(html, "\"id\":\"levels\""));
  EXPECT_TRUE(contains(html, "c = red"));
  for (const auto& asked : {std::vector<std::string>{"--epsilon", "1"}, {"--norm", "linf"}}) {
    std::vector<std::string> words = {"report", viewed, own, "-o", path("x.html")};
    words.insert(words.end(), asked.begin(), asked.end());
    EXPECT_TRUE(contains(expect_error(perpend(words), 3), "--views plain"));
  }
  EXPECT_FALSE(std::filesystem::exists(path("x.html")));
}

TEST_F(Report, OfAnIcuTableDrawsThePapersColumnsByItself) {
  const std::string data = write("icu.csv", icu_table());
  ASSERT_EQ(perpend({"train", data, "--target", "in_hospital_death", "-o", path("icu.m"), "--epochs", "1"}).exit_code,
            0);
  EXPECT_TRUE(contains(page({path("icu.m"), data}), "\"id\":\"named-gradients\""));
}

TEST_F(Report, IsTheSameBytesOnAnyNumberOfThreads) {
  const std::string own = write("own.csv", small_table());
  EXPECT_TRUE(page({model(), own, "--threads", "1"}) == page({model(), own, "--threads", "3"}));
}

TEST_F(Report, MistakesAreOneLine) {
  EXPECT_TRUE(contains(expect_error(perpend({"report", model()}), 2), "-o FILE.html"));
  EXPECT_TRUE(contains(expect_error(perpend({"report", ".", "-o", path("x.html")}), 6), "no study.toml"));
  EXPECT_TRUE(contains(expect_error(perpend({"report", ".", "--epsilon", "1", "-o", path("x.html")}), 2), "--epsilon"));
  EXPECT_TRUE(contains(expect_error(perpend({"report", ".", "--norm", "linf", "-o", path("x.html")}), 2), "--norm"));
  expect_error(perpend({"report", "absent.safetensors", "-o", path("x.html")}), 6);
  expect_error(perpend({"report", model(), "absent.csv", "-o", path("x.html")}), 6);
  expect_error(perpend({"report", model(), "-o", "/dev/null/x.html"}), 6);
  EXPECT_FALSE(std::filesystem::exists(path("x.html")));
}

}  // namespace
}  // namespace perpend::test
