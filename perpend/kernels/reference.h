// The mathematics of every kernel, written to be obviously right. Each kernel that computes has its scalar twin here,
// and a test in tests/kernels ties the two on every target. Kernels that only move data (packing, quantizing,
// transposing bits, making lists) have no twin; their tests compare them with plain loops.
//
// The first half is templated on the number type: float to compare with the vector kernels, double as the accurate
// answer, complex<double> for derivatives by complex step (f'(x) = Im f(x + ih) / h, no cancellation, so h = 1e-30
// gives full precision). Because of the complex step nothing here may conjugate, and comparisons use the real part.
//
// The second half has the kernels of the collapsed path, tables, Adam and prediction. Their contract is the bits of
// float arithmetic in a given order, so their twins are written in float, in that order.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/tangents.h"
#include "perpend/kernels/activation.h"
#include "perpend/kernels/adam.h"
#include "perpend/kernels/collapsed.h"
#include "perpend/kernels/one_layer.h"
#include "perpend/kernels/tables.h"

namespace perpend::kernels::reference {

template <class T>
double real_part(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(x);
  } else {
    return x.real();
  }
}

// a b + c; rounded once for real types.
template <class T>
T fused(const T& a, const T& b, const T& c) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fma(a, b, c);
  } else {
    return a * b + c;
  }
}

// C (m, n) = start + A (m, k) B (k, n), each entry one chain over k ascending. A is read through two strides, so it may
// be transposed; B and C are row-major. start is 0, a row of biases, or what C holds.
template <class T>
struct Product {
  std::size_t m = 0, n = 0, k = 0;
  const T* a = nullptr;  // entry (i, l) is a[i * a_row_stride + l * a_col_stride]
  std::size_t a_row_stride = 0;
  std::size_t a_col_stride = 1;
  const T* b = nullptr;
  std::size_t b_stride = 0;
  const T* bias = nullptr;  // null: zero
  bool accumulate = false;  // start is what C holds
  T* c = nullptr;
  std::size_t c_stride = 0;
};
template <class T>
void product(const Product<T>& p) {
  for (std::size_t i = 0; i < p.m; ++i) {
    for (std::size_t j = 0; j < p.n; ++j) {
      T& entry = p.c[i * p.c_stride + j];
      T sum = p.accumulate ? entry : (p.bias != nullptr ? p.bias[j] : T{});
      for (std::size_t l = 0; l < p.k; ++l) {
        sum = fused(p.a[i * p.a_row_stride + l * p.a_col_stride], p.b[l * p.b_stride + j], sum);
      }
      entry = sum;
    }
  }
}

// 1 / (1 + e^-x) and log(1 + e^x), stable for either sign.
template <class T>
T sigmoid(const T& x) {
  if (real_part(x) >= 0) return T(1) / (T(1) + std::exp(-x));
  const T e = std::exp(x);
  return e / (T(1) + e);
}
template <class T>
T softplus(const T& x) {
  const bool positive = real_part(x) > 0;
  const T e = std::exp(positive ? -x : x);
  T log1p{};
  if constexpr (std::is_floating_point_v<T>) {
    log1p = std::log1p(e);
  } else {
    log1p = std::log(T(1) + e);
  }
  return (positive ? x : T(0)) + log1p;
}

// Activation phi(z) with its first and second derivative.
template <class T>
struct Activated {
  T value, first, second;
};
template <class T>
Activated<T> activate(Activation activation, const T& z) {
  switch (activation) {
    case Activation::relu: {
      const bool on = !(real_part(z) <= 0);  // NaN stays NaN
      return {on ? z : T(0), on ? T(1) : T(0), T(0)};
    }
    case Activation::softplus: {
      const T s = sigmoid(z);
      return {softplus(z), s, s * (T(1) - s)};
    }
    case Activation::tanh: {
      const T a = std::tanh(z);
      const T first = T(1) - a * a;
      return {a, first, T(-2) * a * first};
    }
    case Activation::sigmoid: {
      const T a = sigmoid(z);
      const T first = a * (T(1) - a);
      return {a, first, first * (T(1) - (a + a))};
    }
  }
  return {};
}

