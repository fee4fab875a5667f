#include "perpend/icu/challenge.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/icu/mimic.h"
#include "perpend/icu/rules.h"

namespace perpend {

namespace {

constexpr std::string_view kTarget = "In-hospital_death";
constexpr std::array<std::string_view, 5> kNoFeatures = {"recordid", "SAPS-I", "SOFA", "Length_of_stay", "Survival"};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::string_view first = words.substr(0, words.find(' '));
    if (first == word) return true;
    words.remove_prefix(std::min(words.size(), first.size() + 1));
  }
  return false;
}

// The variable of a column, such as HR for HR_first. Nothing if the rules do not have it, as for Age.
const Variable* variable_of(std::string_view column) {
  const std::string_view measured = column.substr(0, column.find('_'));
  const auto variables = icu_variables();
  const auto found =
      std::ranges::find_if(variables, [&](const Variable& v) { return has_word(v.challenge, measured); });
  return found == variables.end() ? nullptr : &*found;
}

void limit_column(Column& column, const Variable& variable, ChallengeReport& report) {
  if (column.marks.empty()) column.marks.assign(column.numbers.size(), kNumberCell);
  for (std::size_t r = 0; r < column.numbers.size(); ++r) {
    if (!column.is_number(r)) continue;
    const Limited kept = limited(variable, column.numbers[r]);
    ++report.values;
    report.moved += kept.moved ? 1 : 0;
    report.out_of_range += kept.value ? 0 : 1;
    if (!kept.value) column.marks[r] = kMissingCell;
    column.numbers[r] = kept.value.value_or(0);
  }
}

std::size_t count_deaths(const Table& table, const Column& target) {
  std::size_t deaths = 0;
  for (std::size_t r = 0; r < table.rows; ++r) {
    const std::string text = target.text(r);
    if (text != "0" && text != "1") {
      throw DataError(table.place(r) + ": column " + quote(target.name) + " is " +
                      (text.empty() ? "empty" : quote(text)) + ", not 0 or 1");
    }
    deaths += text == "1" ? 1 : 0;
  }
  return deaths;
}

}  // namespace

Table make_challenge_table(Table table, ChallengeReport* report) {
  ChallengeReport seen;
  const auto target = std::ranges::find(table.columns, kTarget, &Column::name);
  if (target == table.columns.end()) {
    throw DataError(printable(table.source) + " has no column " + quote(kTarget) +
                    "; it must be set A of PhysioNet's 2012 challenge as one CSV with one row per stay");
  }
  seen.deaths = count_deaths(table, *target);
  target->name = kIcuTarget;
  std::rotate(target, target + 1, table.columns.end());
  std::erase_if(table.columns,
                [](const Column& c) { return std::ranges::find(kNoFeatures, c.name) != kNoFeatures.end(); });
  for (Column& column : table.columns) {
    if (const Variable* variable = variable_of(column.name)) limit_column(column, *variable, seen);
  }
  seen.rows = table.rows;
  seen.columns = table.columns.size();
  if (report != nullptr) *report = seen;
  return table;
}

}  // namespace perpend
