// How far members are from independent at a distance: the paper's IndepErr and its statistical form, as plain values.
// evaluate/finite.h says how they are made.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/records/evaluation.h"

namespace perpend {

struct FinitePair {
  std::size_t of = 0;     // f, whose change is measured
  std::size_t along = 0;  // g, whose largest score is sought
  double indep_err = 0;
  Metric relative;  // undefined where f does not change at all
};

struct FiniteIndependence {
  double epsilon = 0;
  std::vector<FinitePair> pairs;  // ordered pairs of different members
  std::vector<double> own;        // per member IndepErr(f, f): its change on its own way up
  Metric indep_err;               // means over pairs; undefined for one member
  Metric relative;
};

struct NoisePair {
  std::size_t first = 0;
  std::size_t second = 0;   // > first
  double correlation2 = 0;  // mean over rows
  double information = 0;   // mean over rows of -1/2 ln(1 - correlation2), in nats
};

struct NoiseIndependence {
  double sigma = 0;
  std::vector<NoisePair> pairs;
  Metric correlation2;  // means over pairs; undefined for one member
  Metric information;
};

}  // namespace perpend
