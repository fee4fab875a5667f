// Makes the table of the paper's ICU task from MIMIC-III. It has one row per hour of each stay in the cohort
// (cohort.h). The target is whether the patient died in hospital.
//
//   subject_id, hour             the patient and the hour of the stay, from 0
//   age, gender, admission_type, first_careunit
//   heart_rate, ... cholesterol  icu_variables(): the mean of the hour (urine: its sum), to six significant digits. An
//                                hour without a value has the last known one of the stay, or is empty before the first.
//   in_hospital_death            1 or 0, the same in all rows of a patient
//
// Apart from its label, a row contains nothing from later hours. Events are assigned by patient and time. The events in
// [start - hours_before, end) of a stay count, whatever stay the record assigns them to. Events before the start count
// in hour 0.
//
// The files may be larger than memory (CHARTEVENTS has 330 million rows). They are read once, from front to back.
// Train on the table with the option group=subject_id. Otherwise hours of one patient are in training and in test rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/icu/cohort.h"

namespace perpend {

inline constexpr std::string_view kIcuGroup = "subject_id";
inline constexpr std::string_view kIcuTarget = "in_hospital_death";

struct IcuOptions {
  std::size_t memory = std::size_t{64} << 20;  // for the cells of the table; reading takes a few MiB more
  std::filesystem::path scratch = ".";         // folder for temporary files
  IcuCallback progress;
};

// How the rows of an event table were counted: read = other items + no cohort + error + no value + out of range + used.
struct EventCounts {
  std::string table;
  std::uint64_t bytes = 0;
  std::uint64_t read = 0;
  std::uint64_t other_items = 0;   // the item is not in the rules
  std::uint64_t no_cohort = 0;     // no stay of the cohort has this patient at that time
  std::uint64_t error = 0;         // the record marks the row as an error
  std::uint64_t no_value = 0;      // the value is not a number
  std::uint64_t out_of_range = 0;  // the value is beyond the limits
  std::uint64_t used = 0;
  std::uint64_t moved = 0;  // how many used values were moved to a limit
};

struct IcuReport {
  std::vector<CohortStep> cohort;
  std::vector<EventCounts> events;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t patients = 0;
  std::size_t deaths = 0;
};

// Writes the table as CSV, in pieces. Throws IoError if a file is missing, and DataError with the place if a file
// differs from those of MIMIC-III.
IcuReport make_mimic_table(const std::string& folder, const std::function<void(std::string_view)>& write,
                           const IcuOptions& options = {});

}  // namespace perpend
