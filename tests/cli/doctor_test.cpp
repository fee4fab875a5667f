#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "perpend/comm/comm.h"
#include "perpend/data/codecs.h"
#include "tests/cli/program.h"

namespace perpend::test {
namespace {

Finished doctor(const std::string& data_dir, const std::string& more = "--json") {
  return perpend({"doctor", "--data-dir", data_dir, more});
}

TEST(Doctor, JsonSaysWhatIsThere) {
  const TemporaryFolder folder;
  const auto run = doctor((folder.path() / "none").string());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto facts = nlohmann::json::parse(run.out);
  EXPECT_EQ(facts.at("targets").at(0), facts.at("target"));
  EXPECT_EQ(facts.at("targets").back(), "SCALAR");
  EXPECT_GE(facts.at("threads"), 1);
  EXPECT_GT(facts.at("peak_gflops"), 0.0);
  EXPECT_EQ(facts.at("mpi"), mpi_version().empty() ? nlohmann::json() : nlohmann::json(mpi_version()));
  EXPECT_EQ(facts.at("codecs").get<std::vector<std::string>>(), codec_names());
  EXPECT_EQ("perpend " + facts.at("versions").at("perpend").get<std::string>() + "\n", perpend({"--version"}).out);
  EXPECT_GE(facts.at("versions").at("contract"), 1);
  EXPECT_EQ(facts.at("data").at("exists"), false);
  EXPECT_EQ(facts.at("data").at("here").size(), 0U);
  EXPECT_EQ(facts.at("data").at("absent").size(), 5U);
}

TEST(Doctor, TextEndsWithAllWellOrWhatToDo) {
  const TemporaryFolder folder;
  const auto facts = nlohmann::json::parse(doctor(folder.path().string()).out);
  const auto run = perpend({"doctor", "--data-dir", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(has_control_bytes(run.out));
  EXPECT_EQ(contains(run.out, "\nall well\n"), facts.at("advice").empty()) << run.out;
  EXPECT_TRUE(contains(run.out, facts.at("target").get<std::string>()));
}

TEST(Doctor, ADamagedSetIsNamedWithTheCommandThatMendsIt) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "sonar.csv") << "a,target\n1,2\n";
  const auto facts = nlohmann::json::parse(doctor(folder.path().string()).out);
  EXPECT_EQ(facts.at("data").at("damaged"), nlohmann::json({"sonar"}));
  const auto run = perpend({"doctor", "--data-dir", folder.path().string()});
  EXPECT_TRUE(contains(run.out, "perpend data fetch sonar")) << run.out;
  EXPECT_FALSE(contains(run.out, "all well"));
}

TEST(Doctor, ReadsNoMoreThanASetHasWhateverHasItsName) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/zero", folder.path() / "sonar.csv");
  ASSERT_EQ(::mkfifo((folder.path() / "ionosphere.csv").c_str(), 0600), 0);
  std::ofstream(folder.path() / "mushroom.csv");
  std::filesystem::resize_file(folder.path() / "mushroom.csv", std::uintmax_t{3} << 30);
  const auto run = doctor(folder.path().string());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out).at("data").at("damaged").size(), 3U) << run.out;
  EXPECT_TRUE(took_little_memory(run)) << run.peak_kib;
}

}  // namespace
}  // namespace perpend::test
