// Starts programs as ranks of a job on this machine. There are more ranks than cores.
#pragma once

#include <unistd.h>

#include <string>
#include <vector>

#include "perpend/comm/comm.h"
#include "tests/support/run_program.h"

namespace perpend::test {

inline std::vector<std::string> mpirun_words(int ranks, const std::vector<std::string>& words) {
  std::vector<std::string> all = {"--allow-run-as-root", "--oversubscribe", "-n", std::to_string(ranks)};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

inline Finished mpirun(int ranks, const std::vector<std::string>& words) {
  return run_program(PERPEND_MPIRUN, mpirun_words(ranks, words));
}

class Ranks : public testing::Test {
 protected:
  void SetUp() override {
    if (mpi_version().empty()) GTEST_SKIP() << "this perpend was built without MPI (libopenmpi-dev)";
    if (::access(PERPEND_MPIRUN, X_OK) != 0) GTEST_SKIP() << "there is no mpirun (openmpi-bin)";
  }
};

}  // namespace perpend::test