// p_k = e^(z_k - l) with l = log sum_k e^(z_k). Returns l. The largest logit is subtracted first.
template <class T>
T softmax(std::size_t classes, const T* z, T* p) {
  T largest = z[0];
  for (std::size_t k = 1; k < classes; ++k) largest = real_part(z[k]) > real_part(largest) ? z[k] : largest;
  T sum{};
  for (std::size_t k = 0; k < classes; ++k) {
    p[k] = std::exp(z[k] - largest);
    sum += p[k];
  }
  for (std::size_t k = 0; k < classes; ++k) p[k] /= sum;
  return largest + std::log(sum);
}

// sum over pairs i < j of cos^2(g_i, g_j) = (g_i.g_j)^2 / (|g_i|^2 |g_j|^2 + eps) at one row. g[i] is member i's
// gradient.
template <class T>
T cosine_penalty(const std::vector<std::vector<T>>& g, double eps) {
  T total{};
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (std::size_t j = i + 1; j < g.size(); ++j) {
      T dot{}, ni{}, nj{};
      for (std::size_t d = 0; d < g[i].size(); ++d) {
        dot += g[i][d] * g[j][d];
        ni += g[i][d] * g[i][d];
        nj += g[j][d] * g[j][d];
      }
      total += dot * dot / (ni * nj + T(eps));
    }
  }
  return total;
}

// The derivative of cosine_penalty by each g_i:  sum_j 2 d_ij / q g_j - 2 d_ij^2 n_j / q^2 g_i  with d_ij = g_i.g_j,
// n_i = d_ii, q = n_i n_j + eps.
template <class T>
std::vector<std::vector<T>> cosine_adjoint(const std::vector<std::vector<T>>& g, double eps) {
  const std::size_t members = g.size();
  std::vector<std::vector<T>> adjoint(members);
  for (std::size_t i = 0; i < members; ++i) {
    adjoint[i].assign(g[i].size(), T{});
    for (std::size_t j = 0; j < members; ++j) {
      if (j == i) continue;
      T dot{}, ni{}, nj{};
      for (std::size_t d = 0; d < g[i].size(); ++d) {
        dot += g[i][d] * g[j][d];
        ni += g[i][d] * g[i][d];
        nj += g[j][d] * g[j][d];
      }
      const T q = ni * nj + T(eps);
      for (std::size_t d = 0; d < g[i].size(); ++d) {
        adjoint[i][d] += T(2) * dot / q * g[j][d] - T(2) * dot * dot * nj / (q * q) * g[i][d];
      }
    }
  }
  return adjoint;
}

// p = J^T g with the basis J of one row, and its transpose r = J p (tangents.h).
template <class T>
std::vector<T> project(const Tangents& tangents, std::size_t row, const T* g) {
  std::vector<T> p(tangents.directions(), T{});
  for (std::size_t k = 0; k < p.size(); ++k) {
    for (std::size_t f = 0; f < tangents.features(); ++f) p[k] += T(tangents.direction(row, k)[f]) * g[f];
  }
  return p;
}
template <class T>
std::vector<T> lift(const Tangents& tangents, std::size_t row, const std::vector<T>& p) {
  std::vector<T> g(tangents.features(), T{});
  for (std::size_t k = 0; k < p.size(); ++k) {
    for (std::size_t f = 0; f < g.size(); ++f) g[f] += T(tangents.direction(row, k)[f]) * p[k];
  }
  return g;
}

// ---- kernels whose contract is the bits of float arithmetic

// Returns the sum of sixteen lanes, folded in halves. Overwrites the lanes.
inline float fold_lanes(float (&lane)[16]) {
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) lane[i] += lane[i + width];
  }
  return lane[0];
}
// A dot product over sixteen lanes: lane i has the products i, i + 16, ...
inline float dot_in_lanes(std::size_t n, const float* a, const float* b) {
  float lane[16] = {};
  for (std::size_t i = 0; i < n; ++i) lane[i % 16] = std::fma(a[i], b[i], lane[i % 16]);
  return fold_lanes(lane);
}

