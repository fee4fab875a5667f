// The kernels of the collapsed engine: one ReLU layer and a log-odds, computed by three products. Only one bit is kept
// per hidden unit and row.
//
// A member is s = sum_h S_h z_h v_h + c with z = x W + b, S_h = [z_h > 0] [unit h not dropped], v = (w2[:,1] - w2[:,0])
// / keep and c = b2[1] - b2[0]. B rows, D features and H units; e and R are the adjoints of score and input gradient.
//
// Forward, without input gradients:
//     bits S and scores s        from z, which never leaves the registers            (scores)
// Forward, with input gradients. The score then costs less, because it is linear in x as long as no bit changes:
//     bits S                     from the signs of z                                 (float_signs, quantized_signs)
//     G = S U^T,  U = W * v      per row a sum over active units                     (input_gradient, InterleavedSum)
//     s = x . G + (sum_h S_h b_h v_h + c)                                            (add_scores)
// Backward:
//     T = e X + R,  Q = [T, e]^T S    per unit a sum over active rows                (unit_sums)
//     dW = Q_T v,  db = q_e v,  dv = W . Q_T + b q_e                                 (unit_gradients)
// S is sparse: under drop-out 0.5 a quarter of its bits are set. So G and Q are sparse row sums (sparse_row_sum.h).
//
// Weights are stored unit by unit: W is (H, D) without padding.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/kernels/bits.h"
#include "perpend/kernels/indexed_rows.h"
#include "perpend/kernels/quantized.h"
#include "perpend/kernels/sparse_row_sum.h"

namespace perpend::kernels {

// Packs up to 64 rows as (features, 64): the order in which floats are multiplied. Rows beyond `rows` are zero.
void pack_group(std::size_t rows, std::size_t features, const IndexedRows& x, float* packed);

// The inputs of the sign kernels, for one group of 64 rows and one member.
//
// Besides finding the bits, these kernels sum columns over the active units, because the masks are at hand. A column
// has one number per unit. The first column is b v, the biases' part of the score. The others are the remainder columns
// of U.
constexpr std::size_t kMaxColumns = 1 + kMaxRemainder;
struct SignInputs {
  std::size_t features = 0;
  std::size_t units = 0;
  const float* packed = nullptr;                    // float kernels: the rows by pack_group
  const std::int16_t* quantized_rows = nullptr;     // quantized kernel: the rows by pack_quantized,
  const std::int16_t* quantized_weights = nullptr;  // the units by quantize,
  IndexedRows rows;                                 // and the rows that were quantized
  const float* weights = nullptr;
  const float* bias = nullptr;
  const std::uint64_t* kept = nullptr;  // the drop-out mask per unit, without the bits of rows that do not exist
  std::size_t column_count = 1;         // at most kMaxColumns
  const float* columns = nullptr;       // (column_count, units); for `scores` it is v
};
struct SignOutputs {
  std::uint64_t* by_unit = nullptr;  // the bits S, one word per unit
  float* sums = nullptr;             // (column_count, 64): chains over ascending units; they continue what is there
};
// Finds the bits, and adds the score to `sums` as a chain of z v.
void scores(const SignInputs& in, const SignOutputs& out);
// Finds the same bits, and sums the columns. `interleaved` may be null.
void float_signs(const SignInputs& in, const SignOutputs& out, InterleavedSum* interleaved);
// Does the same with integers. Returns how many signs were ambiguous and fell back to floats.
std::size_t quantized_signs(const SignInputs& in, const SignOutputs& out, InterleavedSum* interleaved);

// Adds x_r . G_r to score[r]. The dot product is a sum over sixteen lanes, folded in halves. The rows of x and G are
// padded with zeros to 16 columns.
struct ScoreRows {
  std::size_t rows = 0;  // at most kRowsPerBlock
  std::size_t features = 0;
  IndexedRows x;
  const float* gradient = nullptr;
  std::size_t gradient_stride = 0;
};
void add_scores(const ScoreRows& rows, float* score);

// Turns the sums Q of some units into the gradients of their weights. v includes the factor 1 / keep. d_v becomes the
// gradient by v times 1 / keep, which is the gradient by w2.
struct UnitGradients {
  std::size_t features = 0;
  std::size_t units = 0;
  const float* sums = nullptr;  // (units, D + 1): column D is q_e
  std::size_t sums_stride = 0;
  const float* weights = nullptr;
  const float* bias = nullptr;
  const float* v = nullptr;
  float inverse_keep = 1;
  float* d_weights = nullptr;  // (units, D) without padding
  float* d_bias = nullptr;
  float* d_v = nullptr;
};
void unit_gradients(const UnitGradients& args);

}  // namespace perpend::kernels
