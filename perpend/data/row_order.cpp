#include "perpend/data/row_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string_view>

namespace perpend {

namespace {

// The finishing steps of SplitMix64. Every bit of the input affects every bit of the output.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

std::uint64_t hash_of(std::string_view word) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

// Adds the cells of these columns to the hash of each row.
void add_columns(std::span<const Column* const> columns, std::vector<std::uint64_t>& hashes) {
  std::vector<std::vector<std::uint64_t>> words(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const std::string& word : columns[c]->words) words[c].push_back(hash_of(word));
  }
  for (std::size_t first = 0; first < hashes.size(); first += kViewBlock) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Column& column = *columns[c];
      for (std::size_t row = first; row < std::min(first + kViewBlock, hashes.size()); ++row) {
        const std::int32_t mark = column.mark(row);
        std::uint64_t cell = 1;
        if (mark == kNumberCell) cell = std::bit_cast<std::uint64_t>(column.number(row) + 0.0);
        if (mark >= 0) cell = words[c][static_cast<std::size_t>(mark)];
        hashes[row] = mixed(hashes[row] + 0x9E3779B97F4A7C15U + cell);
      }
    }
  }
}

}  // namespace

std::optional<std::vector<std::uint32_t>> copies_of_rows(const Table& table, const std::string& weight_column) {
  const Column* column = weight_column.empty() ? nullptr : table.find(weight_column);
  if (column == nullptr) return {};
  const std::uint64_t most = std::min<std::uint64_t>(kMostCopies * table.rows, UINT32_MAX);
  std::vector<std::uint32_t> copies;
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double weight = column->is_number(row) ? column->number(row) : -1;
    if (!(weight >= 0 && weight <= static_cast<double>(most)) || weight != std::trunc(weight)) return {};
    copies.push_back(static_cast<std::uint32_t>(weight));
    sum += copies.back();
    if (sum > most) return {};
  }
  return copies;
}

std::vector<std::uint64_t> row_hashes(const Table& table, std::span<const std::string> without) {
  std::vector<std::uint64_t> hashes(table.rows, 0);
  std::vector<const Column*> columns;
  for (const Column& column : table.columns) {
    if (std::ranges::find(without, column.name) == without.end()) columns.push_back(&column);
  }
  add_columns(columns, hashes);
  return hashes;
}

std::vector<std::uint32_t> rows_by_content(const Table& table, const std::string& weight_column,
                                           std::span<const std::string> unused) {
  const Column* weights = weight_column.empty() ? nullptr : table.find(weight_column);
  const auto copies = copies_of_rows(table, weight_column);
  std::vector<std::string> without(unused.begin(), unused.end());
  if (!weight_column.empty()) without.push_back(weight_column);
  std::vector<std::uint64_t> hashes = row_hashes(table, without);
  if (weights != nullptr && !copies) add_columns({{weights}}, hashes);
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < table.rows; ++row) {
    const bool counts = weights == nullptr || !weights->is_number(row) || weights->number(row) != 0;
    if (counts) order.insert(order.end(), copies ? (*copies)[row] : 1, row);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return hashes[a] < hashes[b]; });
  return order;
}

}  // namespace perpend
