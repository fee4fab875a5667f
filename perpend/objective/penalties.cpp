#include "perpend/objective/penalties.h"

#include <algorithm>

#include "perpend/objective/dpp.h"
#include "perpend/objective/finite.h"
#include "perpend/objective/lit.h"

namespace perpend {

namespace {

template <class Made, class T>
std::unique_ptr<Objective<T>> make_from(const PenaltySettings& settings) {
  return std::make_unique<Made>(settings);
}

// Makes objectives of a class template that is constructed from PenaltySettings.
template <template <class> class Which>
constexpr auto makers_of() {
  using Complex = std::complex<double>;
  return std::tuple(MakePenalty<float>(make_from<Which<float>, float>),
                    MakePenalty<double>(make_from<Which<double>, double>),
                    MakePenalty<Complex>(make_from<Which<Complex>, Complex>));
}

std::vector<PenaltyInfo> make_table() {
  return {
      {.id = Penalty::cosine,
       .word = "cosine",
       .help = "cosine penalises the squared cosine between members' input gradients.",
       .curve = "The penalty for similar explanations: squared cosines between members' input gradients, summed over "
                "pairs, with dropout.",
       .options = {"penalty_reduction"},
       .makers = makers_of<Lit>()},
      {.id = Penalty::finite,
       .word = "finite",
       .help = "finite goes to the point within epsilon of a row where one member's score changes most, and penalises "
               "the squared change of another member's score there. It searches by gradient ascent in each step, so it "
               "is for small data; it needs two classes and dropout 0.",
       .curve = "The penalty for moving together: squared changes of a member's log-odds at the point within epsilon "
                "where another member's are largest, summed over pairs.",
       .options = {"penalty_reduction", "epsilon", "ascent_norm", "ascent_steps"},
       .makers = makers_of<FiniteLit>()},
      {.id = Penalty::dpp,
       .word = "dpp",
       .help = "dpp penalises normalised input gradients that span a small volume. The volume is a determinant over "
               "all members, so it sees more than pairs.",
       .curve = "The penalty for spanning a small volume: minus the log-determinant of the matrix of cosines between "
                "members' input gradients, with dropout.",
       .options = {},
       .makers = makers_of<Dpp>()},
  };
}

}  // namespace

std::span<const PenaltyInfo> penalties() {
  static const std::vector<PenaltyInfo> table = make_table();
  return table;
}

const PenaltyInfo& penalty_info(Penalty penalty) {
  const auto found = std::ranges::find(penalties(), penalty, &PenaltyInfo::id);
  PERPEND_CHECK(found != penalties().end());
  return *found;
}

}  // namespace perpend
