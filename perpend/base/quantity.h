// A target that is a number: what a regression predicts.
//
// Members learn the standardised target t = (y - mean) / sd, so that one learning rate and one penalty serve prices and
// counts alike. A member's score s is its prediction of t, and mean + sd s is its prediction of y.
//
// The loss says which number of y's distribution is predicted. With the error e = s - t of a row:
//
//   squared    e^2 / 2                           the mean of y, given the row
//   absolute   |e|                               its median
//   quantile   max(q * -e, (1 - q) * e)          its quantile q: a share q of such rows has a smaller y
#pragma once

#include <cmath>

namespace perpend {

struct RegressionLoss {
  enum class Kind { squared, absolute, quantile };
  Kind kind = Kind::squared;
  double q = 0.5;  // of the quantile loss; above 0 and below 1

  bool operator==(const RegressionLoss&) const = default;

  // is_above says whether e > 0. It is an argument of its own, so that e may be complex.
  template <class T>
  T value(const T& e, bool is_above) const {
    if (kind == Kind::squared) return e * e * T(0.5);
    if (kind == Kind::absolute) return is_above ? e : -e;
    return is_above ? T(1 - q) * e : T(-q) * e;
  }
  template <class T>
  T derivative(const T& e, bool is_above) const {
    if (kind == Kind::squared) return e;
    if (kind == Kind::absolute) return T(is_above ? 1.0 : -1.0);
    return T(is_above ? 1 - q : -q);
  }
  double value(double e) const { return value(e, e > 0); }

  // The share of rows whose target should lie below the prediction. It has no meaning for the squared error.
  double share_below() const { return kind == Kind::quantile ? q : 0.5; }
};

struct NumberTarget {
  double mean = 0;  // of the training rows' targets
  double sd = 1;    // above 0
  RegressionLoss loss = {};

  double standardised(double y) const { return (y - mean) / sd; }
  double predicted(double score) const { return mean + sd * score; }
  bool operator==(const NumberTarget&) const = default;
};

}  // namespace perpend
