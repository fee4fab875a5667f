// Chooses the probability above which the second class is answered, by what a user wants of the answers:
//
//   0.3             above 0.3
//   f1              the largest F1
//   recall=0.9      finds at least 90 % of the rows of the second class, with the largest precision
//   precision=0.8   at least 80 % of the rows that are answered as the second class are of it, with the largest recall
//   cost=1:5        the least cost, where a false alarm (the second class is answered and wrong) costs 1 and a miss 5
//
// Only a number needs no validation rows. The others are found on them, and each row counts once, whatever its weight.
// Candidates are the middles between neighbouring probabilities of these rows. Of equally good ones, the one nearest to
// one half is taken.
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

// Returns what an aim may be, for messages.
std::string aim_forms();
// Returns nothing where the text has none of these forms, or has an impossible number: recall=0, cost=1:-1.
std::optional<Aim> parse_aim(const std::string& text);
// Returns the aim as it is typed, "recall=0.9".
std::string text_of(const Aim& aim);

// Returns the mean cost of a row, for an aim that has costs.
Metric mean_cost(const Aim& aim, const ThresholdCounts& counts);

// Returns a threshold above 0 and below 1. There must be at least one row.
double choose_threshold(const Aim& aim, std::span<const double> probabilities, std::span<const std::int32_t> labels);

// Whether the counts have the recall or the precision that the aim asks for. True for other aims.
bool is_reached(const Aim& aim, const ThresholdCounts& counts);

}  // namespace perpend
