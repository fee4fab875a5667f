// The processes that share one job: ranks 0 to size - 1. mpirun starts them. Without mpirun there is one rank.
//
// A rank that waits for another one sleeps, so that the trainings have the cores. Calls that every rank makes
// (broadcast, barrier, any) come from one thread per rank, in the same order on all ranks.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace perpend {

class Comm {
 public:
  virtual ~Comm() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Every rank calls it. Every rank gets rank 0's text.
  virtual std::string broadcast(std::string text) = 0;
  // Returns when every rank has called it. take() then counts from 0 again. No thread may be in take() meanwhile.
  virtual void barrier() = 0;
  // Counts 0, 1, 2, ...: each number goes to exactly one caller among all ranks and threads. Any thread may call it.
  virtual std::size_t take() = 0;
  // Returns whether `here` is true on any rank. Every rank calls it and gets the same answer.
  virtual bool any(bool here) = 0;
};

// A job of this process alone.
std::unique_ptr<Comm> alone();

// The ranks of mpirun, or alone() if there are none or perpend was built without MPI. Call it once per process, before
// there are other threads. A process that no launcher has started never initialises MPI, so it starts as fast as
// without MPI.
//
// The ranks leave together: the destructor waits for all of them. A rank that leaves by an exception does not wait; it
// says what was wrong, then calls end_ranks.
std::unique_ptr<Comm> join_ranks();

// If an exception has destroyed the communicator of this rank, ends all ranks of the job, this process included, with
// this exit code. In every other case it does nothing.
void end_ranks(int exit_code);

// The version of the MPI library that perpend was built with; empty without MPI.
std::string mpi_version();

}  // namespace perpend
