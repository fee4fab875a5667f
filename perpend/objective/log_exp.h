// The logarithm and the exponential that an objective may use. The bits of float and double are the same on every
// machine (base/portable_math.h), and the complex form serves the gradient check by complex step. Each call costs about
// as much as a few divisions. If each step needs one per score, use the vectors of kernels/elementwise.h.
#pragma once

#include <cmath>
#include <complex>

#include "perpend/base/portable_math.h"

namespace perpend {

inline float log_of(float x) { return static_cast<float>(portable_log(static_cast<double>(x))); }
inline double log_of(double x) { return portable_log(x); }
inline std::complex<double> log_of(const std::complex<double>& x) { return std::log(x); }

inline float exp_of(float x) { return static_cast<float>(portable_exp(static_cast<double>(x))); }
inline double exp_of(double x) { return portable_exp(x); }
inline std::complex<double> exp_of(const std::complex<double>& x) { return std::exp(x); }

}  // namespace perpend
