#include "perpend/data/fetch.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

std::string bytes_of(std::uint32_t value, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

// A zip archive with one file `a`, which is not packed.
std::string stored_zip(const std::string& content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  const std::string sizes = bytes_of(size, 4) + bytes_of(size, 4);
  const std::string local =
      "PK\x03\x04" + std::string(14, '\0') + sizes + bytes_of(1, 2) + bytes_of(0, 2) + "a" + content;
  return local + "PK\x01\x02" + std::string(16, '\0') + sizes + bytes_of(1, 2) + std::string(16, '\0') + "a";
}

TEST(Unzip, GivesTheOnlyFile) { EXPECT_EQ(unzip_single(stored_zip("x,y\n1,2\n"), "z.zip", 1000), "x,y\n1,2\n"); }

TEST(Unzip, RefusesWhatIsNoWholeArchive) {
  const std::string whole = stored_zip("x,y\n1,2\n");
  EXPECT_THROW(unzip_single("x,y\n", "z.zip", 1000), DataError);
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    try {
      unzip_single(whole.substr(cut), "z.zip", 1000);
    } catch (const DataError& error) {
      EXPECT_EQ(std::string(error.what()).find("z.zip"), 0U);
    }
  }
}

TEST(Unzip, RefusesAnArchiveThatUnpacksToMoreThanIsExpected) {
  const std::string zip = stored_zip("x,y\n1,2\n");
  EXPECT_EQ(unzip_single(zip, "z.zip", 8), "x,y\n1,2\n");
  EXPECT_THROW(unzip_single(zip, "z.zip", 7), DataError);
}

TEST(Fetch, ReadsNoDeviceAndNoFileOfAnotherSizeFromAMirrorsFolder) {
  const PublicSet& sonar = *find_public_set("sonar");
  const auto none = [](const std::string&, std::size_t) -> std::string { throw IoError("not asked for"); };
  const TempFolder folder;
  const std::string ready = folder.path("sonar.csv");
  std::filesystem::create_symlink("/dev/zero", ready);
  EXPECT_THROW(fetch_public(sonar, folder.path(""), none), IoError);
  std::filesystem::remove(ready);
  std::ofstream(ready).close();
  std::filesystem::resize_file(ready, std::uintmax_t{1} << 40);  // a sparse file, which takes no room
  EXPECT_THROW(fetch_public(sonar, folder.path(""), none), DataError);
}

TEST(Fetch, AsksTheMirrorForTheOfficialFilesAndRefusesOtherBytes) {
  std::vector<std::string> asked;
  const PublicSet& sonar = *find_public_set("sonar");
  const auto download = [&](const std::string& address, std::size_t most) {
    EXPECT_GE(most, sonar.bytes);
    EXPECT_LE(most, 10 * sonar.bytes + (1U << 20));
    asked.push_back(address);
    return std::string("0.02,R\n");
  };
  EXPECT_THROW(fetch_public(sonar, "https://mirror.example/uci", download), DataError);
  ASSERT_EQ(asked.size(), sonar.downloads.size());
  EXPECT_EQ(asked[0].find("https://mirror.example/uci/"), 0U);
}

}  // namespace
}  // namespace perpend
