// Who is in the ICU table: from all ICU stays of MIMIC-III to one stay per patient, rule by rule, with counts.
//
//   known      the stay's patient and admission are in their files, with a date of birth and both times
//   to death   a stay ends with the patient's death: later entries of the record are left out
//   old enough kCohortRules.youngest years or more when the stay begins; not in the neonatal unit
//   first      the patient's earliest stay (of those)
//   length     from shortest_hours to longest_hours
//
// A stay has one row per hour begun: hour h covers [start + h hours, start + h + 1 hours), h = 0, 1, ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "perpend/icu/mimic_files.h"

namespace perpend {

struct IcuStay {
  std::uint32_t subject = 0;
  std::uint32_t admission = 0;
  std::int64_t start = 0;  // seconds
  std::int64_t end = 0;
  std::int64_t death = std::numeric_limits<std::int64_t>::max();  // in hospital, when known
  int age = 0;  // whole years; kCohortRules.age_of_older for hidden ages
  std::string gender = {};
  std::string admission_type = {};
  std::string care_unit = {};  // the first
  bool died = false;           // in hospital

  std::size_t hours() const { return static_cast<std::size_t>((end - start + 3599) / 3600); }
};

struct CohortStep {
  std::string rule;
  std::size_t patients = 0;
  std::size_t admissions = 0;
  std::size_t stays = 0;
  std::size_t hours = 0;  // of the stays, together, to the nearest hour
};

struct Cohort {
  std::vector<IcuStay> stays;  // by patient, ascending
  std::vector<CohortStep> steps;
};

// Reads patients, admissions and icustays. Throws DataError when no stay is left.
Cohort find_cohort(const std::string& folder, const IcuCallback& callback = {});

}  // namespace perpend
