// Maps the ensemble's probabilities so that they match how often it is right (calibration).
//
//   temperature   P_k becomes proportional to P_k^(1/T), for any number of classes. T above 1 makes the ensemble less
//                 sure, T below 1 more. The order of the classes of a row never changes.
//   isotonic      two classes: the probability of the second is read off a rising curve through a few knots, linear
//                 between them and constant beyond them. No knot is at 0 or 1, so no answer is certain.
//
// A map belongs to the ensemble's answer alone; members keep their own probabilities. run/calibrate.h fits it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perpend {

enum class Calibrator { none, temperature, isotonic };

struct Knot {
  double from = 0, to = 0;  // probabilities of the second class

  bool operator==(const Knot&) const = default;
};

constexpr double kLeastTemperature = 1.0 / 16;
constexpr double kMostTemperature = 16;
constexpr std::size_t kMostKnots = 32;
constexpr double kLeastMapped = 1e-9;     // knots lead to at least this and at most 1 less this
constexpr double kLeastTempered = 1e-15;  // a smaller probability is tempered as if it were this one

struct ProbabilityMap {
  Calibrator kind = Calibrator::none;
  double temperature = 1;        // for temperature
  std::vector<Knot> knots = {};  // for isotonic: `from` strictly ascends within 0 and 1, `to` does not fall

  bool operator==(const ProbabilityMap&) const = default;
};

// Says in a few words what is wrong with a map for this many classes. Empty: nothing is wrong.
std::string problem_of(const ProbabilityMap& map, std::size_t classes);

// Replaces the probabilities of one row.
void apply(const ProbabilityMap& map, std::span<double> probabilities);

// Replaces scores by exp(score) / sum of exp(scores).
void softmax(std::span<double> scores);

}  // namespace perpend
