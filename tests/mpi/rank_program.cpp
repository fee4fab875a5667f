// A rank of the jobs that comm_test.cpp starts: its first word says what it does.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/comm/comm.h"

namespace perpend::test {
namespace {

constexpr std::size_t kNumbers = 200;

// Three threads of each rank take numbers. In the first of two rounds rank 0 only gives. The numbers that each rank got
// go to FOLDER/ROUND.RANK, one per line.
void take(Comm& comm, const std::filesystem::path& folder) {
  for (int round = 0; round < 2; ++round) {
    std::ofstream got(folder / (std::to_string(round) + "." + std::to_string(comm.rank())));
    std::mutex writing;
    std::vector<std::thread> threads(round == 0 && comm.rank() == 0 && comm.size() > 1 ? 0 : 3);
    for (auto& thread : threads) {
      thread = std::thread([&] {
        for (std::size_t number = comm.take(); number < kNumbers; number = comm.take()) {
          const std::lock_guard lock(writing);
          got << number << "\n";
        }
      });
    }
    for (auto& thread : threads) thread.join();
    comm.barrier();
  }
}

void speak(Comm& comm) {
  const std::string long_text = std::string(3'000'000, 'x') + '\0' + "end";
  for (const std::string& text : {std::string(), std::string("one\ntwo"), long_text}) {
    PERPEND_CHECK(comm.broadcast(comm.rank() == 0 ? text : "another") == text);
  }
  PERPEND_CHECK(!comm.any(false));
  PERPEND_CHECK(comm.any(true));
  for (int rank = 0; rank < comm.size(); ++rank) PERPEND_CHECK(comm.any(comm.rank() == rank));
  PERPEND_CHECK(!comm.any(false));
}

// One rank fails while the others wait for it.
void fail(Comm& comm, int rank) {
  if (comm.rank() == rank) throw IoError("the disk of this rank is full");
  comm.barrier();
}

void run(const std::vector<std::string>& words) {
  const auto comm = join_ranks();
  PERPEND_CHECK(comm->rank() >= 0 && comm->rank() < comm->size());
  if (words.at(0) == "size") PERPEND_CHECK(comm->size() == std::stoi(words.at(1)));
  if (words.at(0) == "take") take(*comm, words.at(1));
  if (words.at(0) == "speak") speak(*comm);
  if (words.at(0) == "fail") fail(*comm, std::stoi(words.at(1)));
}

}  // namespace
}  // namespace perpend::test

int main(int argc, char** argv) {
  int code = 0;
  try {
    perpend::test::run({argv + 1, argv + argc});
  } catch (const perpend::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = error.exit_code();
  }
  perpend::end_ranks(code);
  return code;
}
