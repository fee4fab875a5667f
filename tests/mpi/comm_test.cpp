#include <map>

#include "tests/mpi/mpirun.h"

namespace perpend::test {
namespace {

std::vector<int> numbers_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istream_iterator<int>(in), {}};
}

void expect_each_number_once(const std::filesystem::path& folder, int ranks) {
  for (int round = 0; round < 2; ++round) {
    std::map<int, int> takers;
    for (int rank = 0; rank < ranks; ++rank) {
      for (const int number : numbers_in(folder / (std::to_string(round) + "." + std::to_string(rank)))) {
        ++takers[number];
      }
    }
    ASSERT_EQ(takers.size(), 200U) << "round " << round;
    for (const auto& [number, count] : takers) ASSERT_EQ(count, 1) << number;
    EXPECT_EQ(takers.begin()->first, 0);
    EXPECT_EQ(takers.rbegin()->first, 199);
  }
}

TEST(RankAlone, NeedsNoLauncher) {
  EXPECT_EQ(run_program(RANK_PROGRAM, {"size", "1"}).exit_code, 0);
  EXPECT_EQ(run_program(RANK_PROGRAM, {"speak"}).exit_code, 0);
  const TemporaryFolder folder;
  EXPECT_EQ(run_program(RANK_PROGRAM, {"take", folder.path().string()}).exit_code, 0);
  expect_each_number_once(folder.path(), 1);
  EXPECT_EQ(run_program(RANK_PROGRAM, {"fail", "0"}).exit_code, 6);
}

TEST_F(Ranks, EachNumberGoesToOneThreadOfOneRank) {
  for (const int ranks : {1, 2, 4}) {
    const TemporaryFolder folder;
    const auto run = mpirun(ranks, {RANK_PROGRAM, "take", folder.path().string()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    expect_each_number_once(folder.path(), ranks);
  }
}

TEST_F(Ranks, EachNumberGoesToOneThreadOverTcpToo) {
  const TemporaryFolder folder;
  const auto run =
      mpirun(3, {"--mca", "pml", "ob1", "--mca", "btl", "tcp,self", RANK_PROGRAM, "take", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_each_number_once(folder.path(), 3);
}

TEST_F(Ranks, HearRankZeroAndAgree) {
  for (const int ranks : {1, 3}) {
    const auto run = mpirun(ranks, {RANK_PROGRAM, "speak"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
}

TEST_F(Ranks, AnErrorOfOneEndsAllWithItsCodeAndMessage) {
  for (const std::string rank : {"0", "1", "2"}) {
    const auto run = mpirun(3, {RANK_PROGRAM, "fail", rank});
    EXPECT_EQ(run.exit_code, 6) << run.err;
    EXPECT_NE(run.err.find("the disk of this rank is full\n"), run.err.npos) << run.err;
  }
}

}  // namespace
}  // namespace perpend::test
