// The rules by which an ICU table is made: which item of the record is which measurement, in which unit, within which
// limits. All rules are in rules.cpp. Other code only reads them.
//
// Items, limits and conversions follow MIMIC-Extract (Wang et al. 2020) and MIT-LCP's mimic-code, both under the MIT
// licence. Four changes are our own. One substance has one column (in MIMIC-Extract potassium, lactate and phosphate
// have two names each). Bilirubin is the total alone. Urine is every route of both lists. The Glasgow coma scale has
// its three parts besides the total, because only CareVue stores the total.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

// Several values of one hour become their mean, or their sum if they are amounts.
enum class Fold : std::uint8_t { mean, sum };

// The tables of events, and the columns that have the value and the mark of an error.
enum class EventTable : std::uint8_t { chart, lab, output };
struct EventSource {
  std::string_view table;
  std::string_view value;
  std::string_view error;  // empty if there is no such column; else "1" excludes the row
};
inline constexpr std::array<EventSource, 3> kEventSources = {
    {{"chartevents", "valuenum", "error"}, {"labevents", "valuenum", ""}, {"outputevents", "value", "iserror"}}};

// One column of the table. A value below `low` or above `high` is ignored. A value between `low` and `least` is moved
// to `least`, and a value between `most` and `high` to `most`.
struct Variable {
  std::string_view name;
  std::string_view unit;
  Fold fold;
  double low, least, most, high;
  std::array<std::string_view, 3> items;  // per EventTable: item ids, separated by blanks
  std::string_view challenge;             // its names in PhysioNet's 2012 challenge
};
std::span<const Variable> icu_variables();

// x becomes (x - shift) * factor if above < x <= up_to. This holds for the items named, or for all items of the
// variable if none is named.
struct Conversion {
  std::string_view variable;
  std::string_view items;
  double above, up_to;
  double shift, factor;
};
std::span<const Conversion> icu_conversions();

// Which stays are in the cohort, and which hours a stay has.
struct CohortRules {
  int youngest = 15;           // years when the stay begins
  int oldest_told = 89;        // MIMIC-III hides higher ages
  int age_of_older = 90;       // the age that stands for hidden ones
  double shortest_hours = 12;  // length of a stay
  double longest_hours = 240;
  double hours_before = 6;  // values from these hours before the stay count in its first hour
  std::string_view not_in = "NICU";
};
inline constexpr CohortRules kCohortRules;

// A value after the limits of its variable are applied.
struct Limited {
  std::optional<double> value;
  bool moved = false;
};
Limited limited(const Variable& variable, double x);

// Finds the variable of an item of one event table, in constant time.
class ItemRules {
 public:
  explicit ItemRules(EventTable table);

  static constexpr std::size_t kNone = SIZE_MAX;
  std::size_t variable(std::uint32_t item) const {  // an index into icu_variables(), or kNone
    return item < variables_.size() ? variables_[item] : kNone;
  }
  double converted(std::uint32_t item, double x) const;

 private:
  struct Applied {
    std::uint32_t item;
    const Conversion* conversion;
  };
  std::vector<std::size_t> variables_;  // by item id
  std::vector<Applied> conversions_;
};

// Every rule as CSV, one line per item: itemid,table,column,unit,per_hour,low,least,most,high,conversion.
std::string icu_rules_csv();

}  // namespace perpend
