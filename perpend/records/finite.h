// How far members are from independent at a distance: the paper's IndepErr and its statistical form, as plain values.
// evaluate/finite.h says how they are made.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/records/evaluation.h"

namespace perpend {

struct FinitePair {
  std::size_t of = 0;     // f: its change is measured
  std::size_t along = 0;  // g: its largest score is sought
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

// How independence at a distance is measured.
struct DistanceSettings {
  std::vector<double> epsilons;  // in encoded units: sd of numbers; none: it is not measured
  std::string norm = "l2";       // shape of the ball around a row: l2 or linf
  int steps = 40;                // of gradient ascent
  int starts = 1;                // ascents per row: the first from the row, the others from random points
  int draws = 256;               // of noise per row
  bool box = false;              // no column leaves its range in these rows
};

struct DistanceIndependence {
  DistanceSettings settings;
  Metric cos2, information;               // from input gradients: the other figures go to it as epsilon -> 0
  std::vector<FiniteIndependence> steps;  // one per epsilon, like noise
  std::vector<NoiseIndependence> noise;   // sigma = epsilon / sqrt(columns): noise about as long as the step
};

}  // namespace perpend
