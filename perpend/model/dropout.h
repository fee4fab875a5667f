// Which drop-out mask a forward pass uses.
#pragma once

#include <cstdint>

#include "perpend/base/random.h"

namespace perpend {

// keep = 1 means no drop-out. Masks come from the stream (seed, dropout, member, step). They are the same for any batch
// order, thread or path through the engine.
struct Dropout {
  double keep = 1;
  std::uint64_t seed = 0;
  std::uint32_t step = 0;

  StreamName stream(std::size_t member) const {
    return {.seed = seed, .purpose = Purpose::dropout, .member = static_cast<std::uint32_t>(member), .step = step};
  }
};

}  // namespace perpend
