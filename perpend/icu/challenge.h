// Prepares the open ICU table of PhysioNet's 2012 challenge. It has one row per stay, 4000 in all, about the first 48
// hours.
//
// The input is set A of the challenge as one CSV: recordid, SAPS-I, SOFA, Length_of_stay, Survival, In-hospital_death,
// then the features of the stay (Age, Gender, ..., HR_first, HR_last, ...). The first five columns are left out,
// because they are identity, scores or outcomes, never features. The target becomes the last column, in_hospital_death.
// Every measurement obeys the limits of icu_variables().
#pragma once

#include <cstddef>
#include <string>

#include "perpend/data/table.h"

namespace perpend {

struct ChallengeReport {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t deaths = 0;
  std::size_t values = 0;        // known measurements
  std::size_t out_of_range = 0;  // values beyond the limits, whose cells are now empty
  std::size_t moved = 0;         // values that were moved to a limit
};

// Throws DataError if the table has no target, or if the target has a value other than 0 and 1.
Table make_challenge_table(Table table, ChallengeReport* report = nullptr);

}  // namespace perpend
