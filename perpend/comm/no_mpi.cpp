#include "perpend/comm/comm.h"

namespace perpend {

std::unique_ptr<Comm> join_ranks() { return alone(); }

void end_ranks(int /*exit_code*/) {}

std::string mpi_version() { return ""; }

}  // namespace perpend
