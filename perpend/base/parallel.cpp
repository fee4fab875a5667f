#include "perpend/base/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <thread>

#if defined(PERPEND_THREAD_SANITIZER)
extern "C" void __tsan_acquire(void* address);  // NOLINT(bugprone-reserved-identifier): the sanitizer's own names
extern "C" void __tsan_release(void* address);  // NOLINT(bugprone-reserved-identifier)
#endif

namespace perpend {

namespace {

// The thread sanitizer cannot look into oneTBB, which is not built for it. So this file is not built for it either (see
// CMakeLists.txt). This class tells the sanitizer what oneTBB promises, and no more: each piece sees all that was done
// before for_each, and after for_each the caller sees all that the pieces did.
struct Handover {
#if defined(PERPEND_THREAD_SANITIZER)
  void open() { __tsan_release(&begin); }
  void enter() { __tsan_acquire(&begin); }
  void leave() { __tsan_release(&end); }
  void close() { __tsan_acquire(&end); }
  char begin = 0;
  char end = 0;
#else
  void open() {}
  void enter() {}
  void leave() {}
  void close() {}
#endif
};

}  // namespace

struct Threads::Arena {
  explicit Arena(int count)
      : limit(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)), arena(count) {}
  oneapi::tbb::global_control limit;  // lets a caller ask for more threads than there are cores
  oneapi::tbb::task_arena arena;
};

Threads::Threads(int count) {
  if (count == 0) count = static_cast<int>(std::thread::hardware_concurrency());
  if (count > 1) arena_ = std::make_unique<Arena>(count);
}
Threads::~Threads() = default;
Threads::Threads(Threads&&) noexcept = default;
Threads& Threads::operator=(Threads&&) noexcept = default;

int Threads::count() const { return arena_ ? arena_->arena.max_concurrency() : 1; }

void Threads::run(const std::function<void()>& work) const {
  if (arena_) {
    arena_->arena.execute(work);
  } else {
    work();
  }
}

void Threads::for_each(std::size_t pieces, const std::function<void(std::size_t)>& piece) const {
  if (!arena_ || pieces < 2) {
    for (std::size_t i = 0; i < pieces; ++i) piece(i);
    return;
  }
  Handover handover;
  const auto run = [&](std::size_t i) {
    handover.enter();
    piece(i);
    handover.leave();
  };
  handover.open();
  arena_->arena.execute(
      [&] { oneapi::tbb::parallel_for(std::size_t{0}, pieces, run, oneapi::tbb::simple_partitioner{}); });
  handover.close();
}

}  // namespace perpend
