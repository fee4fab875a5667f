// A stand-in for Slurm runs the script of `sweep --slurm`. tools/slurm_test runs it in a real one.
#include <sys/stat.h>

#include <cstdlib>

#include "tests/cli/program.h"
#include "tests/support/study_results.h"

namespace perpend::test {
namespace {

// Runs the tasks of an array one after the other, each as often as it is queued again. It writes a line for each run to
// $STAND_IN/runs: task, exit code, whether it was queued again. In a task's first run it sends the signal $SIGNAL_FIRST
// to the script once the task has saved something.
constexpr const char* kSbatch = R"sh(#!/bin/bash
script=$1
saved() { cat "$RESULTS"/*.jsonl 2> /dev/null | wc -l; }
export SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID SLURM_CPUS_PER_TASK=1
tasks=$(sed -n 's/^#SBATCH --array=1-//p' "$script")
for ((SLURM_ARRAY_TASK_ID = 1; SLURM_ARRAY_TASK_ID <= tasks; ++SLURM_ARRAY_TASK_ID)); do
  signal=$SIGNAL_FIRST
  queued=yes
  while [ -n "$queued" ]; do
    before=$(saved)
    bash "$script" &
    task=$!
    if [ -n "$signal" ]; then
      while kill -0 "$task" 2> /dev/null && [ "$(saved)" -eq "$before" ]; do sleep 0.01; done
      kill -s "$signal" "$task"
      signal=
    fi
    wait "$task"
    code=$?
    queued=$(cat "$STAND_IN/queue" 2> /dev/null)
    rm -f "$STAND_IN/queue"
    echo "$SLURM_ARRAY_TASK_ID $code $queued" >> "$STAND_IN/runs"
  done
done
)sh";
constexpr const char* kScontrol = R"sh(#!/bin/bash
echo "$*" > "$STAND_IN/queue"
)sh";

class SlurmArrayJob : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(stand_in());
    std::filesystem::create_directory(work());
    std::ofstream(work() / kStudy) << small_study(20, 40);
    write_program("sbatch", kSbatch);
    write_program("scontrol", kScontrol);
    ::setenv("STAND_IN", stand_in().c_str(), 1);
    ::setenv("RESULTS", (work() / kFolder / "results").c_str(), 1);
    ::setenv("PATH", (stand_in().string() + ":" + path_before_).c_str(), 1);
  }
  void TearDown() override { ::setenv("PATH", path_before_.c_str(), 1); }

  // Runs in the folder where the user works, which is not the study's.
  Finished in_work(const std::string& program, const std::vector<std::string>& words) const {
    std::vector<std::string> all = {"-c", "cd \"$1\" && shift && exec \"$@\"", "sh", work().string(), program};
    all.insert(all.end(), words.begin(), words.end());
    return run_program("/bin/sh", all);
  }

  void make_script() const {
    const auto run = in_work(PERPEND_PROGRAM, {"sweep", kStudy, "-o", kFolder, "--slurm", "2"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "sbatch")) << run.out;
  }
  std::string submit(const std::string& signal_first) const {
    ::setenv("SIGNAL_FIRST", signal_first.c_str(), 1);
    std::filesystem::remove(stand_in() / "runs");
    const auto run = run_program((stand_in() / "sbatch").string(), {(work() / kFolder / "array.sh").string()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return file_content(stand_in() / "runs");
  }
  StoredStudy stored() const { return stored_study(work() / kFolder); }
  std::filesystem::path work() const { return folder_.path() / "it's \"my\" $work"; }

  static constexpr const char* kStudy = "a 'study' & more.toml";
  static constexpr const char* kFolder = "to \"that\" \\folder";

 private:
  std::filesystem::path stand_in() const { return folder_.path() / "stand-in"; }
  void write_program(const std::string& name, const char* text) const {
    std::ofstream(stand_in() / name) << text;
    ::chmod((stand_in() / name).c_str(), 0755);
  }
  TemporaryFolder folder_;
  std::string path_before_ = std::getenv("PATH");
};

TEST_F(SlurmArrayJob, NearItsTimeLimitIsQueuedAgainAndFinishes) {
  make_script();
  EXPECT_EQ(submit("USR1"), "1 0 requeue 7_1\n1 0 \n2 0 requeue 7_2\n2 0 \n");
  const auto whole = in_work(PERPEND_PROGRAM, {"sweep", kStudy, "-o", "whole"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(stored().results.size(), 200U);
  EXPECT_EQ(stored().twice, std::vector<std::string>{});
  EXPECT_EQ(stored().results, stored_study(work() / "whole").results);
}

TEST_F(SlurmArrayJob, ThatIsCancelledStaysSoUntilItIsSubmittedAgain) {
  make_script();
  EXPECT_EQ(submit("TERM"), "1 75 \n2 75 \n");
  EXPECT_LT(stored().results.size(), 200U);
  EXPECT_EQ(submit(""), "1 0 \n2 0 \n");
  EXPECT_EQ(stored().results.size(), 200U);
}

TEST_F(SlurmArrayJob, ThatFailsEndsWithItsCode) {
  make_script();
  std::filesystem::remove(work() / kStudy);
  EXPECT_EQ(submit(""), "1 6 \n2 6 \n");
}

}  // namespace
}  // namespace perpend::test
