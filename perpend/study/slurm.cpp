#include "perpend/study/slurm.h"

#include <string_view>

#include "perpend/base/message.h"

namespace perpend {

namespace {

// sbatch reads these lines by rules of its own, so nothing that a user has typed is in them.
std::string directives(const SlurmArray& array) {
  return "#SBATCH --job-name=perpend\n"
         "#SBATCH --array=1-" +
         std::to_string(array.shards) +
         "\n"
         "#SBATCH --ntasks=1\n"
         "#SBATCH --cpus-per-task=" +
         std::to_string(array.threads) +
         "\n"
         "#SBATCH --time=04:00:00\n"
         "#SBATCH --signal=B:USR1@120\n"
         "#SBATCH --requeue\n"
         "#SBATCH --open-mode=append\n";
}

// scancel sends TERM to every process of a task. So the time limit has a signal of its own, because a cancelled task
// must not come back. bash runs a trap when wait returns, and a second wait after the trap gives the program's own
// code.
constexpr std::string_view kTraps = R"(
near_limit=
signals=0
forward() { signals=$((signals + 1)); kill -TERM "$program" 2> /dev/null; }
trap 'near_limit=yes; forward' USR1
trap forward TERM
)";

constexpr std::string_view kWait = R"(program=$!

waited=
while [ "$waited" != "$signals" ]; do
  waited=$signals
  wait "$program"
  code=$?
done

if [ "$code" -eq 75 ] && [ -n "$near_limit" ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && exit 0
fi
exit "$code"
)";

}  // namespace

std::string slurm_script(const SlurmArray& array) {
  std::string command;
  for (const auto& word : array.command) command += shell_word(word) + " ";
  return "#!/bin/bash\n"
         "# Written by perpend sweep --slurm. Submit it with sbatch; submit it again to go on. What is given to "
         "sbatch, such\n"
         "# as --time or --partition, overrules the lines below.\n" +
         directives(array) + std::string(kTraps) + "\ncd " + shell_word(array.working_folder) + " || exit 6\n" +
         command + "\\\n  --shard \"$SLURM_ARRAY_TASK_ID/" + std::to_string(array.shards) +
         "\" --threads \"${SLURM_CPUS_PER_TASK:-1}\" &\n" + std::string(kWait);
}

}  // namespace perpend
