#include "perpend/icu/hourly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "perpend/base/error.h"
#include "perpend/base/random.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

TEST(HourCell, SumsWithoutLosingABit) {
  // In plain double arithmetic the sum depends on the order.
  std::vector<double> values = {0.1, 1000.7, 0.3, 35000, 0.7, 1e-3, 123.456, 0.2};
  HourCell forward;
  for (const double x : values) forward.add(x);
  std::ranges::sort(values);
  do {
    HourCell cell;
    for (const double x : values) cell.add(x);
    ASSERT_EQ(cell.sum(), forward.sum());
  } while (std::ranges::next_permutation(values).found);
  EXPECT_EQ(forward.mean(), forward.sum() / 8);
}

struct Fact {
  std::size_t row;
  std::size_t variable;
  double value;
};

// The sums by row and variable, and the number of runs.
std::pair<std::vector<double>, std::size_t> sums(std::span<const Fact> facts, std::size_t rows, std::size_t memory,
                                                 const std::filesystem::path& folder) {
  HourlyCells cells(rows, 3, memory, folder);
  for (const Fact& fact : facts) cells.add(fact.row, fact.variable, fact.value);
  std::vector<double> out;
  std::size_t expected = 0;
  cells.finish([&](std::size_t row, std::span<const HourCell> of_row) {
    EXPECT_EQ(row, expected++);
    for (const HourCell& cell : of_row) out.push_back(cell.empty() ? -1 : cell.sum());
  });
  EXPECT_EQ(expected, rows);
  return {out, cells.runs()};
}

TEST(HourlyCells, GiveTheSameTableInAnyMemory) {
  const TempFolder folder;
  const Stream draws({.seed = 5, .purpose = Purpose::generate});
  std::vector<Fact> facts;
  for (std::uint64_t i = 0; i < 30000; ++i) {
    facts.push_back({draws.below(3 * i, 100), draws.below(3 * i + 1, 2), 0.1 * double(draws.below(3 * i + 2, 1000))});
  }
  const auto [whole, one] = sums(facts, 100, 1 << 20, folder.path("."));
  const auto [pieces, many] = sums(facts, 100, 1000, folder.path("."));
  EXPECT_EQ(one, 1U);
  EXPECT_GE(many, 8U);
  EXPECT_EQ(whole, pieces);
  std::ranges::reverse(facts);
  EXPECT_EQ(whole, sums(facts, 100, 1000, folder.path(".")).first);
  double total = 0;
  double expected = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) total += i % 3 == 2 ? 0 : whole[i];
  for (const Fact& fact : facts) expected += fact.value;
  EXPECT_NEAR(total, expected, 1e-6);
  EXPECT_EQ(whole[2], -1);
}

TEST(SpillFile, GivesBackItsBytesFromTheDiskToo) {
  const TempFolder folder;
  for (const std::size_t count : {0U, 1U, 4096U, 4097U, 20000U}) {
    SpillFile file(folder.path("."));
    std::string expected;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string piece = "sixteen bytes " + std::to_string(10 + i % 90);
      file.write(piece);
      expected += piece;
    }
    std::string got;
    for (std::string_view bytes; !(bytes = file.read()).empty();) got += bytes;
    EXPECT_EQ(got, expected) << count;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path("."))) << "the file has a name";
  }
}

TEST(SpillFile, NamesTheFolderThatCannotHoldIt) {
  SpillFile file("/nowhere/at/all");
  const std::string piece(kSpillBuffer, 'x');
  file.write(piece);
  try {
    file.write(piece);
    FAIL() << "must throw";
  } catch (const IoError& error) {
    EXPECT_STREQ(error.what(), "a temporary file in /nowhere/at/all cannot be made: No such file or directory");
  }
}

}  // namespace
}  // namespace perpend
