#include "perpend/data/find_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/cells.h"

namespace perpend {

namespace {

constexpr std::size_t kMaxFractions = 20;  // if more labels than this are fractions, they are a quantity

struct Counts {
  std::map<double, std::size_t> numbers;
  std::vector<std::size_t> words;  // one count per word of the column

  std::size_t classes() const {
    const auto used = std::count_if(words.begin(), words.end(), [](std::size_t n) { return n > 0; });
    return numbers.size() + static_cast<std::size_t>(used);
  }
};

bool is_missing_label(const Column& target, std::size_t row) {
  const std::int32_t mark = target.mark(row);
  if (mark == kNumberCell) return std::isinf(target.number(row));
  return mark == kMissingCell || is_missing_word(target.words[static_cast<std::size_t>(mark)]);
}

[[noreturn]] void missing_labels(const Table& table, const Column& target, std::size_t first) {
  std::size_t count = 0;
  for (std::size_t row = first; row < table.rows; ++row) count += is_missing_label(target, row) ? 1 : 0;
  throw DataError(fmt::format("{}: label {} is {}, one of {} without a label; remove them", table.place(first),
                              quote(target.name), shown_cell(target, first), counted(count, "row")));
}

[[noreturn]] void too_many(const Table& table, const Column& target) {
  throw DataError(fmt::format(
      "{}: target {} looks like a quantity, not a class: it has over {} different values; {} predicts the number",
      printable(table.source), quote(target.name), thousands(kMaxFractions), option_mention("task", "regress")));
}

Counts count_labels(const Table& table, const Column& target) {
  Counts counts;
  counts.words.resize(target.words.size());
  std::size_t fractions = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (is_missing_label(target, row)) missing_labels(table, target, row);
    if (!target.is_number(row)) {
      ++counts.words[static_cast<std::size_t>(target.mark(row))];
      continue;
    }
    const double number = target.number(row);
    const std::size_t seen = ++counts.numbers[number];
    fractions += seen == 1 && number != std::trunc(number) ? 1 : 0;
    if (fractions > kMaxFractions || counts.numbers.size() > kMaxClasses) too_many(table, target);
  }
  if (counts.classes() > kMaxClasses) {
    throw DataError(fmt::format("{}: target {} has {} classes; at most {} are possible", printable(table.source),
                                quote(target.name), thousands(counts.classes()), thousands(kMaxClasses)));
  }
  return counts;
}

std::string with_counts(const std::map<std::string, std::size_t>& classes) {
  constexpr std::size_t kShown = 5;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, count] : classes) {
    if (shown++ == kShown) return text + ", ...";
    text += fmt::format("{}{} ({})", shown == 1 ? "" : ", ", quote(name), counted(count, "row"));
  }
  return text;
}

void put_second(std::vector<std::string>& classes, const std::string& positive, const Column& target,
                const std::map<std::string, std::size_t>& counts) {
  const auto number = as_number(positive);
  const auto found = std::find(classes.begin(), classes.end(), number ? number_name(*number) : positive);
  if (found == classes.end()) {
    throw DataError(fmt::format("target {} has no class {}, which is to be positive; it has {}", quote(target.name),
                                quote(positive), with_counts(counts)));
  }
  if (classes.size() != 2) {
    throw DataError(fmt::format("{} needs a target of two classes; target {} has {}",
                                option_mention("positive", positive), quote(target.name), classes.size()));
  }
  if (found == classes.begin()) std::swap(classes[0], classes[1]);
}

}  // namespace

std::vector<std::string> find_classes(const Table& table, const Column& target, const std::string& positive) {
  const Counts counts = count_labels(table, target);
  std::vector<std::string> classes;
  std::map<std::string, std::size_t> by_name;
  for (const auto& [number, count] : counts.numbers) {
    classes.push_back(number_name(number));
    by_name.emplace(classes.back(), count);
  }
  const bool all_numbers = counts.numbers.size() == counts.classes();
  for (std::size_t i = 0; i < counts.words.size(); ++i) {
    if (counts.words[i] == 0) continue;
    classes.push_back(target.words[i]);
    by_name.emplace(classes.back(), counts.words[i]);
  }
  if (!all_numbers) std::sort(classes.begin(), classes.end());
  if (classes.size() < 2) {
    throw DataError(fmt::format("{}: target {} has only one class, {}; at least two are needed",
                                printable(table.source), quote(target.name), with_counts(by_name)));
  }
  if (!positive.empty()) put_second(classes, positive, target, by_name);
  return classes;
}

std::optional<std::string> formula_warning(std::span<const std::string> classes) {
  for (const std::string& name : classes) {
    if (name.empty() || std::string_view("=+-@\t\r").find(name[0]) == std::string_view::npos || as_number(name))
      continue;
    return fmt::format("class {} begins like a formula; a spreadsheet that opens the predictions may run it",
                       quote(name));
  }
  return std::nullopt;
}

}  // namespace perpend
