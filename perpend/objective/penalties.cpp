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
       .help = "cosine penalises the squared cosine between the members' input gradients.",
       .curve = "The price of pointing the same way: squared cosines between members' input gradients, summed over "
                "pairs, with drop-out.",
       .options = {"penalty_reduction"},
       .makers = makers_of<Lit>()},
      {.id = Penalty::finite,
       .word = "finite",
       .help =
           "finite penalises the squared change of a member's score where another member's score changes most within "
           "epsilon, found by gradient ascent in each step (two classes, no drop-out, small data).",
       .curve =
           "The price of moving together: squared changes of a member's log-odds where another member's is largest "
           "within epsilon, summed over pairs.",
       .options = {"penalty_reduction", "epsilon", "ascent_norm", "ascent_steps"},
       .makers = makers_of<FiniteLit>()},
      {.id = Penalty::dpp,
       .word = "dpp",
       .help = "dpp penalises the smallness of the volume that the members' normalised input gradients span, which "
               "is a determinant and sees more than pairs.",
       .curve =
           "The price of spanning little: minus the log-determinant of the matrix of cosines between members' input "
           "gradients, with drop-out.",
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
