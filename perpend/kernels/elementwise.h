// Functions applied to each number: activations with their derivatives, cross-entropy, softmax. The general form is the
// reference. float has a vector form, whose arrays must have room for n rounded up to 16. It computes the padding too,
// but the padding's values mean nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/kernels/activation.h"
#include "perpend/kernels/reference.h"

namespace perpend::kernels {

// The drop-out mask of one row. Number i is multiplied by `kept` where its word has the row's bit, else by zero.
template <class T>
struct RowMask {
  const std::uint32_t* words = nullptr;  // null: every factor is 1
  std::uint32_t bit = 0;                 // one bit set
  T kept = T(1);
  T factor(std::size_t i) const { return words == nullptr ? T(1) : (words[i] & bit) != 0 ? kept : T(0); }
};

// value = phi(z) mask, first = phi'(z) mask, second = phi''(z) mask. first and second may be null when they are not
// needed; value may be z.
template <class T>
struct Activate {
  std::size_t n = 0;
  const T* z = nullptr;
  RowMask<T> mask = {};
  T* value = nullptr;
  T* first = nullptr;
  T* second = nullptr;
};
template <class T>
void activate(Activation activation, const Activate<T>& args) {
  for (std::size_t i = 0; i < args.n; ++i) {
    const auto out = reference::activate(activation, args.z[i]);
    const T factor = args.mask.factor(i);
    args.value[i] = out.value * factor;
    if (args.first != nullptr) args.first[i] = out.first * factor;
    if (args.second != nullptr) args.second[i] = out.second * factor;
  }
}
template <>
void activate<float>(Activation activation, const Activate<float>& args);

// out = a b; out may be either.
template <class T>
void multiply(std::size_t n, const T* a, const T* b, T* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i];
}
template <>
void multiply<float>(std::size_t n, const float* a, const float* b, float* out);

// out = a b + c d, the second product and the sum fused; out may be any of them.
template <class T>
struct MultiplyAdd {
  std::size_t n = 0;
  const T* a = nullptr;
  const T* b = nullptr;
  const T* c = nullptr;
  const T* d = nullptr;
  T* out = nullptr;
};
template <class T>
void multiply_add(const MultiplyAdd<T>& args) {
  for (std::size_t i = 0; i < args.n; ++i) {
    args.out[i] = reference::fused(args.c[i], args.d[i], args.a[i] * args.b[i]);
  }
}
template <>
void multiply_add<float>(const MultiplyAdd<float>& args);

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
struct CrossEntropy {
  std::size_t n = 0;
  const T* scores = nullptr;
  const std::int32_t* labels = nullptr;
  const T* weights = nullptr;
  T* loss = nullptr;
  T* derivative = nullptr;
};
template <class T>
void cross_entropy(const CrossEntropy<T>& args) {
  for (std::size_t i = 0; i < args.n; ++i) {
    const T against(1 - 2 * args.labels[i]);
    args.loss[i] = args.weights[i] * reference::softplus(against * args.scores[i]);
    args.derivative[i] = args.weights[i] * against * reference::sigmoid(against * args.scores[i]);
  }
}
template <>
void cross_entropy<float>(const CrossEntropy<float>& args);

// Softmax of one row of K logits, and the logarithm of its denominator: p_k = e^(z_k - l), l = log sum_k e^(z_k).
template <class T>
T softmax(std::size_t classes, const T* z, T* p) {
  return reference::softmax(classes, z, p);
}
template <>
float softmax<float>(std::size_t classes, const float* z, float* p);

}  // namespace perpend::kernels
