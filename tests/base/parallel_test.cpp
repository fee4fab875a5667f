#include "perpend/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace perpend {
namespace {

class ThreadsTest : public testing::TestWithParam<int> {};

TEST_P(ThreadsTest, EachPieceRunsExactlyOnce) {
  const Threads threads(GetParam());
  for (const std::size_t pieces : {0, 1, 2, 1000}) {
    std::vector<int> runs(pieces, 0);
    threads.for_each(pieces, [&](std::size_t i) { ++runs[i]; });
    EXPECT_EQ(runs, std::vector<int>(pieces, 1));
  }
}

TEST_P(ThreadsTest, NestedPiecesRunExactlyOnce) {
  const Threads threads(GetParam());
  std::atomic<int> total = 0;
  threads.for_each(10, [&](std::size_t) { threads.for_each(10, [&](std::size_t) { ++total; }); });
  EXPECT_EQ(total, 100);
}

TEST_P(ThreadsTest, AnExceptionComesOut) {
  const Threads threads(GetParam());
  EXPECT_THROW(threads.for_each(8,
                                [](std::size_t i) {
                                  if (i == 5) throw std::runtime_error("piece 5");
                                }),
               std::runtime_error);
}

TEST_P(ThreadsTest, CountIsWhatWasAskedFor) { EXPECT_EQ(Threads(GetParam()).count(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Counts, ThreadsTest, testing::Values(1, 2, 3, 8));

}  // namespace
}  // namespace perpend
