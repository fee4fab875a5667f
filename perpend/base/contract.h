// The numeric contract: what perpend computes from given weights, data and seed is fixed to the bit. A change of a
// single bit (another order of sums, another random stream, another approximation of exp) raises a number here, so that
// nobody confuses the results of two contracts.
#pragma once

namespace perpend {

// The version of all computations. Trial ids carry it.
constexpr int kContractVersion = 4;
// The version of predictions from given weights. Model files carry it. Contracts 2 to 4 changed
// training only: the score of LIT, and twice the defaults of a training.
constexpr int kPredictionContract = 1;

}  // namespace perpend
