// The open ICU table of PhysioNet's 2012 challenge, made ready: one row per stay, 4000 in all, from the first 48
// hours.
//
// Wants the challenge's set A as one CSV: recordid, SAPS-I, SOFA, Length_of_stay, Survival, In-hospital_death, then the
// stay's features (Age, Gender, ..., HR_first, HR_last, ...). The first five are identity, scores or outcomes, never
// features: they are left out. The target becomes the last column, in_hospital_death, and every measurement obeys the
// limits of icu_variables().
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
  std::size_t out_of_range = 0;  // of them, beyond the limits: empty now
  std::size_t moved = 0;         // of them, moved to a limit
};

// Throws DataError when the table has no target, or when the target has a value other than 0 and 1.
Table make_challenge_table(Table table, ChallengeReport* report = nullptr);

}  // namespace perpend
