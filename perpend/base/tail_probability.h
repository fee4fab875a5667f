// Probabilities of the tails that tests of hypotheses look up; the same bits on every machine.
#pragma once

namespace perpend {

// P(X >= x) of a chi-square variable with so many degrees of freedom, 1 or more; 1 for x <= 0. By the finite sum
//   Q_2(x) = e^(-x/2),  Q_1(x) = erfc(sqrt(x/2)),  Q_(k+2)(x) = Q_k(x) + (x/2)^(k/2) e^(-x/2) / Gamma(k/2 + 1),
// and above 100 degrees by the normal approximation of Wilson and Hilferty, whose error is then below 1e-4.
double chi_square_tail(double x, int degrees);

// P(|Z| >= |z|) of a standard normal variable.
double normal_tails(double z);

}  // namespace perpend
