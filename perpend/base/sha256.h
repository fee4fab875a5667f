// SHA-256 (FIPS 180-4): the fingerprint of data and model files. Says whether bytes changed, not who changed them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perpend {

class Sha256 {
 public:
  static constexpr std::size_t kDigits = 64;

  void update(std::string_view bytes);
  // The digest as 64 lower-case hexadecimal digits of all bytes so far; more may follow.
  std::string hex() const;

 private:
  void compress(const char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, 64> pending_{};  // the first length_ % 64 of them are bytes that fill no block yet
  std::uint64_t length_ = 0;
};

std::string sha256_hex(std::string_view bytes);

}  // namespace perpend
