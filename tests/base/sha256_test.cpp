#include "perpend/base/sha256.h"

#include <gtest/gtest.h>

namespace perpend {
namespace {

TEST(Sha256, AgreesWithThePublishedExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnTheCutsBetweenUpdates) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * 7);
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    const std::string_view whole(bytes.data(), length);
    for (const std::size_t piece : {1U, 63U, 64U, 65U}) {
      Sha256 hash;
      for (std::size_t at = 0; at < length; at += piece) hash.update(whole.substr(at, piece));
      ASSERT_EQ(hash.hex(), sha256_hex(whole)) << length << " bytes in pieces of " << piece;
    }
  }
}

TEST(Sha256, AsksForTheDigestWithoutEndingTheSum) {
  Sha256 hash;
  hash.update("ab");
  EXPECT_EQ(hash.hex(), sha256_hex("ab"));
  hash.update("c");
  EXPECT_EQ(hash.hex(), sha256_hex("abc"));
}

}  // namespace
}  // namespace perpend
