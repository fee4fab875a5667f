// Rows of encoded data, taken out or put together. What belongs to single rows beside them (tangents) is not taken
// along.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/data/dataset.h"

namespace perpend {

// At most `most` rows, drawn by the seed, in their order.
Dataset some_rows(const Dataset& data, std::size_t most, std::uint64_t seed);

// The rows of both, which are encoded alike.
Dataset joined(const Dataset& first, const Dataset& second);

}  // namespace perpend
