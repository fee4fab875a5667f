// Tail probabilities for tests of hypotheses, with the same bits on every machine.
#pragma once

namespace perpend {

// P(X >= x) of a chi-square variable with `degrees` degrees of freedom, at least 1. It is 1 for x <= 0. Up to 100
// degrees it is computed by the finite sum
//   Q_2(x) = e^(-x/2),  Q_1(x) = erfc(sqrt(x/2)),  Q_(k+2)(x) = Q_k(x) + (x/2)^(k/2) e^(-x/2) / Gamma(k/2 + 1),
// and beyond by the normal approximation of Wilson and Hilferty, whose error is then below 1e-4.
double chi_square_tail(double x, int degrees);

// P(|Z| >= |z|) of a standard normal variable.
double normal_tails(double z);

}  // namespace perpend
