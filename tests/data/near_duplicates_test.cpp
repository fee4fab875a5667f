#include "perpend/data/near_duplicates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/option_mention.h"
#include "perpend/base/random.h"

namespace perpend {
namespace {

using Blocks = std::vector<std::vector<std::size_t>>;

// Columns of normal numbers, (rows, columns).
Dataset noise(std::size_t rows, std::size_t columns) {
  const Stream stream({.seed = 1, .purpose = Purpose::generate, .member = 0, .step = 0});
  Dataset data;
  data.inputs = Inputs(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t f = 0; f < columns; ++f) {
      data.inputs.row(r)[f] = static_cast<float>(stream.normal(r * columns + f));
    }
  }
  for (std::size_t f = 0; f < columns; ++f) data.features.push_back("f" + std::to_string(f));
  return data;
}

// Column `to` becomes a + b times column `from` + `own` times itself.
void mix(Dataset& data, std::size_t from, std::size_t to, float a, float b, float own) {
  for (std::size_t r = 0; r < data.rows(); ++r) {
    float* x = data.inputs.row(r);
    x[to] = a + b * x[from] + own * x[to];
  }
}

TEST(NearDuplicates, UnlikeColumnsHaveNone) { EXPECT_EQ(near_duplicates(noise(500, 40).inputs.view()), Blocks{}); }

TEST(NearDuplicates, ScaleShiftAndSignDoNotHideThem) {
  Dataset data = noise(500, 6);
  mix(data, 1, 4, 7, -30, 0);
  mix(data, 2, 3, 0, 1, 0.01F);
  mix(data, 1, 5, 0, 0.1F, 0.001F);
  EXPECT_EQ(near_duplicates(data.inputs.view()), (Blocks{{1, 4, 5}, {2, 3}}));
}

TEST(NearDuplicates, TheBoundIsACorrelationOfNineTenths) {
  for (const auto& [own, near] : {std::pair(0.45F, true), std::pair(0.52F, false)}) {
    Dataset data = noise(20000, 2);
    mix(data, 0, 1, 0, 1, own);  // correlation 1 / sqrt(1 + own^2)
    EXPECT_EQ(near_duplicates(data.inputs.view()).size(), near ? 1U : 0U) << own;
  }
}

TEST(NearDuplicates, RareLevelsAndConstantsAreNotTakenForEachOther) {
  Dataset data = noise(300, 4);
  for (std::size_t r = 0; r < 300; ++r) {
    for (std::size_t f = 0; f < 4; ++f) data.inputs.row(r)[f] = f < 2 ? (r == 7 + f ? 1.0F : 0.0F) : 0.3F;
  }
  EXPECT_EQ(near_duplicates(data.inputs.view()), Blocks{});
}

// Fills a column with codes below `levels`. `code` computes them from the row.
template <class Code>
void set_levels(Dataset& data, std::size_t column, std::size_t levels, const Code& code) {
  data.columns.resize(data.inputs.cols());
  data.columns[column] = {.means = std::vector<float>(levels, 1.0F / static_cast<float>(levels)), .is_category = true};
  for (std::size_t r = 0; r < data.rows(); ++r) data.inputs(r, column) = static_cast<float>(code(r));
}

TEST(NearDuplicates, MissingNumbersDoNotHideThemAndAreNone) {
  Dataset data = noise(500, 4);
  mix(data, 0, 1, 0, 1, 0.01F);
  for (std::size_t r = 0; r < 500; r += 50) data.inputs(r, 1) = NAN;
  for (std::size_t r = 0; r < 500; ++r) data.inputs(r, 3) = NAN;
  EXPECT_EQ(near_duplicates(data.inputs.view()), (Blocks{{0, 1}}));
}

TEST(NearDuplicates, CategoriesAreComparedByTheirLevelsNotByTheirCodes) {
  Dataset data = noise(600, 6);
  const std::size_t shuffled[] = {3, 0, 4, 1, 2};
  const auto fifth = [](std::size_t r) { return r * 7 % 5; };
  set_levels(data, 0, 5, fifth);
  set_levels(data, 1, 5, [&](std::size_t r) { return shuffled[fifth(r)]; });  // the same levels in another order
  set_levels(data, 2, 5, [](std::size_t r) { return r / 5 % 5; });
  set_levels(data, 3, 2, [](std::size_t r) { return r % 2; });
  for (std::size_t r = 0; r < 600; ++r)
    data.inputs(r, 4) = r % 2 == 0 ? 7.0F : -1.0F;  // the same information as column 3
  for (std::size_t r = 0; r < 600; ++r) data.inputs(r, 5) = static_cast<float>(fifth(r));  // the code as a number
  EXPECT_EQ(near_duplicates(data.inputs.view(), data.columns), (Blocks{{0, 1}, {3, 4}}));
}

TEST(NearDuplicates, ManyLevelsInFewRowsAreNoReason) {
  const Stream stream({.seed = 3, .purpose = Purpose::generate, .member = 0, .step = 0});
  Dataset data = noise(400, 2);
  for (const std::size_t column : {0, 1}) {
    set_levels(data, column, 300, [&](std::size_t r) { return std::floor(stream.uniform(2 * r + column) * 300); });
  }
  EXPECT_EQ(near_duplicates(data.inputs.view(), data.columns), Blocks{});
}

TEST(NearDuplicates, WarningNamesColumnsAndSaysWhatToDo) {
  Dataset data = noise(100, 3);
  Schema schema;
  for (const char* name : {"a", "b", "c"}) {
    schema.features.push_back({.name = name, .column = schema.columns.size()});
    schema.columns.push_back({.name = name, .kind = ColumnKind::numeric, .levels = {}});
  }
  EXPECT_FALSE(near_duplicate_warning(data, schema).has_value());
  mix(data, 0, 2, 0, 1, 0);
  const auto warning = near_duplicate_warning(data, schema);
  ASSERT_TRUE(warning.has_value());
  EXPECT_NE(warning->find("'f0' and 'f2'"), std::string::npos) << *warning;
  EXPECT_NE(warning->find(option_mention("drop")), std::string::npos);
  EXPECT_EQ(warning->find("manifold"), std::string::npos) << "it makes plain networks, which were far worse here";
  schema.columns[0] = {
      .name = "day", .kind = ColumnKind::numeric, .levels = {}, .reading = {.part = Reading::Part::time}};
  schema.columns[2] = {
      .name = "day.month", .kind = ColumnKind::numeric, .levels = {}, .reading = {.part = Reading::Part::month}};
  EXPECT_FALSE(near_duplicate_warning(data, schema).has_value()) << "both are made of one date";
}

}  // namespace
}  // namespace perpend
