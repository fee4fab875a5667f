// The numeric contract: what perpend computes from given weights, data and seed is fixed to the bit. Whatever changes a
// single bit of it (an order of sums, a random stream, an approximation of exp) raises this number; files and trial ids
// carry it, so that results of two contracts are never taken for each other.
#pragma once

namespace perpend {

constexpr int kContractVersion = 1;

}  // namespace perpend
