// Packed results under version control: the page that they print, and a sweep that continues from them.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

const std::filesystem::path kSource = PERPEND_SOURCE_DIR;

// Returns the page that a folder of Table 1's study prints.
std::string page_of(const std::filesystem::path& folder) {
  const TemporaryFolder temporary;
  const std::string page = (temporary.path() / "page.md").string();
  const auto run = perpend({"reproduce", "table1", "-o", folder.string(), "--page", page});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return file_content(page);
}

TEST(Table1, PageOfATinyFolderIsWhatItsRecordsPrint) {
  const auto folder = kSource / "tests/paper/tiny_table1";
  EXPECT_EQ(page_of(folder), file_content(folder / "page.md"))
      << "perpend reproduce table1 -o tests/paper/tiny_table1 --page tests/paper/tiny_table1/page.md";
}

TEST(Table1, PageInDocsIsWhatItsRecordsPrint) {
  const auto folder = kSource / "docs/results/table1";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "docs/results/table1 is not there yet";
  EXPECT_EQ(page_of(folder), file_content(kSource / "docs/table1.md"))
      << "perpend reproduce table1 -o docs/results/table1 --page docs/table1.md";
}

TEST(Table1, FiguresAreDrawnFromPackedRecords) {
  const TemporaryFolder temporary;
  for (const char* figure : {"figure-lambda", "figure-size", "figure-metrics"}) {
    const auto run = perpend({"reproduce", figure, "--study", (kSource / "tests/paper/tiny_table1").string(), "-o",
                              temporary.path().string()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(file_content(temporary.path() / (std::string(figure) + ".svg")).rfind("<svg ", 0), 0U);
  }
}

class Packed : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  Finished sweep(const std::string& folder, int restarts) const {
    std::ofstream(path("study.toml")) << "datasets = [{source = \"builtin:quadrants\", target = \"target\"}]\n"
                                         "splits = [\"random\"]\nmethods = [\"restarts\", \"lit\"]\nmembers = [2, 3]\n"
                                         "lambda = [0.1, 1]\nrestarts = "
                                      << restarts << "\n[options]\nepochs = 1\nhidden = 4\nviews = \"plain\"\n";
    return perpend({"sweep", path("study.toml"), "-o", path(folder), "--threads", "1"});
  }
  Finished pack(const std::string& from, const std::string& to) const {
    return run_program((kSource / "paper/tools/pack_results").string(), {path(from), path(to)});
  }
  std::string records_in(const std::string& folder) const {
    std::string bytes;
    for (const auto& name : names_in(path(folder) + "/results"))
      bytes += name + file_content(path(folder) + "/results/" + name);
    return bytes;
  }
  static std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Packed, ResultsPrintTheSameTableAndAreNotTrainedAgain) {
  ASSERT_EQ(sweep("plain", 2).exit_code, 0);
  const auto packing = pack("plain", "packed");
  ASSERT_EQ(packing.exit_code, 0) << packing.err;
  EXPECT_EQ(names_in(path("packed/results")),
            (std::vector<std::string>{"builtin-quadrants-random-0.jsonl.gz", "builtin-quadrants-random-1.jsonl.gz"}));
  EXPECT_EQ(perpend({"table", path("packed")}).out, perpend({"table", path("plain")}).out);
  const auto again = perpend({"sweep", path("packed/study.toml"), "-o", path("packed"), "--threads", "1"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(contains(again.out + again.err, "(0 new,")) << again.out << again.err;
}

TEST_F(Packed, FilesStayAsTheyAreWhenMoreIsPacked) {
  ASSERT_EQ(sweep("plain", 2).exit_code, 0);
  // The first part is half of it: the records of restart 1 are cut off, in the middle of a line.
  const std::string name = names_in(path("plain/results")).front();
  const std::string all = file_content(path("plain/results/" + name));
  std::filesystem::create_directories(path("half/results"));
  std::filesystem::copy_file(path("plain/study.toml"), path("half/study.toml"));
  std::ofstream(path("half/results/" + name), std::ios::binary) << all.substr(0, all.size() - 40);
  ASSERT_EQ(pack("half", "packed").exit_code, 0);
  ASSERT_EQ(names_in(path("packed/results")).size(), 1U);
  const std::string before = records_in("packed");
  ASSERT_EQ(pack("plain", "packed").exit_code, 0);
  EXPECT_EQ(names_in(path("packed/results")).size(), 2U);
  const std::string after = records_in("packed");
  EXPECT_NE(after.find(before), std::string::npos);
  ASSERT_EQ(pack("plain", "packed").exit_code, 0);
  EXPECT_EQ(records_in("packed"), after);
}

}  // namespace
}  // namespace perpend::test
