#include "perpend/data/find_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/cells.h"

namespace perpend {

namespace {

using Meaning = NumericCells::Meaning;

constexpr std::size_t kMinIdRows = 20;
constexpr double kIdShare = 0.95;

struct CellCounts {
  std::size_t numbers = 0;
  std::size_t words = 0;
  std::optional<std::size_t> first_word;
  std::optional<std::size_t> first_beyond;
};

CellCounts count_cells(const Table& table, const Column& column, const Reading& reading) {
  CellCounts counts;
  const NumericCells cells(column, reading);
  for (std::size_t row = 0; row < table.rows; ++row) {
    const Meaning meaning = cells.meaning(row);
    if (meaning == Meaning::number || meaning == Meaning::beyond_float) ++counts.numbers;
    if (meaning == Meaning::word && counts.words++ == 0) counts.first_word = row;
    if (meaning == Meaning::beyond_float && !counts.first_beyond) counts.first_beyond = row;
  }
  return counts;
}

[[noreturn]] void word_among_numbers(const Table& table, const Column& column, const CellCounts& counts,
                                     const Reading& reading) {
  const std::size_t row = *counts.first_word;
  const std::string kind = reading.is_date() ? "date" : "number";
  const std::string others =
      counted(counts.numbers, "other row") + (counts.numbers == 1 ? " is a " + kind : " are " + kind + "s");
  throw DataError(fmt::format("{}: column {} is {} where {}; correct it, or give {} or {}", table.place(row),
                              quote(column.name), shown_cell(column, row), others,
                              option_mention("categorical", column.name), option_mention("drop", column.name)));
}

bool ends_in_id(const std::string& name) {
  const std::size_t n = name.size();
  return n >= 2 && (name[n - 2] == 'i' || name[n - 2] == 'I') && (name[n - 1] == 'd' || name[n - 1] == 'D');
}

// Integers that all differ are common among measurements too, so an id needs one more sign.
bool is_id_like(const std::vector<double>& numbers, const std::string& name) {
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == std::trunc(x); })) return false;
  const std::unordered_set<double> different(numbers.begin(), numbers.end());
  const auto count = static_cast<double>(numbers.size());
  if (static_cast<double>(different.size()) < kIdShare * count) return false;
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  return std::is_sorted(numbers.begin(), numbers.end()) || *high - *low < 2 * count || ends_in_id(name);
}

ColumnTraits numeric_traits(const Column& column, const Reading& reading, Rows rows) {
  const NumericCells cells(column, reading);
  std::vector<double> known;
  known.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    if (cells.meaning(row) == Meaning::number) known.push_back(cells.number(row));
  }
  ColumnTraits traits{.constant = true, .id_like = false, .has_missing = known.size() < rows.size()};
  if (known.empty()) return traits;
  traits.constant = std::all_of(known.begin(), known.end(), [&](double x) { return x == known[0]; });
  traits.id_like = !reading.is_date() && known.size() >= kMinIdRows && is_id_like(known, column.name);
  return traits;
}

ColumnTraits level_traits(const Column& column, Rows rows) {
  std::vector<bool> words(column.words.size());
  std::unordered_set<double> numbers;
  std::size_t known = 0;
  for (const std::uint32_t row : rows) {
    if (column.is_missing(row)) continue;
    ++known;
    if (column.is_number(row)) {
      numbers.insert(column.number(row));
    } else {
      words[static_cast<std::size_t>(column.mark(row))] = true;
    }
  }
  const auto different = numbers.size() + static_cast<std::size_t>(std::count(words.begin(), words.end(), true));
  return {.constant = different <= 1,
          .id_like = known >= kMinIdRows && static_cast<double>(different) >= kIdShare * static_cast<double>(known),
          .has_missing = known < rows.size()};
}

bool equal_cells(const Column& a, const Column& b, Rows rows) {
  return std::all_of(rows.begin(), rows.end(), [&](std::uint32_t row) {
    if (a.is_number(row) && b.is_number(row)) return a.number(row) == b.number(row);
    return a.is_number(row) == b.is_number(row) && a.is_missing(row) == b.is_missing(row) && a.text(row) == b.text(row);
  });
}

}  // namespace

