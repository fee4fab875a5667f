#include "perpend/icu/cohort.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <unordered_map>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/icu/rules.h"

namespace perpend {

namespace {

struct Patient {
  std::string gender;
  std::optional<std::int64_t> birth;
};

struct Admission {
  std::string type;
  bool died = false;
  std::optional<std::int64_t> death;
};

template <class Value>
using ById = std::unordered_map<std::uint32_t, Value>;

ById<Patient> read_patients(const std::string& folder, const IcuCallback& callback) {
  constexpr std::string_view kColumns[] = {"subject_id", "gender", "dob"};
  MimicRows rows(folder, "patients", kColumns, callback);
  ById<Patient> patients;
  while (rows.next()) patients[rows.id(0)] = {std::string(rows.text(1)), rows.time(2)};
  return patients;
}

ById<Admission> read_admissions(const std::string& folder, const IcuCallback& callback) {
  constexpr std::string_view kColumns[] = {"hadm_id", "admission_type", "hospital_expire_flag", "deathtime"};
  MimicRows rows(folder, "admissions", kColumns, callback);
  ById<Admission> admissions;
  while (rows.next()) admissions[rows.id(0)] = {std::string(rows.text(1)), rows.id(2) != 0, rows.time(3)};
  return admissions;
}

int years_between(std::int64_t birth, std::int64_t time) {
  const auto date = [](std::int64_t seconds) {
    return std::chrono::year_month_day(
        std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(seconds))));
  };
  const auto from = date(birth);
  const auto to = date(time);
  const bool before_birthday = to.month() < from.month() || (to.month() == from.month() && to.day() < from.day());
  return static_cast<int>(to.year()) - static_cast<int>(from.year()) - (before_birthday ? 1 : 0);
}

// A stay whose patient, admission or times are unknown gets an end before its start.
std::vector<IcuStay> read_stays(const std::string& folder, const IcuCallback& callback) {
  const auto patients = read_patients(folder, callback);
  const auto admissions = read_admissions(folder, callback);
  constexpr std::string_view kColumns[] = {"subject_id", "hadm_id", "first_careunit", "intime", "outtime"};
  MimicRows rows(folder, "icustays", kColumns, callback);
  std::vector<IcuStay> stays;
  while (rows.next()) {
    IcuStay stay{.subject = rows.id(0), .admission = rows.id(1), .care_unit = std::string(rows.text(2))};
    const auto start = rows.time(3);
    const auto end = rows.time(4);
    const auto patient = patients.find(stay.subject);
    const auto admission = admissions.find(stay.admission);
    stay.start = start.value_or(0);
    stay.end = stay.start - 1;
    if (start && end && admission != admissions.end() && patient != patients.end() && patient->second.birth) {
      const int years = years_between(*patient->second.birth, *start);
      stay.end = *end;
      stay.age = years > kCohortRules.oldest_told ? kCohortRules.age_of_older : years;
      stay.gender = patient->second.gender;
      stay.admission_type = admission->second.type;
      stay.died = admission->second.died;
      stay.death = admission->second.death.value_or(stay.death);
    }
    stays.push_back(std::move(stay));
  }
  return stays;
}

CohortStep count(const std::vector<IcuStay>& stays, std::string rule) {
  std::set<std::uint32_t> patients;
  std::set<std::uint32_t> admissions;
  std::int64_t seconds = 0;
  for (const IcuStay& stay : stays) {
    patients.insert(stay.subject);
    admissions.insert(stay.admission);
    seconds += std::max<std::int64_t>(stay.end - stay.start, 0);
  }
  return {std::move(rule), patients.size(), admissions.size(), stays.size(),
          static_cast<std::size_t>((seconds + 1800) / 3600)};
}

double length_in_hours(const IcuStay& stay) { return static_cast<double>(stay.end - stay.start) / 3600; }

void keep_first_stays(std::vector<IcuStay>& stays) {
  std::ranges::sort(stays, {}, [](const IcuStay& s) { return std::tuple(s.subject, s.start, s.admission); });
  const auto same_subject = [](const IcuStay& a, const IcuStay& b) { return a.subject == b.subject; };
  stays.erase(std::unique(stays.begin(), stays.end(), same_subject), stays.end());
}

}  // namespace

Cohort find_cohort(const std::string& folder, const IcuCallback& callback) {
  Cohort cohort{read_stays(folder, callback), {}};
  auto& stays = cohort.stays;
  auto& steps = cohort.steps;
  steps.push_back(count(stays, "ICU stays read"));
  std::erase_if(stays, [](const IcuStay& s) { return s.end <= s.start; });
  steps.push_back(count(stays, "patient, admission and times known"));
  for (IcuStay& stay : stays) stay.end = std::min(stay.end, stay.death);
  std::erase_if(stays, [](const IcuStay& s) { return s.end <= s.start; });
  steps.push_back(count(stays, "up to the time of death"));
  std::erase_if(stays,
                [](const IcuStay& s) { return s.age < kCohortRules.youngest || s.care_unit == kCohortRules.not_in; });
  steps.push_back(
      count(stays, fmt::format("aged {} or more, not in the {}", kCohortRules.youngest, kCohortRules.not_in)));
  keep_first_stays(stays);
  steps.push_back(count(stays, "first stay of each patient"));
  std::erase_if(stays, [](const IcuStay& s) {
    return length_in_hours(s) < kCohortRules.shortest_hours || length_in_hours(s) > kCohortRules.longest_hours;
  });
  steps.push_back(
      count(stays, fmt::format("of {} to {} hours", kCohortRules.shortest_hours, kCohortRules.longest_hours)));
  if (stays.empty()) {
    throw DataError(fmt::format("{}: none of {} is in the cohort (aged {} or more, {} to {} hours)", printable(folder),
                                counted(steps.front().stays, "ICU stay"), kCohortRules.youngest,
                                kCohortRules.shortest_hours, kCohortRules.longest_hours));
  }
  return cohort;
}

}  // namespace perpend
