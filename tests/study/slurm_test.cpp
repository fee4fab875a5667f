#include "perpend/study/slurm.h"

#include "tests/support/run_program.h"

namespace perpend {
namespace {

std::string line_with(const std::string& text, const std::string& start) {
  const auto first = text.find("\n" + start);
  return first == text.npos ? "" : text.substr(first + 1, text.find('\n', first + 1) - first - 1);
}

TEST(SlurmScript, IsBashThatAsksForWhatTheStudyNeeds) {
  const std::string script = slurm_script({.command = {"/opt/it's/perpend", "sweep", "my study.toml"},
                                           .working_folder = "/tmp",
                                           .shards = 8,
                                           .threads = 4});
  EXPECT_EQ(script.rfind("#!/bin/bash\n", 0), 0U);
  EXPECT_EQ(line_with(script, "#SBATCH --array"), "#SBATCH --array=1-8");
  EXPECT_EQ(line_with(script, "#SBATCH --cpus-per-task"), "#SBATCH --cpus-per-task=4");
  EXPECT_EQ(line_with(script, "#SBATCH --requeue"), "#SBATCH --requeue");
  EXPECT_EQ(line_with(script, "#SBATCH --signal").rfind("#SBATCH --signal=B:USR1@", 0), 0U);
  EXPECT_NE(script.find("'/opt/it'\\''s/perpend' sweep 'my study.toml'"), script.npos) << script;
  const auto run = test::run_program("/bin/bash", {"-n", "-c", script});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

}  // namespace
}  // namespace perpend
