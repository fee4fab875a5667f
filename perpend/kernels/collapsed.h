// One ReLU layer and a log-odds, collapsed: three products, and of the hidden layer only bits are kept.
//
// A member is s = sum_h S_h z_h v_h + c with z = x W + b, S_h = [z_h > 0] [unit h not dropped], v = (w2[:,1] - w2[:,0])
// / keep and c = b2[1] - b2[0]. Then (B rows, D features, H units; e and R are the adjoints of score and input
// gradient):
//     bits S and scores s        from z, which never leaves the registers            (scores)
// or, where the input gradient is wanted, which makes the score cheaper, as that is linear while no bit changes,
//     bits S                     from the signs of z                                 (signs_by_floats, _by_integers)
//     G = S U^T,  U = W * v      per row a sum over active units                     (input_gradient, WalkBeside)
//     s = x . G + (sum_h S_h b_h v_h + c)                                            (add_scores)
// and on the way back
//     T = e X + R,  Q = [T, e]^T S    per unit a sum over active rows                (unit_sums)
//     dW = Q_T v,  db = q_e v,  dv = W . Q_T + b q_e                                 (unit_gradients)
// S is sparse (a quarter of it is set under drop-out 0.5), so the last two products walk lists of its set bits; adding
// what is set, in ascending order, gives the bits of the dense product, since a zero adds nothing to a chain.
//
// Weights are kept per unit: W is (H, D) without padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/aligned.h"
#include "perpend/kernels/bits.h"

namespace perpend::kernels {

// How the columns of a walked matrix are cut: tables of 32, 16 or 8 columns that stay in the first-level cache, and up
// to two left-over columns, which cost less as dense sums under a mask.
constexpr std::size_t kMaxLeftover = 2;
struct ColumnPlan {
  explicit ColumnPlan(std::size_t n);
  std::size_t columns;
  std::size_t tables;      // each kTableFloats long
  std::size_t last_width;  // columns of the last table: 8, 16 or 32
  std::size_t leftover;    // the last columns, at most kMaxLeftover
  std::size_t first_leftover() const { return columns - leftover; }
};
constexpr std::size_t kTableColumns = 32;
constexpr std::size_t kTableRows = kBitsPerList + 1;  // the last one stays zero
constexpr std::size_t kTableFloats = kTableRows * kTableColumns;

// Numbers to be summed under the bits: up to 256 rows (features of a unit in U, of an example in T), cut by a
// ColumnPlan.
class WalkTables {
 public:
  explicit WalkTables(const ColumnPlan& plan)
      : plan_(plan), tables_(plan.tables * kTableFloats, 0.0F), leftover_(plan.leftover * kBitsPerList, 0.0F) {}
  const ColumnPlan& plan() const { return plan_; }
  const float* table(std::size_t t) const { return tables_.data() + t * kTableFloats; }
  float* table(std::size_t t) { return tables_.data() + t * kTableFloats; }
  const float* leftover(std::size_t k) const { return leftover_.data() + k * kBitsPerList; }
  float* leftover(std::size_t k) { return leftover_.data() + k * kBitsPerList; }

 private:
  ColumnPlan plan_;
  AlignedVector<float> tables_;
  AlignedVector<float> leftover_;
};

// Rows of a matrix: those with these numbers, or all in order when there are none. Each is padded with zeros to 16
// columns.
struct PickedRows {
  const float* data = nullptr;
  std::size_t stride = 0;
  const std::uint32_t* numbers = nullptr;
  const float* row(std::size_t r) const { return data + (numbers == nullptr ? r : numbers[r]) * stride; }
  PickedRows from(std::size_t first) const {
    return numbers == nullptr ? PickedRows{row(first), stride} : PickedRows{data, stride, numbers + first};
  }
};

// Up to 64 rows as (features, 64), rows beyond `rows` zero: the order in which floats are multiplied.
void pack_group(std::size_t rows, std::size_t features, const PickedRows& x, float* packed);

// Signs by integers. Of z only the sign is asked, so it can come from 16-bit integers, of which a processor with
// AVX-512 multiplies twice as many at a time as of floats. (x, 1) and (w, b) are scaled to the length N = kCoarseLength
// and rounded. Their product cannot leave 32 bits (Cauchy and Schwarz), and the two roundings, each by at most 1/2,
// move it by no more than half the sum of all |x_d| and |w_d|, and (D + 1) / 4: little more than sqrt(D + 1) N. A
// product further from zero than coarse_bound has the sign of z. The few nearer ones are settled in floats: by a dot
// product with a bound on its rounding or, nearer still, by the chain that defines z, fused multiply-adds from b over
// ascending features. So the bits are those of the chain, whatever the integers were.

// Whether that is faster, on this target, and still is if so many of so many were near zero. Columns that were not
// centred or scaled may leave many there.
bool integers_serve(std::size_t features);
bool integers_pay(std::size_t features, std::size_t settled, std::size_t signs);
constexpr float kCoarseLength = 32000;
constexpr std::size_t coarse_pairs(std::size_t features) { return features / 2 + 1; }
// What a product must exceed, with all that the roundings of lengths and of the chain itself may add.
std::int32_t coarse_bound(std::size_t features);
// Vectors (x, last), x `stride` floats apart, as (count, pairs, 2). `last` has room for `count` rounded up to 16.
void coarsen(std::size_t count, std::size_t features, const float* x, std::size_t stride, const float* last,
             std::int16_t* coarse);
// Up to 64 of them, those with these numbers, as (pairs, 64, 2): the order in which integers are multiplied.
void pack_coarse(std::size_t rows, std::size_t features, const std::int16_t* coarse, const std::uint32_t* numbers,
                 std::int16_t* packed);

// Input gradients of one group of 64 rows, summed while the signs of the next one are found: that is bound by
// multiplications, a walk by loads and additions, and processors do both at once. The walk takes one list after the
// other, so that two vectors of sums are enough, and kNumbersPerLoad of its numbers beside each feature of a tile of
// floats, one and a half times as many beside each pair of integers.
struct WalkBeside {
  // Whether the target has those two registers, and there are columns enough for it to pay.
  static bool serves(const ColumnPlan& plan);
  // Takes up to 64 rows, as input_gradient would. What it points to stays as it is until they are finished, which those
  // taken before must be. Left-over columns that share the last 16 walked ones are written too, as the signs have them.
  void start(std::size_t row_count, const std::uint32_t* by_row, const WalkTables& u_tables, float* first_gradient,
             std::size_t gradient_stride);
  // Sums what is left.
  void finish(BitLists& scratch);
  bool waiting() const { return row < rows; }