FoundKind find_kind(const Table& table, const Column& column, bool asked_categorical,
                    std::vector<std::string>& warnings) {
  const FoundKind categorical{.kind = ColumnKind::categorical};
  if (asked_categorical || column.nominal) return categorical;
  const Reading reading = find_reading(table, column);
  const CellCounts counts = count_cells(table, column, reading);
  if (counts.words > counts.numbers) {
    if (counts.numbers > 0) {
      warnings.push_back(fmt::format("column {} mixes {} with {}; it is read as categorical", quote(column.name),
                                     counted(counts.numbers, "number"), counted(counts.words, "word")));
    }
    return categorical;
  }
  if (counts.words > 0) word_among_numbers(table, column, counts, reading);
  if (counts.first_beyond) {
    refuse_nan(table, column, *counts.first_beyond);
    throw DataError(
        fmt::format("{}: column {} is {}, a number outside float range (3.4e38); scale the column or give {}",
                    table.place(*counts.first_beyond), quote(column.name), shown_cell(column, *counts.first_beyond),
                    option_mention("drop", column.name)));
  }
  return {.kind = ColumnKind::numeric, .reading = reading};
}

ColumnTraits column_traits(const Column& column, const FoundKind& found, Rows rows) {
  return found.kind == ColumnKind::numeric ? numeric_traits(column, found.reading, rows) : level_traits(column, rows);
}

void refuse_missing(const Table& table, const Column& column, const FoundKind& found) {
  const NumericCells cells(column, found.reading);
  const bool numeric = found.kind == ColumnKind::numeric;
  std::size_t count = 0;
  std::optional<std::size_t> first;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const bool missing = numeric ? cells.meaning(row) == Meaning::missing : column.is_missing(row);
    if (missing && count++ == 0) first = row;
  }
  if (!first) return;
  const bool word = numeric && !column.is_missing(*first);
  throw DataError(fmt::format("{}: column {} is {} where {} {} ({} in all); give {}, {} or {}", table.place(*first),
                              quote(column.name), shown_cell(column, *first), counted(table.rows - count, "other row"),
                              !numeric                  ? "have a value"
                              : found.reading.is_date() ? "are dates"
                                                        : "are numbers",
                              counted(count, numeric ? "missing or infinite cell" : "missing cell"),
                              option_mention("missing", "mean"), option_mention("missing", "indicator"),
                              option_mention(word ? "categorical" : "drop", column.name)));
}

std::size_t fingerprint(const Column& column, Rows rows) {
  std::vector<std::size_t> words;
  for (const std::string& word : column.words) words.push_back(std::hash<std::string>{}(word));
  std::size_t hash = 0;
  for (const std::uint32_t row : rows) {
    const std::int32_t mark = column.mark(row);
    std::size_t cell = 1;
    if (mark == kNumberCell) cell = std::bit_cast<std::uint64_t>(column.number(row) + 0.0);
    if (mark >= 0) cell = words[static_cast<std::size_t>(mark)];
    hash = (std::rotl(hash, 5) ^ cell) * 0x9E3779B97F4A7C15U;
  }
  return hash;
}

std::vector<std::pair<std::string, std::string>> equal_columns(std::span<const Column* const> columns,
                                                               std::span<const std::size_t> fingerprints, Rows rows) {
  std::unordered_multimap<std::size_t, const Column*> firsts;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column* column = columns[i];
    const std::size_t hash = fingerprints[i];
    const auto [begin, end] = firsts.equal_range(hash);
    const auto same =
        std::find_if(begin, end, [&](const auto& other) { return equal_cells(*other.second, *column, rows); });
    if (same == end) {
      firsts.emplace(hash, column);
    } else {
      pairs.emplace_back(same->second->name, column->name);
    }
  }
  return pairs;
}

}  // namespace perpend
