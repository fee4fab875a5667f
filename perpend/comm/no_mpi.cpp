#include "perpend/comm/comm.h"

namespace perpend {

std::unique_ptr<Comm> join_ranks() { return alone(); }

std::string mpi_version() { return ""; }

}  // namespace perpend
