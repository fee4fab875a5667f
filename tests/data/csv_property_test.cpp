#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <charconv>

#include "perpend/data/encode.h"
#include "tests/data/tables.h"

namespace perpend {
namespace {

// The text of a cell, from a small alphabet in which every special character is common.
rc::Gen<std::string> cell_text() {
  return rc::gen::container<std::string>(
      rc::gen::element('a', 'b', '"', ',', '\n', '\r', ' ', '\t', '1', '.', '-', '0'));
}

std::string csv_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

RC_GTEST_PROP(CsvProperty, AnyQuotedTableReadsBackInAnyBlocks, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 5);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 30);
  const auto block_rows = *rc::gen::inRange<std::size_t>(1, 31);
  std::string text;
  for (std::size_t c = 0; c < columns; ++c) text += (c == 0 ? "n" : ",n") + std::to_string(c);
  std::vector<std::vector<std::string>> cells(rows);
  for (auto& row : cells) {
    for (std::size_t c = 0; c < columns; ++c) {
      row.push_back(*cell_text());
      text += (c == 0 ? "\n" : ",") + csv_quoted(row.back());
    }
  }
  CsvReader reader(bytes_in_memory("t.csv", text));
  std::size_t row = 0;
  for (Table block; reader.next(block, block_rows);) {
    for (std::size_t i = 0; i < block.rows; ++i, ++row) {
      for (std::size_t c = 0; c < columns; ++c) {
        const auto number = as_number(cells[row][c]);
        RC_ASSERT(block.columns[c].is_missing(i) == cells[row][c].empty());
        RC_ASSERT(block.columns[c].text(i) == (number ? number_name(*number) : cells[row][c]));
      }
    }
  }
  RC_ASSERT(row == rows);
}

RC_GTEST_PROP(CsvProperty, AnyNumberReadsBackWithTheSameBits, (const std::vector<double>& some)) {
  RC_PRE(!some.empty());
  std::string text = "x\n";
  std::vector<double> expected;
  for (const double number : some) {
    std::array<char, 400> digits{};
    const bool fixed = std::abs(number) < 1e15 && *rc::gen::arbitrary<bool>();
    const auto end = fixed ? std::to_chars(digits.begin(), digits.end(), number, std::chars_format::fixed).ptr
                           : std::to_chars(digits.begin(), digits.end(), number).ptr;
    text.append(digits.data(), end) += '\n';
    expected.push_back(number);
  }
  const Table table = csv(text);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::abs(expected[i]) > 3.4e38) continue;
    RC_ASSERT(table.columns[0].is_number(i));
    RC_ASSERT(std::bit_cast<std::uint64_t>(table.columns[0].numbers[i]) == std::bit_cast<std::uint64_t>(expected[i]));
  }
}

RC_GTEST_PROP(CsvProperty, DecimalsReadAsTheLibraryReadsThem, ()) {
  const auto digits = *rc::gen::container<std::string>(rc::gen::inRange('0', static_cast<char>('9' + 1)));
  const auto point = *rc::gen::inRange<std::size_t>(0, digits.size() + 1);
  std::string number = *rc::gen::element<std::string>("", "-") + "1" + digits;
  number.insert(number.size() - point, 1, '.');
  number += *rc::gen::element<std::string>("", "e5", "E-7", "e+03");
  RC_PRE(std::abs(std::strtod(number.c_str(), nullptr)) < 3e38);
  RC_ASSERT(csv("x\n" + number + "\n").columns[0].numbers[0] == std::strtod(number.c_str(), nullptr));
}

RC_GTEST_PROP(SchemaProperty, JsonKeepsEveryBit, ()) {
  Schema schema;
  schema.target = "y";
  schema.classes = {"no", "yes"};
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "x" + std::to_string(i);
    schema.columns.push_back({.name = name, .kind = ColumnKind::numeric, .levels = {}});
    schema.features.push_back({.name = name,
                               .column = i,
                               .level = Feature::kNumber,
                               .fill = *rc::gen::arbitrary<double>(),
                               .mean = *rc::gen::arbitrary<double>(),
                               .sd = std::abs(*rc::gen::arbitrary<double>()) + 1e-300});
  }
  RC_ASSERT(schema_from_json(schema_to_json(schema)) == schema);
}

}  // namespace
}  // namespace perpend
