// The processes that share one job: ranks 0 to size - 1. One of them alone, or those that mpirun has started.
//
// Waiting for another rank sleeps; the cores belong to the trainings. Calls that every rank makes (broadcast, barrier,
// any) come from one thread of each rank, in the same order on all of them.
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
  // Every rank calls it and gets rank 0's text.
  virtual std::string broadcast(std::string text) = 0;
  // Returns when every rank has called it. Counting (take) starts again from 0; no thread may be in take meanwhile.
  virtual void barrier() = 0;
  // 0, 1, 2, ...: each number goes to one caller of all ranks and threads. From any thread.
  virtual std::size_t take() = 0;
  // Whether any rank says so; every rank calls it and gets the same answer.
  virtual bool any(bool here) = 0;
};

// This process alone.
std::unique_ptr<Comm> alone();

// The ranks of mpirun; alone() when there are none or perpend was built without MPI. Once a process, before other
// threads. A process that no launcher has started never initialises MPI: the program starts as fast as without it.
//
// The ranks leave together: the destructor waits for all of them. A rank that leaves by an exception does not wait; it
// says what was wrong, then calls end_ranks.
std::unique_ptr<Comm> join_ranks();

// After a rank has been left by an exception: ends all ranks of the job, this process included, with this exit code.
// Returns, having done nothing, in every other case.
void end_ranks(int exit_code);

// The version of the MPI library that perpend was built with; empty: none.
std::string mpi_version();

}  // namespace perpend
