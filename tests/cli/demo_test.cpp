#include <iterator>
#include <sstream>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

// Returns the figures of the line that begins with `title`.
std::vector<double> figures(const std::string& text, const std::string& title) {
  const std::size_t at = text.rfind("\n" + title + " ");
  if (at == text.npos) return {};
  std::string line = text.substr(at + 1 + title.size(), text.find('\n', at + 1) - at - 1 - title.size());
  std::erase_if(line, [](char c) { return c == '%' || c == '(' || c == ')'; });
  std::istringstream in(line);
  return {std::istream_iterator<double>(in), {}};
}

// All tests read the output and the picture of one run.
class Demo : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    run_ = new Finished(perpend({"demo", "--output", (folder_->path() / "new").string()}));
    ASSERT_EQ(run_->exit_code, 0) << run_->err;
  }
  static void TearDownTestSuite() {
    delete run_;
    delete folder_;
  }
  static std::filesystem::path picture() { return folder_->path() / "new" / "boundaries.svg"; }
  static inline TemporaryFolder* folder_ = nullptr;
  static inline Finished* run_ = nullptr;
};

TEST_F(Demo, ShowsTwoFitsOfWhichOnlyLitDisagreesWhereNothingWasSeen) {
  // The figures are two accuracies, agreement, and cos^2 before and after.
  const auto restarts = figures(run_->out, "Random restarts");
  const auto lit = figures(run_->out, "LIT, lambda 1");
  ASSERT_EQ(restarts.size(), 5U) << run_->out;
  ASSERT_EQ(lit.size(), 5U) << run_->out;
  for (const std::size_t m : {0, 1}) {
    EXPECT_GE(restarts[m], 99);
    EXPECT_GE(lit[m], 99);
  }
  EXPECT_GE(restarts[2], 95);
  EXPECT_LE(lit[2], 10);
  EXPECT_GE(restarts[4], 0.9);
  EXPECT_LE(lit[4], 0.05);
}

TEST_F(Demo, ShowsThatOneLitMemberSurvivesWhereTheShortcutFails) {
  // The figures are familiar, failed (best member), flipped (best member), and cos^2.
  const auto restarts = figures(run_->out, "  random restarts");
  const auto lit = figures(run_->out, "  LIT, lambda 1");
  ASSERT_EQ(restarts.size(), 6U) << run_->out;
  ASSERT_EQ(lit.size(), 6U) << run_->out;
  EXPECT_GE(restarts[0], 0.99);
  EXPECT_GE(lit[0], 0.99);
  EXPECT_LE(restarts[2], 0.75);
  EXPECT_GE(lit[2], 0.95);
  EXPECT_GE(lit[4], 0.95);
  EXPECT_LE(lit[5], 0.1);
  double spots = 0;
  double adapted = 0;
  const std::string& out = run_->out;
  std::istringstream(out.substr(out.find("AUROC ") + 6)) >> spots;
  std::istringstream(out.substr(out.find(" -> ") + 4)) >> adapted;
  EXPECT_GE(spots, 0.95);
  EXPECT_GE(adapted, 0.95);
}

TEST_F(Demo, EndsWithWhatToTypeNext) {
  EXPECT_TRUE(run_->out.ends_with("\nNext: perpend train YOUR.csv --target COLUMN -o model.safetensors\n"))
      << run_->out;
}

TEST_F(Demo, IsPlainAsciiInAPipeAndSaysNothingOnStderr) {
  EXPECT_EQ(run_->err, "");
  EXPECT_FALSE(has_control_bytes(run_->out));
  EXPECT_TRUE(std::all_of(run_->out.begin(), run_->out.end(), [](unsigned char c) { return c < 0x80; }));
}

TEST_F(Demo, WritesTheSelfContainedPictureOfTheReadme) {
  EXPECT_TRUE(contains(run_->out, picture().string()));
  const std::string svg = file_content(picture());
  EXPECT_EQ(svg.rfind("<svg ", 0), 0U);
  EXPECT_TRUE(contains(svg, "</svg>\n"));
  EXPECT_TRUE(contains(svg, ">member 2<"));
  EXPECT_FALSE(contains(svg, "href"));
  EXPECT_TRUE(svg == file_content(PERPEND_SOURCE_DIR "/docs/boundaries.svg"))
      << "make it anew with: perpend demo --output docs";
}

TEST(DemoFolder, ThatCannotBeMadeIsNamedAtOnce) {
  EXPECT_TRUE(contains(expect_error(perpend({"demo", "--output", "/dev/null/folder"}), 6), "/dev/null/folder"));
}

}  // namespace
}  // namespace perpend::test
