// SHA-256 (FIPS 180-4), the fingerprint that identifies data and model files.
//
// It finds damage and tells files apart. Do not use it for passwords or signatures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perpend {

// Takes bytes in pieces of any size.
class Sha256 {
 public:
  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  std::string hex() const;  // 64 lower-case digits for all bytes so far; more may follow

 private:
  using Block = std::array<std::byte, 64>;
  static void compress(std::array<std::uint32_t, 8>& state, const std::byte* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  Block pending_{};           // the first length_ % 64 bytes are in use
  std::uint64_t length_ = 0;  // bytes so far
};

std::string sha256_hex(std::string_view text);

}  // namespace perpend
