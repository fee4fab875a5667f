// Switches that turn a fast path off. With them, bench_paths measures how much time each path saves in a training step,
// and tests check that it changes no bit. Only measurements and tests use them.
#pragma once

#include <array>
#include <cstddef>

namespace perpend::kernels {

enum class FastPath {
  collapsed,         // one ReLU layer with two classes has its own engine (model/collapsed_member.h)
  quantized_signs,   // the signs of the hidden layer come from 16-bit integers (quantized.h)
  interleaved_sums,  // sparse row sums run while the signs of the next rows are found (sparse_row_sum.h)
  remainder_columns  // one or two columns of U that tables leave over are summed with the signs (sparse_row_sum.h)
};
constexpr std::size_t kFastPaths = 4;

// A path is on unless a Without has turned it off. Engines ask when they are made, not in each step.
bool is_on(FastPath path);

// Turns a path off during its lifetime. Not thread-safe.
class Without {
 public:
  explicit Without(FastPath path);
  ~Without();
  Without(const Without&) = delete;
  Without& operator=(const Without&) = delete;

 private:
  std::array<bool, kFastPaths> before_;
};

}  // namespace perpend::kernels