  const std::uint32_t* bits = nullptr;
  const WalkTables* tables = nullptr;
  float* gradient = nullptr;
  std::size_t stride = 0;
  std::size_t rows = 0;
  std::size_t row = 0;                     // the row
  std::size_t table = 0;                   // and the table that are being summed,
  const std::uint16_t* at = nullptr;       // how far,
  alignas(64) float sums[kTableColumns];   // and the sums up to there
  std::uint16_t first[kRowsPerGroup + 2];  // joined lists, and after the last row's one of zeros
  alignas(64) std::uint16_t lists[kRowsPerGroup * kBitsPerList + kNumbersPerLoad + kSpilled];
};

// One group of 64 rows through one member.
constexpr std::size_t kMaxColumns = 1 + kMaxLeftover;
struct SignInputs {
  std::size_t features;
  std::size_t units;
  const float* packed;                 // for floats: the rows by pack_group;
  const std::int16_t* coarse_rows;     // for integers: the rows by pack_coarse,
  const std::int16_t* coarse_weights;  // the units by coarsen,
  PickedRows rows;                     // and the rows they were made of
  const float* weights;
  const float* bias;
  const std::uint64_t* kept;  // the drop-out mask per unit; none of rows that are not there
  std::size_t column_count;   // numbers per unit to be summed where its bit is set, at most kMaxColumns;
  const float* columns;       // (column_count, units). For `scores` it is v
};
struct SignOutputs {
  std::uint64_t* by_unit;  // the bits S of unit u, at by_unit[u * kGroupsPerBlock],
  std::uint16_t* by_part;  // and once more as transpose_group reads them; for `scores` it may be null
  float* sums;             // (column_count, 64): chains over u ascending that go on from what is there
};
// sums is the score, a chain of z v.
void scores(const SignInputs& in, const SignOutputs& out);
// The same bits, with sums of columns, and as much of a walk as fits in beside it (none if null).
void signs_by_floats(const SignInputs& in, const SignOutputs& out, WalkBeside* beside);
// Returns how many of them had to be settled in floats.
std::size_t signs_by_integers(const SignInputs& in, const SignOutputs& out, WalkBeside* beside);

// score[r] += x_r . G_r, a sum over sixteen lanes, folded in halves; rows of both are padded with zeros to 16 columns.
void add_scores(std::size_t rows, std::size_t features, const PickedRows& x, const float* gradient, std::size_t stride,
                float* score);

// The walked columns of gradient[r]: += (with accumulate) or = the sum of table rows over the active units of row r,
// for up to 256 rows and one chunk of up to 256 units. gradient row r is at gradient + r * stride; columns beyond D up
// to the table's width get zeros. The left-over columns come with the signs.
void input_gradient(std::size_t rows, const std::uint32_t* by_row, const WalkTables& u_tables, BitLists& lists,
                    bool accumulate, float* gradient, std::size_t stride);

// sums[u - first_unit] += (with accumulate) or = the sum of table rows over the active rows of unit u, for the units
// first_unit .. first_unit + units (within one chunk of 256; first_unit a multiple of 128) of a block of rows.
void unit_sums(std::size_t rows, std::size_t first_unit, std::size_t units, const std::uint64_t* by_unit,
               const std::uint32_t* by_row, const WalkTables& t_tables, BitLists& lists, bool accumulate, float* sums,
               std::size_t stride);

// From the sums Q of `units` units (stride as above; column D is q_e) to gradients: d_weights (units, D) without
// padding, d_bias and d_v. v carries 1 / keep; d_v is the gradient by v times 1 / keep, that is, by w2.
void unit_gradients(std::size_t features, std::size_t units, const float* sums, std::size_t stride,
                    const float* weights, const float* bias, const float* v, float inverse_keep, float* d_weights,
                    float* d_bias, float* d_v);

// The tables of U for a chunk of units: weights (units, D) without padding, times v per unit. Left-over columns, which
// come with the signs, are there only where they share the last 16 walked ones, as WalkBeside needs them to.
void fill_u(std::size_t features, std::size_t units, const float* weights, const float* v, WalkTables& tables);
// The tables of [T, e]: e[r] x_r + gradient_r, then e[r]. gradient may be null (zero); its rows are padded as those of
// x.
void fill_t(std::size_t features, std::size_t rows, const float* e, const PickedRows& x, const float* gradient,
            std::size_t gradient_stride, WalkTables& tables);

}  // namespace perpend::kernels
