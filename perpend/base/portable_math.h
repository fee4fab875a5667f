// Functions of the math library whose bits are the same on every machine.
//
// They use only +, -, *, / and exact scaling, which IEEE 754 fixes to the last bit. The C library's own log and exp
// differ between versions and machines, but they are faster. So these functions are for generated data and metrics, not
// for training.
#pragma once

namespace perpend {

double portable_log(double x);  // x > 0, relative error below 1e-15
double portable_exp(double x);  // relative error below 1e-15 where the result is a normal number

}  // namespace perpend
