// Chooses the stays of the ICU table. It goes rule by rule from all ICU stays of MIMIC-III to one stay per patient, and
// counts what each rule leaves.
//
//   known      The patient and the admission of the stay are in their files, with a date of birth and both times.
//   to death   A stay ends when the patient dies. Later entries of the record are left out.
//   old enough The patient is at least kCohortRules.youngest years old when the stay begins. The stay is not in the
//              neonatal unit.
//   first      The stay is the patient's earliest of those left.
//   length     The stay takes from shortest_hours to longest_hours.
//
// A stay has one row per hour that began: hour h covers [start + h hours, start + h + 1 hours), h = 0, 1, ...
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
  std::int64_t death = std::numeric_limits<std::int64_t>::max();  // time of a death in hospital
  int age = 0;  // whole years; kCohortRules.age_of_older if the age is hidden
  std::string gender = {};
  std::string admission_type = {};
  std::string care_unit = {};  // the first unit of the stay
  bool died = false;           // whether the patient died in hospital

  std::size_t hours() const { return static_cast<std::size_t>((end - start + 3599) / 3600); }
};

struct CohortStep {
  std::string rule;
  std::size_t patients = 0;
  std::size_t admissions = 0;
  std::size_t stays = 0;
  std::size_t hours = 0;  // total length of the stays, to the nearest hour
};

struct Cohort {
  std::vector<IcuStay> stays;  // by patient, ascending
  std::vector<CohortStep> steps;
};

// Reads patients, admissions and icustays. Throws DataError if no stay is left.
Cohort find_cohort(const std::string& folder, const IcuCallback& callback = {});

}  // namespace perpend
