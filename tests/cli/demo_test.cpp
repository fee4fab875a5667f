#include <iterator>
#include <sstream>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

// The figures of a line of the table: two accuracies, agreement, cos^2 before and after.
std::vector<double> figures(const std::string& text, const std::string& title) {
  std::size_t at = text.rfind("\n" + title + " ");
  if (at == text.npos) return {};
  std::string line = text.substr(at + 1 + title.size(), text.find('\n', at + 1) - at - 1 - title.size());
  std::erase(line, '%');
  std::istringstream in(line);
  return {std::istream_iterator<double>(in), {}};
}

TEST(Demo, ShowsTwoFitsOfWhichOnlyLitDisagreesWhereNothingWasSeen) {
  const auto run = perpend({"demo"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto restarts = figures(run.out, "Random restarts");
  const auto lit = figures(run.out, "LIT, lambda 1");
  ASSERT_EQ(restarts.size(), 5U) << run.out;
  ASSERT_EQ(lit.size(), 5U) << run.out;
  for (const std::size_t m : {0, 1}) {
    EXPECT_GE(restarts[m], 99);
    EXPECT_GE(lit[m], 99);
  }
  EXPECT_GE(restarts[2], 95);
  EXPECT_LE(lit[2], 10);
  EXPECT_GE(restarts[4], 0.9);
  EXPECT_LE(lit[4], 0.05);
}

TEST(Demo, IsPlainAsciiInAPipeAndSaysNothingOnStderr) {
  const auto run = perpend({"demo"});
  EXPECT_EQ(run.err, "");
  EXPECT_FALSE(has_control_bytes(run.out));
  EXPECT_TRUE(std::all_of(run.out.begin(), run.out.end(), [](unsigned char c) { return c < 0x80; }));
}

TEST(Demo, WritesTheSameSelfContainedPictureEachTime) {
  const TemporaryFolder folder;
  const auto picture = folder.path() / "new" / "boundaries.svg";
  const auto run = perpend({"demo", "--output", picture.parent_path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, picture.string()));
  const std::string first = file_content(picture);
  EXPECT_EQ(first.rfind("<svg ", 0), 0U);
  EXPECT_TRUE(contains(first, "</svg>\n"));
  EXPECT_TRUE(contains(first, "class=\"member m2\""));
  EXPECT_FALSE(contains(first, "href"));
  perpend({"demo", "--output", picture.parent_path().string()});
  EXPECT_EQ(file_content(picture), first);
}

TEST(Demo, FolderThatCannotBeMadeIsNamed) {
  const auto run = perpend({"demo", "--output", "/dev/null/folder"});
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_TRUE(contains(run.err, "/dev/null/folder"));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
}

}  // namespace
}  // namespace perpend::test
