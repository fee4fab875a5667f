// The numeric contract: what perpend computes from given weights, data and seed is fixed to the bit. Whatever changes a
// single bit of it (an order of sums, a random stream, an approximation of exp) raises a number here, so that results
// of two contracts are never taken for each other.
#pragma once

namespace perpend {

// Of all of it; trial ids carry this one.
constexpr int kContractVersion = 2;
// Of what weights predict; model files carry this one. Contract 2 changed training alone.
constexpr int kPredictionContract = 1;

}  // namespace perpend
