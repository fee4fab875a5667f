// Functions applied to each number: activations with their derivatives, cross-entropy, softmax. The general form is the
// reference; float has a vector form, whose arrays have room for n rounded up to 16: what the padding holds is computed
// too and means nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/kernels/activation.h"
#include "perpend/kernels/reference.h"

namespace perpend::kernels {

// What drop-out leaves of one row of numbers: number i times `kept` where its word has the row's bit, else zero.
template <class T>
struct RowMask {
  const std::uint32_t* words = nullptr;  // null: the row as it is
  std::uint32_t bit = 0;                 // one bit set
  T kept = T(1);
  T factor(std::size_t i) const { return words == nullptr ? T(1) : (words[i] & bit) != 0 ? kept : T(0); }
};

// value = phi(z) mask, first = phi'(z) mask, second = phi''(z) mask. first and second may be null when not needed;
// value may be z.
template <class T>
void activate(Activation activation, std::size_t n, const T* z, const RowMask<T>& mask, T* value, T* first, T* second) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto out = reference::activate(activation, z[i]);
    const T factor = mask.factor(i);
    value[i] = out.value * factor;
    if (first != nullptr) first[i] = out.first * factor;
    if (second != nullptr) second[i] = out.second * factor;
  }
}
template <>
void activate<float>(Activation activation, std::size_t n, const float* z, const RowMask<float>& mask, float* value,
                     float* first, float* second);

// out = a b; out may be either.
template <class T>
void multiply(std::size_t n, const T* a, const T* b, T* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i];
}
template <>
void multiply<float>(std::size_t n, const float* a, const float* b, float* out);

// out = a b + c d, the second product and the sum fused; out may be any of them.
template <class T>
void multiply_add(std::size_t n, const T* a, const T* b, const T* c, const T* d, T* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = reference::fused(c[i], d[i], a[i] * b[i]);
}
template <>
void multiply_add<float>(std::size_t n, const float* a, const float* b, const float* c, const float* d, float* out);

// p = 1 / (1 + e^-s).
template <class T>
void sigmoid(std::size_t n, const T* s, T* p) {
  for (std::size_t i = 0; i < n; ++i) p[i] = reference::sigmoid(s[i]);
}
template <>
void sigmoid<float>(std::size_t n, const float* s, float* p);

// Cross-entropy of a log-odds s against a label y in {0, 1}, and its derivative by s, each times the row's weight. With
// t = (1 - 2 y) s, the log-odds of being wrong, loss = log(1 + e^t) and derivative = (1 - 2 y) sigmoid(t): both keep
// their relative precision however sure the model is.
template <class T>
void cross_entropy(std::size_t n, const T* s, const std::int32_t* y, const T* weight, T* loss, T* derivative) {
  for (std::size_t i = 0; i < n; ++i) {
    const T against(1 - 2 * y[i]);
    loss[i] = weight[i] * reference::softplus(against * s[i]);
    derivative[i] = weight[i] * against * reference::sigmoid(against * s[i]);
  }
}
template <>
void cross_entropy<float>(std::size_t n, const float* s, const std::int32_t* y, const float* weight, float* loss,
                          float* derivative);

// Softmax of one row of K logits, and the logarithm of its denominator: p_k = e^(z_k - l), l = log sum_k e^(z_k).
template <class T>
T softmax(std::size_t classes, const T* z, T* p) {
  return reference::softmax(classes, z, p);
}
template <>
float softmax<float>(std::size_t classes, const float* z, float* p);

}  // namespace perpend::kernels
