// One step of Adam (Kingma and Ba 2015) with the weight decay of the objective, wd/2 |w|^2, in the gradient.
#pragma once

#include <cstddef>

namespace perpend::kernels {

// Constants of step t = 1, 2, ...:  decay_m = 1 - beta1^t, decay_v = 1 - beta2^t.
struct AdamStep {
  float step_size;     // learning rate / decay_m
  float inverse_root;  // 1 / sqrt(decay_v)
  float epsilon;       // 1e-8
  float beta1, beta2;  // 0.9, 0.999
  float weight_decay;  // wd
};

// Weights beyond this size mean that training has diverged.
constexpr float kLargestWeight = 1e6F;

// A gradient below kLeastGradient and a momentum below kLeastMomentum count as 0. They move no weight: with m = 1e-17 a
// step is at most 1e-17 / epsilon = 1e-9 of the learning rate. But their squares and decays would become denormal
// numbers, on which machines are a hundred times slower: (1 - beta2) g^2 stays normal (above 1.2e-38) for g >= 1e-17.
constexpr float kLeastGradient = 1e-17F;
constexpr float kLeastMomentum = 1e-30F;

struct AdamArrays {
  std::size_t n = 0;
  const float* gradient = nullptr;
  float* weights = nullptr;
  float* m = nullptr;  // first moment
  float* v = nullptr;  // second moment
};

// Per element, in this order of rounding:
//   g = fma(wd, w, g);  m = fma(beta1, m, (1 - beta1) g);  v = fma(beta2, v, ((1 - beta2) g) g)
//   w = w - (step_size m) / fma(sqrt v, inverse_root, epsilon)
// n is rounded up to 16; the padding must be zero and stays zero. Returns whether every weight is finite and at most
// kLargestWeight.
bool adam(const AdamStep& step, const AdamArrays& arrays);

}  // namespace perpend::kernels
