// What an ICU table is made of, as tables of rules: which item of the record is which measurement, in which unit,
// within which limits. All of them are in rules.cpp; code elsewhere only walks them.
//
// Items, limits and conversions follow MIMIC-Extract (Wang et al. 2020) and MIT-LCP's mimic-code, both MIT licence,
// with four changes of our own: one column for one substance (potassium, lactate and phosphate have two names each in
// MIMIC-Extract), bilirubin is the total alone, urine is every route of both lists, and the Glasgow coma scale has its
// three parts beside the total, which only CareVue stores.
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

// Several values of one hour become their mean, or their sum where they are amounts.
enum class Fold : std::uint8_t { mean, sum };

// The tables of events, and where their rows keep the value and the remark that it was an error.
enum class EventTable : std::uint8_t { chart, lab, output };
struct EventSource {
  std::string_view table;
  std::string_view value;
  std::string_view error;  // empty: there is no such column; else "1" takes the row out
};
inline constexpr std::array<EventSource, 3> kEventSources = {
    {{"chartevents", "valuenum", "error"}, {"labevents", "valuenum", ""}, {"outputevents", "value", "iserror"}}};

// One column of the table. A value below `low` or above `high` is ignored. A value between low and least is
// moved to least, one between most and high to most.
struct Variable {
  std::string_view name;
  std::string_view unit;
  Fold fold;
  double low, least, most, high;
  std::array<std::string_view, 3> items;  // by EventTable: item ids with blanks between
  std::string_view challenge;             // what PhysioNet's 2012 challenge calls it
};
std::span<const Variable> icu_variables();

// x becomes (x - shift) * factor where above < x <= up_to, for the items named, or all items of the variable.
struct Conversion {
  std::string_view variable;
  std::string_view items;
  double above, up_to;
  double shift, factor;
};
std::span<const Conversion> icu_conversions();

// Who is in the cohort, and which hours a stay has.
struct CohortRules {
  int youngest = 15;           // years at the stay's start
  int oldest_told = 89;        // MIMIC-III hides higher ages; they become
  int age_of_older = 90;       // this
  double shortest_hours = 12;  // of a stay
  double longest_hours = 240;
  double hours_before = 6;  // what was measured this shortly before the stay counts in its first hour
  std::string_view not_in = "NICU";
};
inline constexpr CohortRules kCohortRules;

// Limits of a variable, applied.
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
