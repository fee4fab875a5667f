#include "perpend/data/public.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "perpend/base/sha256.h"

namespace perpend {
namespace {

TEST(PublicSets, AreTheFiveOfTheTable) {
  std::vector<std::string> names;
  for (const auto& set : public_sets()) names.push_back(set.name);
  EXPECT_EQ(names, (std::vector<std::string>{"electricity", "ionosphere", "mushroom", "sonar", "spectf"}));
  EXPECT_EQ(find_public_set("sonar")->rows, 208U);
  EXPECT_EQ(find_public_set("iris"), nullptr);
}

TEST(PublicSets, AreConsistent) {
  for (const auto& set : public_sets()) {
    EXPECT_EQ(std::set<std::string>(set.columns.begin(), set.columns.end()).size(), set.columns.size()) << set.name;
    EXPECT_EQ(set.sha256.size(), 64U) << set.name;
    for (const auto& address : set.downloads) EXPECT_TRUE(address.starts_with("https://")) << address;
    EXPECT_TRUE(set.categorical || set.columns.size() - set.dropped.size() == set.encoded_columns) << set.name;
  }
}

TEST(PublicCsv, MovesTheTargetToTheEndAndJoinsTheFiles) {
  PublicSet set = *find_public_set("spectf");
  set.columns = {"a", "b"};
  const std::vector<std::string> files = {"1,10,20\r\n0,30,40\r\n", "1, 50, 60\n\n0,70,80"};
  EXPECT_EQ(public_csv(set, files), "a,b,target\n10,20,1\n30,40,0\n50,60,1\n70,80,0\n");
}

TEST(PublicCsv, SkipsTheHeadOfAnArffFile) {
  PublicSet set = *find_public_set("electricity");
  set.columns = {"a"};
  const std::vector<std::string> files = {"% note\n@relation r\n@attribute a numeric\n\n@data\n0.5,UP\n1,DOWN\n"};
  EXPECT_EQ(public_csv(set, files), "a,target\n0.5,UP\n1,DOWN\n");
}

// Tests with the tables themselves. They run if PERPEND_DATA names the folder of the tables.
class PublicTable : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const char* named = std::getenv("PERPEND_DATA");
    const std::filesystem::path folder = named != nullptr ? named : PERPEND_SOURCE_DIR "/../shared/data";
    const auto path = folder / (GetParam() + ".csv");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing; set PERPEND_DATA to its folder";
    std::ifstream file(path, std::ios::binary);
    text_.assign(std::istreambuf_iterator<char>(file), {});
    std::istringstream lines(text_);
    for (std::string line; std::getline(lines, line);) {
      auto& row = rows_.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    }
  }
  const PublicSet& set() const { return *find_public_set(GetParam()); }
  std::string text_;
  std::vector<std::vector<std::string>> rows_;  // the first is the header
};

TEST_P(PublicTable, HasTheListedBytes) {
  EXPECT_EQ(text_.size(), set().bytes);
  EXPECT_EQ(sha256_hex(text_), set().sha256);
}

TEST_P(PublicTable, HasTheListedColumnsRowsAndClass) {
  auto header = set().columns;
  header.push_back(set().target);
  EXPECT_EQ(rows_[0], header);
  EXPECT_EQ(rows_.size() - 1, set().rows);
  std::set<std::string> classes;
  for (std::size_t r = 1; r < rows_.size(); ++r) classes.insert(rows_[r].back());
  EXPECT_EQ(classes.size(), 2U);
  EXPECT_TRUE(classes.contains(set().positive));
}

TEST_P(PublicTable, EncodesToTheListedColumns) {
  std::size_t columns = 0;
  std::vector<std::string> constant;
  for (std::size_t c = 0; c < set().columns.size(); ++c) {
    std::set<std::string> levels;
    for (std::size_t r = 1; r < rows_.size(); ++r) levels.insert(rows_[r][c]);
    if (levels.size() == 1) constant.push_back(rows_[0][c]);
    if (levels.size() >= 2) columns += set().categorical && levels.size() > 2 ? levels.size() : 1;
  }
  EXPECT_EQ(constant, set().dropped);
  EXPECT_EQ(columns, set().encoded_columns);
}

TEST_P(PublicTable, ComesOutOfItsOfficialLayout) {
  // Makes the official files from the table again. Those of ionosphere, mushroom, sonar and SPECTF.train then have the
  // sha256 that others publish.
  std::vector<std::string> files(set().downloads.size());
  if (set().layout == RawLayout::arff) files[0] = "@relation r\n@data\n";
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    auto row = rows_[r];
    if (set().layout == RawLayout::target_first) std::rotate(row.begin(), row.end() - 1, row.end());
    std::string& file = files[files.size() > 1 && r > set().statistics_rows ? 1 : 0];
    for (std::size_t c = 0; c < row.size(); ++c) file += (c == 0 ? "" : ",") + row[c];
    file += files.size() > 1 ? "\r\n" : "\n";
  }
  EXPECT_EQ(public_csv(set(), files), text_);
  if (files.size() > 1) files[0].resize(files[0].size() - 2);
  const std::map<std::string, std::string> known = {
      {"ionosphere", "46d52186b84e20be52918adb93e8fb9926b34795ff7504c24350ae0616a04bbd"},
      {"mushroom", "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e"},
      {"sonar", "e90434cdbf00fcf93ffa911fe447ae25606979658e60f1d32e155c3b5240234d"},
      {"spectf", "9c837e4fd4b7931d9be5304989e39f284f35f767518ffd4dfd42a6a519a9f30c"}};
  const auto official = known.find(GetParam());
  if (official != known.end()) {
    EXPECT_EQ(sha256_hex(files[0]), official->second);
  }
  EXPECT_EQ(public_csv(set(), files), text_);
}

INSTANTIATE_TEST_SUITE_P(All, PublicTable, testing::Values("electricity", "ionosphere", "mushroom", "sonar", "spectf"),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace perpend
