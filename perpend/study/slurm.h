// A study as an array job of Slurm, for clusters with or without MPI: task i of n runs shard i, alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perpend {

struct SlurmArray {
  std::vector<std::string> command;  // the program and the words of the whole sweep, as typed; no --shard, no --threads
  std::string working_folder;        // where it was typed: relative paths start there
  std::size_t shards = 1;
  int threads = 1;  // of each task; whoever submits may ask for others with sbatch --cpus-per-task
};

// A bash script for sbatch. A task whose time limit is near stops, keeps what it has saved, and is queued again until
// its shard is finished; so the limit may be short, if the longest trial fits in. Slurm queues a task again by itself
// when it is preempted or its machine fails. scancel cancels; every other end than the time limit ends the task with
// perpend's exit code. Submitting the script again goes on from what is saved.
std::string slurm_script(const SlurmArray& array);

}  // namespace perpend