// z of one row and one unit: fused multiply-adds from the bias over ascending features.
inline float hidden_unit(const SignInputs& in, std::size_t row, std::size_t unit) {
  float z = in.bias[unit];
  const float* x = in.rows.row(row);
  for (std::size_t f = 0; f < in.features; ++f) z = std::fma(x[f], in.weights[unit * in.features + f], z);
  return z;
}
// S of one row and one unit: z > 0 (or NaN), and the unit is not dropped.
inline bool is_active(const SignInputs& in, std::size_t row, std::size_t unit) {
  return !(hidden_unit(in, row, unit) <= 0) && ((in.kept[unit] >> row) & 1U) != 0;
}
inline void store_bits(const SignInputs& in, const SignOutputs& out) {
  for (std::size_t u = 0; u < in.units; ++u) {
    out.by_unit[u] = 0;
    for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
      out.by_unit[u] |= static_cast<std::uint64_t>(is_active(in, r, u) ? 1 : 0) << r;
    }
  }
}
inline void scores(const SignInputs& in, const SignOutputs& out) {
  store_bits(in, out);
  for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
    for (std::size_t u = 0; u < in.units; ++u) {
      if (is_active(in, r, u)) out.sums[r] = std::fma(hidden_unit(in, r, u), in.columns[u], out.sums[r]);
    }
  }
}
// The twin of float_signs and of quantized_signs.
inline void signs(const SignInputs& in, const SignOutputs& out) {
  store_bits(in, out);
  for (std::size_t c = 0; c < in.column_count; ++c) {
    for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
      for (std::size_t u = 0; u < in.units; ++u) {
        if (is_active(in, r, u)) out.sums[c * kRowsPerGroup + r] += in.columns[c * in.units + u];
      }
    }
  }
}

inline void add_scores(const ScoreRows& a, float* score) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    score[r] += dot_in_lanes(a.features, a.x.row(r), a.gradient + r * a.gradient_stride);
  }
}

// Whether unit u of a block is active in row r.
inline bool is_set(const BlockBits& bits, std::size_t r, std::size_t u) {
  return ((bits.by_unit[r / kRowsPerGroup * bits.all_units + u] >> (r % kRowsPerGroup)) & 1U) != 0;
}
// G over all units of the member, which are hidden.units: sums of w v over active units, ascending.
inline void input_gradient(const BlockBits& bits, const HiddenUnits& hidden, const SumRows& gradient) {
  for (std::size_t r = 0; r < bits.rows; ++r) {
    for (std::size_t f = 0; f < hidden.features; ++f) {
      float& sum = gradient.data[r * gradient.stride + f];
      if (!gradient.accumulate) sum = 0;
      for (std::size_t u = 0; u < hidden.units; ++u) {
        if (is_set(bits, r, u)) sum += hidden.weights[u * hidden.features + f] * hidden.v[u];
      }
    }
  }
}
// Row r of [T, e], column c.
inline float adjoint(const Adjoints& a, std::size_t r, std::size_t c) {
  if (c == a.features) return a.e[r];
  return std::fma(a.e[r], a.x.row(r)[c], a.gradient == nullptr ? 0.0F : a.gradient[r * a.gradient_stride + c]);
}
// Q: sums of [T, e] over active rows, ascending.
inline void unit_sums(const BlockBits& bits, const UnitRange& units, const Adjoints& adjoints, const SumRows& sums) {
  for (std::size_t i = 0; i < units.count; ++i) {
    for (std::size_t c = 0; c <= adjoints.features; ++c) {
      float& sum = sums.data[i * sums.stride + c];
      if (!sums.accumulate) sum = 0;
      for (std::size_t r = 0; r < bits.rows; ++r) {
        if (is_set(bits, r, units.first + i)) sum += adjoint(adjoints, r, c);
      }
    }
  }
}

inline void unit_gradients(const UnitGradients& a) {
  for (std::size_t u = 0; u < a.units; ++u) {
    const float* q = a.sums + u * a.sums_stride;
    const float* w = a.weights + u * a.features;
    for (std::size_t f = 0; f < a.features; ++f) a.d_weights[u * a.features + f] = q[f] * a.v[u];
    a.d_bias[u] = q[a.features] * a.v[u];
    a.d_v[u] = std::fma(a.bias[u], q[a.features], dot_in_lanes(a.features, w, q)) * a.inverse_keep;
  }
}

