// Deterministic parallel work.
//
// Work is cut into numbered pieces by the caller; piece i reads and writes what its number says and nothing else, so
// the result cannot depend on which thread ran it. oneTBB runs the pieces; nested use shares the same threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace perpend {

class Threads {
 public:
  explicit Threads(int count);  // 0: as many as the machine has
  ~Threads();
  Threads(Threads&&) noexcept;
  Threads& operator=(Threads&&) noexcept;

  int count() const;
  // Calls piece(0) .. piece(pieces - 1), each once, in any order. The first exception thrown comes out here.
  void for_each(std::size_t pieces, const std::function<void(std::size_t)>& piece) const;

  // Calls work() on one of these threads. for_each inside it then starts at once, without joining the threads again.
  void run(const std::function<void()>& work) const;

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;  // none for a single thread
};

}  // namespace perpend
