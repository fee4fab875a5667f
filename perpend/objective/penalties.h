// THE table of the penalties that method lit can train with. Everything the program knows about a penalty stands in its
// entry in penalties.cpp, and nothing about a single penalty stands anywhere else. Words, help, validation, reports and
// the gradient check all read the entries. Each objective says what its penalty needs and supports (objective.h).
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "perpend/objective/objective.h"

namespace perpend {

enum class Penalty { cosine, finite, dpp };

inline constexpr Penalty kDefaultPenalty = Penalty::cosine;

template <class T>
using MakePenalty = std::unique_ptr<Objective<T>> (*)(const PenaltySettings&);

struct PenaltyInfo {
  Penalty id;
  const char* word;   // as the option spells it
  const char* help;   // a sentence in the help of the option
  const char* curve;  // what its curve in a report shows: a whole sentence
  std::vector<std::string_view>
      options;  // that it uses and others may not; given with another penalty, they are refused
  std::tuple<MakePenalty<float>, MakePenalty<double>, MakePenalty<std::complex<double>>> makers;

  template <class T>
  std::unique_ptr<Objective<T>> make(const PenaltySettings& settings) const {
    return std::get<MakePenalty<T>>(makers)(settings);
  }
};

// Penalties are in the order in which help shows them.
std::span<const PenaltyInfo> penalties();

const PenaltyInfo& penalty_info(Penalty penalty);

}  // namespace perpend
