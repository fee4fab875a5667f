// The mathematics of every kernel, written to be obviously right.
//
// Templated on the number type: float to compare with the vector kernels, double as the accurate answer,
// complex<double> for derivatives by complex step (f'(x) = Im f(x + ih) / h, no cancellation, so h = 1e-30 gives full
// precision). For the latter nothing here may conjugate, and order is decided by the real part.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "perpend/kernels/activation.h"

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

// C (m, n) = start + A (m, k) B (k, n), each entry one chain over k ascending. A's entry (i, l) is a[i * a_row + l *
// a_col], so a transposed A is a matter of strides. start is 0, a row of biases, or what C holds.
template <class T>
void product(std::size_t m, std::size_t n, std::size_t k, const T* a, std::size_t a_row, std::size_t a_col, const T* b,
             std::size_t b_stride, const T* bias, bool accumulate, T* c, std::size_t c_stride) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      T sum = accumulate ? c[i * c_stride + j] : (bias != nullptr ? bias[j] : T{});
      for (std::size_t l = 0; l < k; ++l) sum = fused(a[i * a_row + l * a_col], b[l * b_stride + j], sum);
      c[i * c_stride + j] = sum;
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

// p_k = e^(z_k - l) with l = log sum_k e^(z_k), which is returned. The largest logit is taken out first.
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

// Its derivative by each g_i:  sum_j 2 d_ij / q g_j - 2 d_ij^2 n_j / q^2 g_i  with d_ij = g_i.g_j, n_i = d_ii, q = n_i
// n_j + eps.
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

}  // namespace perpend::kernels::reference
