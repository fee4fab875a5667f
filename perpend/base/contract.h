// The numeric contract: what perpend computes from given weights, data and seed is fixed to the bit. A change of a
// single bit (another order of sums, another random stream, another approximation of exp) raises a number here, so that
// nobody confuses the results of two contracts.
#pragma once

namespace perpend {

// The version of all computations. Trial ids carry it.
constexpr int kContractVersion = 2;
// The version of predictions from given weights. Model files carry it. Contract 2 changed training only.
constexpr int kPredictionContract = 1;

}  // namespace perpend
