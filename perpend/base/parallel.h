// Deterministic parallel work.
//
// The caller cuts the work into numbered pieces. Piece i reads and writes only what belongs to its number, so the
// result does not depend on which thread runs it. oneTBB runs the pieces. Nested use shares the same threads.
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
  // Calls piece(0) .. piece(pieces - 1), each once, in any order. It throws the first exception that a piece throws.
  void for_each(std::size_t pieces, const std::function<void(std::size_t)>& piece) const;

  // Calls work() on one of these threads. for_each inside it then starts at once, without joining the threads again.
  void run(const std::function<void()>& work) const;

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;  // none for a single thread
};

}  // namespace perpend
