#include "perpend/base/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <thread>

namespace perpend {

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

void Threads::for_each(std::size_t pieces, const std::function<void(std::size_t)>& piece) const {
  if (!arena_ || pieces < 2) {
    for (std::size_t i = 0; i < pieces; ++i) piece(i);
    return;
  }
  arena_->arena.execute(
      [&] { oneapi::tbb::parallel_for(std::size_t{0}, pieces, piece, oneapi::tbb::simple_partitioner{}); });
}

}  // namespace perpend
