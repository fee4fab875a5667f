#include "perpend/data/table_parts.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <unordered_map>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/read_table.h"

namespace perpend {

namespace {

constexpr std::array<std::string_view, 8> kPartEndings = {".csv",     ".csv.gz", ".arff",  ".arff.gz",
                                                          ".parquet", ".pq",     ".arrow", ".feather"};

// The place in kPartEndings, where the two endings of a kind are neighbours. Nothing for any other file.
std::optional<std::size_t> ending_of_part(std::string_view name) {
  for (std::size_t i = 0; i < kPartEndings.size(); ++i) {
    if (ends_in(name, kPartEndings[i])) return i;
  }
  return std::nullopt;
}

std::vector<std::string> parts_in_folder(const std::string& folder) {
  std::vector<std::string> parts;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    std::error_code unknown;
    if (name[0] == '.' || name[0] == '_' || !ending_of_part(name) || entry.is_directory(unknown)) continue;
    parts.push_back(entry.path().string());
  }
  if (failed) throw IoError(fmt::format("cannot read {}: {}", printable(folder), failed.message()));
  if (parts.empty()) {
    throw IoError(fmt::format("cannot read {}: it is a folder without tables; a table in it ends in {}",
                              printable(folder), fmt::join(kPartEndings, ", ")));
  }
  std::sort(parts.begin(), parts.end());
  for (const std::string& part : parts) {
    if (*ending_of_part(part) / 2 == *ending_of_part(parts[0]) / 2) continue;
    throw DataError(fmt::format(
        "{} has tables of two kinds, {} and {}; name those that are meant, for example {}", printable(folder),
        printable(parts[0]), printable(part),
        shell_word((std::filesystem::path(folder) / "*").string() + std::string(kPartEndings[*ending_of_part(part)]))));
  }
  return parts;
}

std::vector<std::string> matches_of(const std::string& pattern) {
  glob_t found{};
  const std::unique_ptr<glob_t, decltype(&globfree)> freed(&found, globfree);
  const int result = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  if (result == GLOB_NOSPACE) throw std::bad_alloc();
  if (result != 0) throw IoError("cannot read " + printable(pattern) + ": no file matches it");
  std::vector<std::string> parts(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  std::sort(parts.begin(), parts.end());
  return parts;
}

// Appends parts to a table. Words get new numbers, in their order of appearance in all parts.
class PartJoiner {
 public:
  explicit PartJoiner(std::string source) { all_.source = std::move(source); }

  void append(Table part) {
    if (all_.parts.empty()) {
      all_.separator = part.separator;
      for (const Column& column : part.columns) all_.columns.emplace_back().name = column.name;
      words_.resize(part.columns.size());
    } else {
      check_same_columns(first(), part);
    }
    for (std::size_t c = 0; c < part.columns.size(); ++c) append(c, part.columns[c]);
    all_.parts.push_back({part.source, all_.rows, std::move(part.lines)});
    all_.rows += part.rows;
  }

  Table finish() { return std::move(all_); }

 private:
  // The columns so far, under the name of the first part.
  Table first() const {
    Table table{.source = all_.parts[0].source};
    for (const Column& column : all_.columns) table.columns.emplace_back().name = column.name;
    return table;
  }

  void append(std::size_t c, const Column& part) {
    Column& all = all_.columns[c];
    all.nominal = all.nominal || part.nominal;
    if (!part.grouped.empty()) {
      all.grouped.resize(all.numbers.size());
      all.grouped.insert(all.grouped.end(), part.grouped.begin(), part.grouped.end());
    }
    if (!part.marks.empty() && all.marks.empty()) all.marks.assign(all.numbers.size(), kNumberCell);
    all.numbers.insert(all.numbers.end(), part.numbers.begin(), part.numbers.end());
    if (part.marks.empty()) {
      if (!all.marks.empty()) all.marks.resize(all.numbers.size(), kNumberCell);
      return;
    }
    std::vector<std::int32_t> renumbered;
    for (const std::string& word : part.words) {
      const auto [at, added] = words_[c].emplace(word, static_cast<std::int32_t>(all.words.size()));
      if (added) all.words.push_back(word);
      renumbered.push_back(at->second);
    }
    for (const std::int32_t mark : part.marks) {
      all.marks.push_back(mark < 0 ? mark : renumbered[static_cast<std::size_t>(mark)]);
    }
  }

  Table all_;
  std::vector<std::unordered_map<std::string, std::int32_t>> words_;  // one map per column
};

}  // namespace

bool ends_in(std::string_view name, std::string_view lower_ending) {
  if (name.size() < lower_ending.size()) return false;
  const std::string_view ending = name.substr(name.size() - lower_ending.size());
  return std::equal(ending.begin(), ending.end(), lower_ending.begin(),
                    [](char c, char lower) { return (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) == lower; });
}

std::vector<std::string> parts_of(const std::string& source) {
  std::error_code unknown;
  if (std::filesystem::is_directory(source, unknown)) return parts_in_folder(source);
  if (source.find_first_of("*?[") == std::string::npos || std::filesystem::exists(source, unknown)) return {};
  return matches_of(source);
}

void check_same_columns(const Table& first, const Table& next) {
  if (next.names() == first.names()) return;
  const auto lacks = [](const Table& table, const Table& other) {
    for (const Column& column : other.columns) {
      if (table.find(column.name) == nullptr) {
        throw DataError(
            fmt::format("{} has no column {}, which {} has; all files of a table must have the same columns",
                        printable(table.source), quote(column.name), printable(other.source)));
      }
    }
  };
  lacks(next, first);
  lacks(first, next);
  throw DataError(
      fmt::format("{} has the columns of {} in another order; all files of a table must have the same columns",
                  printable(next.source), printable(first.source)));
}

Table read_parts(const std::string& source, const std::vector<std::string>& parts) {
  PartJoiner joiner(source);
  for (const std::string& part : parts) joiner.append(read_table(part));
  return joiner.finish();
}

}  // namespace perpend