// A of one unit; w(k) are the unit's weights of the column.
template <class Weight>
std::vector<float> table_constants(const TableColumn& column, const Weight& w) {
  const std::size_t ramps = column.rows - (column.has_gap ? 1 : 0);
  float chain = 0;
  for (std::size_t k = 0; k < column.rows; ++k) chain = std::fma(-column.means[k], w(k), chain);
  std::vector<float> constants;
  for (std::size_t k = 0; k < column.rows; ++k) {
    if (column.kind == TableKind::category) {
      constants.push_back(w(k) + chain);
    } else if (k == ramps) {
      constants.push_back((1 - column.means[k]) * w(k));
    } else {
      constants.push_back(chain);
      chain += w(k);
    }
  }
  return constants;
}
// z of one row and one unit. The chain starts at the bias and goes column by column: first A[k], then t W[k].
inline float table_hidden_unit(const TableForward& a, std::size_t row, std::size_t unit) {
  float z = a.member.bias[unit];
  for (const TableColumn& column : a.member.columns) {
    const auto [k, t] = a.cells.of(column.column)[row];
    const auto w = [&](std::size_t j) { return a.member.weights[column.at(j, unit, pad_units(a.member.units))]; };
    if (k == column.rows) continue;
    if (column.kind != TableKind::linear) z += table_constants(column, w)[k];
    if (column.kind != TableKind::category) z = std::fma(t, w(k), z);
  }
  return z;
}
// The index of the word that holds a unit's bit in a row of a block. The bit is number unit % 32.
inline std::size_t word_of_unit(std::size_t row, std::size_t unit) {
  return unit / kUnitsPerChunk * kWordsPerChunk + row * kWordsPerRow + unit % kUnitsPerChunk / 32;
}
inline bool is_set(const std::uint32_t* bits, std::size_t row, std::size_t unit) {
  return ((bits[word_of_unit(row, unit)] >> (unit % 32)) & 1U) != 0;
}
inline void table_forward(const TableForward& a) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    float lane[16] = {};
    for (std::size_t u = 0; u < a.member.units; ++u) {
      const float z = table_hidden_unit(a, r, u);
      const bool kept = a.bits == nullptr || is_set(a.bits, r, u);
      if (kept && !(z <= 0)) {
        lane[u % 16] = std::fma(z, a.member.v[u], lane[u % 16]);
      } else if (a.bits != nullptr) {
        a.bits[word_of_unit(r, u)] &= ~(std::uint32_t{1} << (u % 32));
      }
    }
    a.scores[r] = fold_lanes(lane) + a.constant;
  }
}
inline void table_input_gradient(const TableInputGradient& a) {
  for (std::size_t r = a.first; r < a.first + a.count; ++r) a.gradient[r * a.stride] = 0.0F * a.slope[r];
  for (const TableRun& run : a.order.runs) {
    for (std::size_t j = run.begin; j < run.end; ++j) {
      const std::size_t r = a.order.rows[j];
      if (r < a.first || r >= a.first + a.count) continue;
      float lane[16] = {};
      for (std::size_t u = 0; u < a.units; ++u) {
        const auto w = [&](std::size_t k) { return a.weights[a.column.at(k, u, pad_units(a.units))]; };
        const bool category = a.column.kind == TableKind::category;
        const float weight = category ? table_constants(a.column, w)[run.table_row] : w(run.table_row);
        if (is_set(a.bits, r - a.first, u)) lane[u % 16] += weight * a.v[u];
      }
      a.gradient[r * a.stride] = fold_lanes(lane) * a.slope[r];
    }
  }
}
// P of one unit, with one entry per table row.
inline std::vector<float> table_adjoints(const TableUpdate& a, std::size_t unit) {
  const TableColumn& column = a.column;
  const bool category = column.kind == TableKind::category;
  std::vector<float> q(column.rows, 0.0F), e(column.rows, 0.0F);
  const std::size_t words_per_block = count_chunks(a.units) * kWordsPerChunk;
  for (const TableRun& run : a.order.runs) {
    for (std::size_t j = run.begin; j < run.end; ++j) {
      const std::size_t r = a.order.rows[j];
      if (!is_set(a.bits + r / kRowsPerBlock * words_per_block, r % kRowsPerBlock, unit)) continue;
      const float moved = a.d_gradient == nullptr ? 0.0F : a.d_gradient[r * a.gradient_stride] * a.slope[r];
      q[run.table_row] += (a.cells == nullptr ? a.e[r] : a.e[r] * a.cells[r].t) + moved;
      e[run.table_row] += category ? a.e[r] + moved : a.e[r];
    }
  }
  if (column.kind == TableKind::linear) return q;
  const std::size_t ramps = column.rows - (column.has_gap ? 1 : 0);
  float total = 0;
  for (std::size_t k = 0; k < (category ? column.rows : ramps); ++k) total += e[k];
  std::vector<float> adjoints(column.rows);
  float above = 0;
  for (std::size_t k = column.rows; k-- > 0;) {
    const float mean = column.means[k];
    if (category) {
      adjoints[k] = std::fma(-mean, total, e[k]);
    } else if (k == ramps) {
      adjoints[k] = std::fma(-mean, total, (1 - mean) * e[k]);
    } else {
      adjoints[k] = std::fma(-mean, total, q[k] + above);
      above += e[k];
    }
  }
  return adjoints;
}

