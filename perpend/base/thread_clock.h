// The processor time of the calling thread, in seconds. It does not count while other programs have the core, so it
// tells what work costs even on a busy machine. Only the difference of two calls on the same thread has a meaning.
#pragma once

#include <ctime>

#include "perpend/base/error.h"

namespace perpend {

inline double thread_seconds() {
  timespec now{};
  PERPEND_CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace perpend
