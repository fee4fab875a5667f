// Kills a sweep with kill -9 at random moments, PERPEND_KILLS times (50 when not set; `make soak` takes 1,000).
#include <cstdlib>
#include <random>

#include "tests/cli/program.h"
#include "tests/support/study_results.h"

namespace perpend::test {
namespace {

constexpr std::size_t kTrials = 200;

int wanted_kills() {
  const char* given = std::getenv("PERPEND_KILLS");
  return given == nullptr ? 50 : std::stoi(given);
}

class KilledSweep : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(path("study.toml")) << small_study(20); }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::vector<std::string> sweep(const std::string& name, const std::string& threads) const {
    return {"sweep", path("study.toml"), "-o", path(name), "--threads", threads, "--list-saved"};
  }

  // Kills at a random moment of the time in which up to eight results are saved. Half of the moments are before the
  // first result. Every result that was reported as saved must be found. Returns whether the sweep was killed before
  // its end.
  bool killed(const std::string& name) {
    const RunningProgram program(PERPEND_PROGRAM, sweep(name, random_() % 2 == 0 ? "1" : "2"));
    const std::size_t results = random_() % 2 == 0 ? 0 : 1 + random_() % 8;
    while (ids_in(program.output_so_far()).size() < results && !program.ended()) pause(1000);
    pause(random_() % (results == 0 ? 100'000 : 5'000));
    program.send(SIGKILL);
    const auto run = program.wait();
    const auto stored = stored_study(path(name));
    for (const auto& id : ids_in(run.out)) {
      EXPECT_TRUE(stored.results.contains(id)) << id << " was told to be saved and is lost";
    }
    for (const auto& id : found_) EXPECT_TRUE(stored.results.contains(id)) << id << " is lost";
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 128 + SIGKILL) << run.err;
    for (const auto& [id, result] : stored.results) found_.push_back(id);
    return run.exit_code != 0;
  }

  void expect_as_if_nothing_had_happened(const std::string& name) {
    ASSERT_EQ(perpend(sweep(name, "2")).exit_code, 0);
    const auto stored = stored_study(path(name));
    EXPECT_EQ(stored.results.size(), kTrials);
    EXPECT_EQ(stored.twice, std::vector<std::string>{});
    EXPECT_EQ(stored.results, stored_study(path("whole")).results);
    EXPECT_EQ(table(name), table("whole"));
    found_.clear();
  }

 private:
  std::string table(const std::string& name) const {
    const auto run = perpend({"table", path(name), "--format", "csv"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }
  static void pause(unsigned long microseconds) {
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  }
  TemporaryFolder folder_;
  std::mt19937 random_{7};
  std::vector<std::string> found_;
};

TEST_F(KilledSweep, LosesNothingAndRunsNothingTwice) {
  ASSERT_EQ(perpend(sweep("whole", "2")).exit_code, 0);
  ASSERT_EQ(stored_study(path("whole")).results.size(), kTrials);
  const int wanted = wanted_kills();
  int studies = 0;
  for (int kills = 0; kills < wanted && !HasFailure(); ++studies) {
    const std::string name = std::to_string(studies);
    while (kills < wanted && killed(name)) ++kills;
    expect_as_if_nothing_had_happened(name);
    std::filesystem::remove_all(path(name));
  }
  RecordProperty("kills", wanted);
  RecordProperty("studies", studies);
}

}  // namespace
}  // namespace perpend::test
