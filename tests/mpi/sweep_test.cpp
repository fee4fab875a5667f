// One study runs over any number of ranks, which come and go.
#include <csignal>

#include "tests/mpi/mpirun.h"
#include "tests/support/study_results.h"

namespace perpend::test {
namespace {

class RanksOfASweep : public Ranks {
 protected:
  std::vector<std::string> sweep(const std::string& name, const std::string& threads = "1") const {
    return {PERPEND_PROGRAM, "sweep", study_, "-o", folder(name).string(), "--threads", threads, "--list-saved"};
  }
  std::filesystem::path folder(const std::string& name) const { return folder_.path() / name; }

  void run_alone(const std::string& name, const std::vector<std::string>& more = {}) const {
    auto words = sweep(name);
    words.erase(words.begin());
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_program(PERPEND_PROGRAM, words);
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  // Writes the study. Returns the sha256 of the results of one process.
  std::string expected(int restarts, int epochs) {
    std::ofstream(study_) << small_study(restarts, epochs);
    trials_ = 10 * static_cast<std::size_t>(restarts);
    run_alone("alone");
    const auto stored = stored_study(folder("alone"));
    EXPECT_EQ(stored.results.size(), trials_);
    return sha256_of(stored);
  }

  void expect_whole(const std::string& name, const std::string& sha256) const {
    const auto stored = stored_study(folder(name));
    EXPECT_EQ(stored.results.size(), trials_);
    EXPECT_EQ(stored.twice, std::vector<std::string>{});
    EXPECT_EQ(sha256_of(stored), sha256);
  }

  // Begins a sweep with three ranks, and ends it by `end` when the first result is there. Returns how it ended.
  template <class End>
  Finished begun(const std::string& name, const End& end) const {
    const RunningProgram job(PERPEND_MPIRUN, mpirun_words(3, sweep(name)));
    job.wait_for_output();
    end(job);
    const Finished run = job.wait();
    const auto stored = stored_study(folder(name));
    EXPECT_LT(stored.results.size(), trials_) << "it was done before it was ended";
    for (const auto& id : ids_in(run.out)) EXPECT_TRUE(stored.results.contains(id)) << id;
    return run;
  }

 private:
  TemporaryFolder folder_;
  std::string study_ = (folder_.path() / "study.toml").string();
  std::size_t trials_ = 0;
};

// The ranks, in the order in which mpirun started them.
std::vector<pid_t> ranks_of(const RunningProgram& job) {
  const std::string id = std::to_string(job.process());
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  return {std::istream_iterator<pid_t>(children), {}};
}

TEST_F(RanksOfASweep, GiveWhatOneProcessGives) {
  const std::string sha256 = expected(8, 2);
  for (const int ranks : {1, 2, 3, 4}) {
    for (const std::string threads : {"1", "2"}) {
      const std::string name = std::to_string(ranks) + "x" + threads;
      const auto run = mpirun(ranks, sweep(name, threads));
      ASSERT_EQ(run.exit_code, 0) << run.err;
      expect_whole(name, sha256);
    }
  }
}

TEST_F(RanksOfASweep, ShardsInAnyOrderGiveWhatOneProcessGives) {
  const std::string sha256 = expected(8, 2);
  for (const std::string shard : {"2/3", "3/3", "1/3"}) run_alone("shards", {"--shard", shard});
  expect_whole("shards", sha256);
}

TEST_F(RanksOfASweep, ARankThatIsKilledEndsTheJobAndAnyNumberOfRanksGoesOn) {
  const std::string sha256 = expected(12, 300);
  for (const std::size_t victim : {0, 2}) {
    const std::string name = "killed" + std::to_string(victim);
    const auto run = begun(name, [&](const RunningProgram& job) {
      const auto ranks = ranks_of(job);
      ASSERT_EQ(ranks.size(), 3U);
      ::kill(ranks[victim], SIGKILL);
    });
    EXPECT_EQ(run.exit_code, 128 + SIGKILL) << run.err;
    const auto rest = mpirun(static_cast<int>(victim) + 2, sweep(name));
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    expect_whole(name, sha256);
  }
}

TEST_F(RanksOfASweep, AnInterruptOfTheJobKeepsWhatIsSavedAndOneProcessGoesOn) {
  const std::string sha256 = expected(12, 600);
  const auto run = begun("stopped", [](const RunningProgram& job) {
    for (const pid_t rank : ranks_of(job)) ::kill(rank, SIGTERM);
  });
  EXPECT_EQ(run.exit_code, 75) << run.err;
  EXPECT_NE(run.err.find("perpend: interrupted"), run.err.npos) << run.err;
  const auto again = begun("stopped", [](const RunningProgram& job) { job.send(SIGTERM); });
  EXPECT_NE(again.exit_code, 0);
  run_alone("stopped");
  expect_whole("stopped", sha256);
}

TEST_F(RanksOfASweep, AnErrorOfEveryRankEndsTheJobWithItsCode) {
  auto words = sweep("none");
  words[2] = folder("absent.toml").string();
  const auto run = mpirun(2, words);
  EXPECT_EQ(run.exit_code, 6) << run.err;
  EXPECT_NE(run.err.find("absent.toml"), run.err.npos) << run.err;
}

}  // namespace
}  // namespace perpend::test
