// Takes rows out of encoded data, or joins such data. Other data of single rows (tangents) are not copied.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/data/dataset.h"

namespace perpend {

// Returns at most `most` rows, drawn by the seed, in their order.
Dataset some_rows(const Dataset& data, std::size_t most, std::uint64_t seed);

// Returns the rows of both, which must be encoded alike.
Dataset joined(const Dataset& first, const Dataset& second);

}  // namespace perpend
