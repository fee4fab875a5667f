// Which probability of the second class is enough to answer it, by what a user wants of the answers:
//
//   0.3             above 0.3
//   f1              the largest F1
//   recall=0.9      finds at least 90 % of the rows of the second class, with the largest precision
//   precision=0.8   at least 80 % of the rows that are answered as the second class are of it, with the largest recall
//   cost=1:5        the least cost, where a false alarm (the second class is answered and wrong) costs 1 and a miss 5
//
// All but a number are found on the validation rows, each of which counts once, whatever its weight. Candidates are the
// middles between neighbouring probabilities of these rows. Of equally good ones the one nearest to one half is taken.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "perpend/records/evaluation.h"

namespace perpend {

struct Aim {
  enum class Kind { number, f1, recall, precision, cost };
  Kind kind = Kind::number;
  double value = 0.5;                // a threshold, a recall or a precision
  double false_alarm = 1, miss = 1;  // of cost

  bool operator==(const Aim&) const = default;
};

// What an aim may be, for messages.
std::string aim_forms();
// Nothing where the text is none of these forms, or has a number that cannot be: recall=0, cost=1:-1.
std::optional<Aim> parse_aim(const std::string& text);
// "recall=0.9", as it is typed.
std::string text_of(const Aim& aim);

// The cost of a row in the mean, of an aim that has costs.
Metric mean_cost(const Aim& aim, const ThresholdCounts& counts);

// Above 0 and below 1. One row or more.
double choose_threshold(const Aim& aim, std::span<const double> probabilities, std::span<const std::int32_t> labels);

// Whether the counts have the recall or the precision that the aim asks for; true of other aims.
bool is_reached(const Aim& aim, const ThresholdCounts& counts);

}  // namespace perpend
