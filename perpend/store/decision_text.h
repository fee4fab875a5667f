// Calibration, threshold, correction and gate as texts of a model file. Internal to store; model_file.h describes the
// format.
//
// A text is read only in the form in which it is written: with the shortest digits of each number, and single spaces.
// So a file that is loaded and saved keeps its bytes. problem_of and is_threshold check whether the values make sense.
#pragma once

#include <optional>
#include <string>

#include "perpend/model/decision.h"
#include "perpend/model/probability_map.h"

namespace perpend {

std::string text_of(const ProbabilityMap& map);  // "temperature 1.25", "isotonic 0.02:0.01 0.97:0.99"
std::optional<ProbabilityMap> map_from_text(const std::string& text);

std::string text_of(const Correction& correction);  // "bias -0.1 0.1 pull 0.5 -0.25 0"
std::optional<Correction> correction_from_text(const std::string& text);

std::string text_of(const Gate& gate);  // "centre 0 scale 1 theta 0.5 0 -0.25 1 0 0 0 0"
std::optional<Gate> gate_from_text(const std::string& text);

std::string threshold_text(double threshold);  // "above 0.3"
std::optional<double> threshold_from_text(const std::string& text);

}  // namespace perpend
