#include "perpend/data/fetch.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"

namespace perpend {
namespace {

std::string bytes_of(std::uint32_t value, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

// One file `a`, stored without packing.
std::string stored_zip(const std::string& content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  const std::string sizes = bytes_of(size, 4) + bytes_of(size, 4);
  const std::string local =
      "PK\x03\x04" + std::string(14, '\0') + sizes + bytes_of(1, 2) + bytes_of(0, 2) + "a" + content;
  return local + "PK\x01\x02" + std::string(16, '\0') + sizes + bytes_of(1, 2) + std::string(16, '\0') + "a";
}

TEST(Unzip, GivesTheOnlyFile) { EXPECT_EQ(unzip_single(stored_zip("x,y\n1,2\n"), "z.zip"), "x,y\n1,2\n"); }

TEST(Unzip, RefusesWhatIsNoWholeArchive) {
  const std::string whole = stored_zip("x,y\n1,2\n");
  EXPECT_THROW(unzip_single("x,y\n", "z.zip"), DataError);
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    try {
      unzip_single(whole.substr(cut), "z.zip");
    } catch (const DataError& error) {
      EXPECT_EQ(std::string(error.what()).find("z.zip"), 0U);
    }
  }
}

TEST(Fetch, AsksTheMirrorForTheOfficialFilesAndRefusesOtherBytes) {
  std::vector<std::string> asked;
  const PublicSet& sonar = *find_public_set("sonar");
  const auto download = [&](const std::string& address) {
    asked.push_back(address);
    return std::string("0.02,R\n");
  };
  EXPECT_THROW(fetch_public(sonar, "https://mirror.example/uci", download), DataError);
  ASSERT_EQ(asked.size(), sonar.downloads.size());
  EXPECT_EQ(asked[0].find("https://mirror.example/uci/"), 0U);
}

}  // namespace
}  // namespace perpend
