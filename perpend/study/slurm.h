// A study as an array job of Slurm, for clusters with or without MPI. Task i of n runs shard i, alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perpend {

struct SlurmArray {
  // The program and the words of the whole sweep, as typed, without --shard and --threads.
  std::vector<std::string> command;
  std::string working_folder;  // the folder where it was typed: relative paths start there
  std::size_t shards = 1;
  int threads = 1;  // of each task; sbatch --cpus-per-task may ask for others
};

// Returns a bash script for sbatch. A task whose time limit is near stops, keeps what it has saved, and is queued again
// until its shard is finished. So the limit may be short, as long as the longest trial fits in. Slurm itself queues a
// task again when it is preempted or its machine fails. scancel cancels. In every other case the task ends with
// perpend's exit code. To continue from what is saved, submit the script again.
std::string slurm_script(const SlurmArray& array);

}  // namespace perpend