inline bool adam(const AdamStep& s, const AdamArrays& a) {
  bool good = true;
  for (std::size_t i = 0; i < a.n; ++i) {
    const float raw = std::fma(s.weight_decay, a.weights[i], a.gradient[i]);
    const float g = std::abs(raw) > kLeastGradient ? raw : 0;
    const float m = std::fma(s.beta1, a.m[i], (1.0F - s.beta1) * g);
    a.m[i] = std::abs(m) > kLeastMomentum ? m : 0;
    a.v[i] = std::fma(s.beta2, a.v[i], (1.0F - s.beta2) * g * g);
    a.weights[i] -= s.step_size * a.m[i] / std::fma(std::sqrt(a.v[i]), s.inverse_root, s.epsilon);
    good = good && !std::isnan(raw) && std::abs(a.weights[i]) <= kLargestWeight;
  }
  return good;
}

// The chain of d_v takes W[k] P[k] from the last k down to the first.
inline bool table_update(const TableUpdate& a) {
  bool good = true;
  for (std::size_t u = a.first; u < std::min(a.first + a.count, a.units); ++u) {
    const auto adjoints = table_adjoints(a, u);
    for (std::size_t k = a.column.rows; k-- > 0;) {
      const std::size_t at = a.column.at(k, u, pad_units(a.units));
      a.d_v[u - a.first] = std::fma(a.weights[at], adjoints[k], a.d_v[u - a.first]);
      const float gradient = a.v[u] * adjoints[k];
      const AdamArrays one{.n = 1, .gradient = &gradient, .weights = a.weights + at, .m = a.m + at, .v = a.moment + at};
      if (!reference::adam(a.step, one)) good = false;
    }
  }
  return good;
}

// The logits of 64 rows. They become (classes, 64).
inline void one_layer_logits(const OneLayer& a, const IndexedRows& rows, float* logits) {
  for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
    for (std::size_t c = 0; c < a.classes; ++c) logits[c * kRowsPerGroup + r] = a.out_bias[c];
    for (std::size_t u = 0; u < a.units; ++u) {
      float z = a.bias[u];
      for (std::size_t f = 0; f < a.features; ++f) z = std::fma(rows.row(r)[f], a.weights[u * a.features + f], z);
      const float value = z <= 0 ? 0 : z;
      for (std::size_t c = 0; c < a.classes; ++c) {
        float& logit = logits[c * kRowsPerGroup + r];
        logit = std::fma(value, a.out_weights[u * a.out_stride + c], logit);
      }
    }
  }
}

}  // namespace perpend::kernels::reference
