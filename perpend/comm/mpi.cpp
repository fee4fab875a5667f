#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#include "perpend/base/error.h"
#include "perpend/comm/comm.h"

namespace perpend {

namespace {

using std::chrono::microseconds;

constexpr microseconds kShortestPause{50};
constexpr microseconds kLongestPause{1000};

enum Tag { kAsk, kAnswer };

bool left_by_exception = false;

// A launcher tells MPI_Init about the job by environment variables. So perpend reads the environment here, and nowhere
// else in the library. MPI_Init would take a third of a second to find that there is no launcher. Slurm's own variables
// do not count, because they are set in every job. If srun starts MPI programs, it sets one of these.
bool has_launcher() {
  constexpr std::array kSetByLaunchers = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::ranges::any_of(kSetByLaunchers, [](const char* name) { return std::getenv(name) != nullptr; });
}

// Every call of MPI here returns at once and is made under one lock. So MPI_THREAD_SERIALIZED is enough, and no thread
// spins as it would in MPI's own waiting.
class Ranks final : public Comm {
 public:
  Ranks() {
    int support = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &support);
    left_by_exception = true;  // until the constructor is done
    if (support < MPI_THREAD_SERIALIZED) {
      throw IoError("this MPI library cannot be called by more than one thread; use one that can, such as Open MPI");
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &world_);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &size_);
    if (rank_ == 0 && size_ > 1) server_ = std::thread([this] { serve(); });
    left_by_exception = false;
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  ~Ranks() override {
    left_by_exception = std::uncaught_exceptions() > exceptions_before_;
    // The ranks meet here, because MPI_Finalize would wait at full speed for the slowest one.
    if (!left_by_exception) meet();
    leaving_ = true;
    if (server_.joinable()) server_.join();
    if (left_by_exception) return;
    MPI_Comm_free(&world_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::string broadcast(std::string text) override {
    std::uint64_t length = text.size();
    finish([&](MPI_Request* request) { MPI_Ibcast(&length, 1, MPI_UINT64_T, 0, world_, request); });
    PERPEND_CHECK(length <= INT_MAX);
    text.resize(length);
    finish(
        [&](MPI_Request* request) { MPI_Ibcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, world_, request); });
    return text;
  }

  void barrier() override {
    meet();
    next_ = 0;
    meet();  // no rank takes a number before rank 0 counts from 0 again
  }

  std::size_t take() override {
    if (rank_ == 0) return next_++;
    std::uint64_t number = 0;
    finish([&](MPI_Request* request) { MPI_Isend(nullptr, 0, MPI_CHAR, 0, kAsk, world_, request); });
    finish([&](MPI_Request* request) { MPI_Irecv(&number, 1, MPI_UINT64_T, 0, kAnswer, world_, request); });
    return number;
  }

  bool any(bool here) override {
    const int mine = here ? 1 : 0;
    int all = 0;
    finish([&](MPI_Request* request) { MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_LOR, world_, request); });
    return all != 0;
  }

 private:
  // start(&request) makes the request.
  template <class Start>
  void finish(const Start& start) {
    MPI_Request request = MPI_REQUEST_NULL;
    locked([&] { start(&request); });
    int done = 0;
    for (microseconds pause = kShortestPause;; pause = std::min(2 * pause, kLongestPause)) {
      locked([&] { MPI_Test(&request, &done, MPI_STATUS_IGNORE); });
      if (done != 0) return;
      std::this_thread::sleep_for(pause);
    }
  }

  template <class Call>
  void locked(const Call& call) {
    const std::lock_guard lock(calls_);
    call();
  }

  void meet() {
    finish([&](MPI_Request* request) { MPI_Ibarrier(world_, request); });
  }

  void serve() {
    while (!leaving_) {
      if (!answer_one()) std::this_thread::sleep_for(kLongestPause);
    }
  }

  // Returns false if no rank has asked for a number.
  bool answer_one() {
    int asked = 0;
    MPI_Status from;
    locked([&] {
      MPI_Iprobe(MPI_ANY_SOURCE, kAsk, world_, &asked, &from);
      if (asked != 0) MPI_Recv(nullptr, 0, MPI_CHAR, from.MPI_SOURCE, kAsk, world_, MPI_STATUS_IGNORE);
    });
    if (asked == 0) return false;
    const std::uint64_t number = next_++;
    finish(
        [&](MPI_Request* request) { MPI_Isend(&number, 1, MPI_UINT64_T, from.MPI_SOURCE, kAnswer, world_, request); });
    return true;
  }

  const int exceptions_before_ = std::uncaught_exceptions();
  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::mutex calls_;
  std::atomic<std::uint64_t> next_ = 0;  // the next number; only that of rank 0 counts
  std::atomic<bool> leaving_ = false;
  std::thread server_;  // on rank 0: gives numbers to the other ranks
};

}  // namespace

std::unique_ptr<Comm> join_ranks() {
  if (!has_launcher()) return alone();
  return std::make_unique<Ranks>();
}

void end_ranks(int exit_code) {
  if (left_by_exception) MPI_Abort(MPI_COMM_WORLD, exit_code);
}

std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

}  // namespace perpend
