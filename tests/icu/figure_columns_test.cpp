#include "perpend/icu/figure_columns.h"

#include <gtest/gtest.h>

#include "perpend/icu/mimic.h"

namespace perpend {
namespace {

using Names = std::vector<std::string>;

Schema schema_of(const Names& columns, const std::string& target = std::string(kIcuTarget)) {
  Schema schema;
  schema.target = target;
  for (const auto& name : columns) {
    schema.columns.emplace_back();
    schema.columns.back().name = name;
  }
  return schema;
}

TEST(IcuFigureColumns, OfMimicAreThePapersFive) {
  EXPECT_EQ(icu_figure_columns(schema_of({"hour", "age", "weight", "height", "urine", "bun", "creatinine", "sodium"})),
            (Names{"age", "bun", "weight", "urine", "creatinine"}));
}

TEST(IcuFigureColumns, OfTheChallengeAreAllOfTheSameQuantities) {
  EXPECT_EQ(icu_figure_columns(schema_of({"Age", "Weight", "BUN_first", "Creatinine_first", "Weight_first", "BUN_last",
                                          "Creatinine_last", "UrineOutputSum", "BUNtotal", "Na_last"})),
            (Names{"Age", "BUN_first", "BUN_last", "Weight", "Weight_first", "UrineOutputSum", "Creatinine_first",
                   "Creatinine_last"}));
}

TEST(IcuFigureColumns, OfOtherTablesAreNone) {
  EXPECT_EQ(icu_figure_columns(schema_of({"age", "bun"}, "default")), Names());
  EXPECT_EQ(icu_figure_columns(schema_of({"sodium"})), Names());
}

}  // namespace
}  // namespace perpend
