// Signs of the hidden layer from 16-bit integers, with an exact fallback.
//
// Only the sign of z = x . w + b is needed (collapsed.h), so it can come from quantized vectors. (x, 1) and (w, b) are
// scaled to the length N = kQuantizedLength and rounded to 16-bit integers. AVX-512 multiplies twice as many of these
// per instruction as floats. If the integer product is further from zero than ambiguity_bound(), its sign is the sign
// of z. Otherwise the sign is ambiguous and falls back to floats: first to a dot product with a bound on its rounding
// and, if that is ambiguous too, to the chain that defines z, which is fused multiply-adds from b over ascending
// features. So the bits are always those of the chain.
//
// The bound. Let n = features + 1, and let X and W be the scaled vectors before rounding, as exact real numbers.
// Scaling by positive factors keeps the sign of z.
//   1. Lengths. The scale is N / sqrt(sum of squares) in floats. A number of the sum goes through n / 16 + 6 roundings
//      of at most u = 2^-24 each, and squares that underflow change the sum by at most n 2^-150 / kLeastSquare < 6 u.
//      The root halves both and, like the quotient, adds a rounding of its own. For n <= 501 that is less than
//      (501 / 16 + 12) / 2 + 2 < 24 roundings; with 32 of them, |X|, |W| <= L = N (1 + 32 u).
//   2. Rounding to integers. fma(x, scale, 1.5 * 2^23) rounds the exact product to an integer once, by at most 1/2. If
//      dX and dW are these roundings, (X + dX) . (W + dW) differs from X . W by at most
//      |X|_1 / 2 + |W|_1 / 2 + n / 4 <= sqrt(n) L + n / 4       (Cauchy and Schwarz: |X|_1 <= sqrt(n) |X|).
//   3. The chain itself has n - 1 roundings. It differs from the exact z by at most (n - 1) u / (1 - (n - 1) u) times
//      sum |x_i w_i|, which is at most n u |x| |w| for n < 4096: n u L^2 after scaling.
//   4. Underflow. A rounding of a denormal number is at most 2^-150. A vector is scaled by at most
//      N / sqrt(kLeastSquare), so n of these roundings become n 2^-150 N^2 / kLeastSquare.
// The bound is the sum of 2, 3 and 4.
//
// No overflow. |X + dX| <= L + sqrt(n) / 2, and the product is at most the square of that, 1.03e9; with twice the
// bound, below 1.5e6, added to it the result stays below 2^31. A single number is at most L + 1/2 < 2^15.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perpend::kernels {

constexpr float kQuantizedLength = 32000;  // the largest round number for which single numbers fit into 16 bits
constexpr std::size_t kMaxQuantizedFeatures = 500;
// Vectors whose squared length is outside of these bounds become zero, which is always ambiguous: below, underflow
// would spoil the bound, and above, squares overflow.
constexpr float kLeastSquare = 1e-36F;
constexpr float kLargestSquare = 1e30F;

// The sign of an integer product is certain if its absolute value exceeds this bound.
std::int32_t ambiguity_bound(std::size_t features);

// Whether quantized signs are faster than floats on this target, for this many features.
bool quantized_signs_are_faster(std::size_t features);
// Whether they are still faster if `fallbacks` of `signs` signs were ambiguous. Columns that are neither centred nor
// scaled leave many signs ambiguous.
bool fallbacks_are_few(std::size_t features, std::size_t fallbacks, std::size_t signs);

// Integers are multiplied in pairs: a quantized vector has 2 * quantized_pairs(features) of them.
constexpr std::size_t quantized_pairs(std::size_t features) { return features / 2 + 1; }

// The vectors (x_i, last_i) to be quantized.
struct VectorsToQuantize {
  std::size_t count = 0;
  std::size_t features = 0;
  const float* x = nullptr;  // (count, features)
  std::size_t stride = 0;
  const float* last = nullptr;  // has room for `count` rounded up to 16
};
// quantized becomes (count, pairs, 2).
void quantize(const VectorsToQuantize& vectors, std::int16_t* quantized);

// Packs up to 64 of these vectors, chosen by `indices`, as (pairs, 64, 2): the order in which integers are multiplied.
// Rows beyond `rows` are zero.
struct QuantizedRows {
  std::size_t rows = 0;
  std::size_t features = 0;
  const std::int16_t* quantized = nullptr;
  const std::uint32_t* indices = nullptr;
};
void pack_quantized(const QuantizedRows& rows, std::int16_t* packed);

}  // namespace perpend::kernels
