// Arithmetic with sizes that come from a file. Every product or sum of such sizes is computed here, so none overflows.
#pragma once

#include <cstddef>
#include <new>
#include <optional>

namespace perpend {

// a * b + c, or nothing when that is more than a std::size_t holds.
constexpr std::optional<std::size_t> checked_size(std::size_t a, std::size_t b, std::size_t c = 0) {
  std::size_t size = 0;
  if (__builtin_mul_overflow(a, b, &size) || __builtin_add_overflow(size, c, &size)) return std::nullopt;
  return size;
}

// a * b, the size of memory that is about to be allocated. Throws std::bad_alloc when the product overflows.
constexpr std::size_t checked_product(std::size_t a, std::size_t b) {
  const auto size = checked_size(a, b);
  if (!size) throw std::bad_alloc();
  return *size;
}

}  // namespace perpend
