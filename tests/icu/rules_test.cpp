#include "perpend/icu/rules.h"

#include <gtest/gtest.h>

#include <set>

#include "perpend/data/read_csv.h"

namespace perpend {
namespace {

const Variable& variable(std::string_view name) {
  for (const Variable& v : icu_variables()) {
    if (v.name == name) return v;
  }
  throw std::runtime_error("no variable " + std::string(name));
}

std::string_view name_of(const ItemRules& rules, std::uint32_t item) {
  const std::size_t v = rules.variable(item);
  return v == ItemRules::kNone ? "" : icu_variables()[v].name;
}

TEST(IcuRules, FindItemsByTable) {
  const ItemRules chart(EventTable::chart);
  EXPECT_EQ(name_of(chart, 211), "heart_rate");
  EXPECT_EQ(name_of(chart, 220045), "heart_rate");
  EXPECT_EQ(name_of(chart, 227442), "potassium");  // "Potassium serum" elsewhere
  EXPECT_EQ(name_of(chart, 51006), "");            // urea of LABEVENTS
  EXPECT_EQ(name_of(chart, 4294967295U), "");
  EXPECT_EQ(name_of(ItemRules(EventTable::lab), 51006), "bun");
  EXPECT_EQ(name_of(ItemRules(EventTable::output), 226560), "urine");
}

TEST(IcuRules, ConvertUnits) {
  const ItemRules chart(EventTable::chart);
  EXPECT_NEAR(chart.converted(678, 98.6), 37, 1e-12);
  EXPECT_EQ(chart.converted(676, 36.5), 36.5);
  EXPECT_NEAR(chart.converted(676, 98.6), 37, 1e-12);  // Fahrenheit in the Celsius field
  EXPECT_EQ(chart.converted(223835, 40), 0.4);
  EXPECT_EQ(chart.converted(223835, 1), 1);
  EXPECT_EQ(chart.converted(646, 0.97), 97);
  EXPECT_EQ(chart.converted(646, 97), 97);
  EXPECT_NEAR(chart.converted(226531, 200), 90.718474, 1e-9);
  EXPECT_NEAR(chart.converted(3582, 16), 0.45359237, 1e-12);
  EXPECT_EQ(chart.converted(763, 80), 80);
  EXPECT_NEAR(chart.converted(226707, 70), 177.8, 1e-9);
  EXPECT_EQ(chart.converted(226730, 178), 178);
}

TEST(IcuRules, EmptyWhatIsImpossibleAndMoveWhatIsUnlikely) {
  const Variable& pressure = variable("mean_pressure");  // 0, 14, 330, 375
  EXPECT_FALSE(limited(pressure, -1).value);
  EXPECT_FALSE(limited(pressure, 376).value);
  EXPECT_EQ(limited(pressure, 5).value, 14);
  EXPECT_EQ(limited(pressure, 0).value, 14);  // low and high still are values
  EXPECT_EQ(limited(pressure, 375).value, 330);
  EXPECT_FALSE(limited(pressure, 14).moved);
  EXPECT_FALSE(limited(pressure, 330).moved);
  EXPECT_TRUE(limited(pressure, 5).moved);
  EXPECT_EQ(limited(pressure, 350).value, 330);
  EXPECT_EQ(limited(pressure, 80).value, 80);
  EXPECT_FALSE(limited(pressure, 80).moved);
  EXPECT_EQ(limited(variable("calcium"), 1e6).value, 1e6);  // the sources give no limits
  EXPECT_FALSE(limited(variable("calcium"), std::numeric_limits<double>::infinity()).value);
  EXPECT_FALSE(limited(variable("calcium"), 1e308).value);  // beyond float, and every table is read as floats
}

TEST(IcuRules, AreSound) {
  std::set<std::string_view> names;
  for (const Variable& v : icu_variables()) {
    EXPECT_TRUE(names.insert(v.name).second) << v.name;
    EXPECT_LE(v.low, v.least) << v.name;
    EXPECT_LT(v.least, v.most) << v.name;
    EXPECT_LE(v.most, v.high) << v.name;
  }
  for (const Conversion& c : icu_conversions()) EXPECT_TRUE(names.contains(c.variable)) << c.variable;
}

TEST(IcuRules, PrintAsCsvALineAnItem) {
  const std::string text = icu_rules_csv();
  const Table table = read_csv(bytes_in_memory("rules.csv", text));
  EXPECT_EQ(table.columns.size(), 10U);
  EXPECT_NE(text.find("\n678,chartevents,temperature,C,mean,14.2,26,45,47,x > 79: (x - 32) * 0.55555556\n"),
            std::string::npos);
  EXPECT_NE(text.find("\n40055,outputevents,urine,ml,sum,0,0,1200,2445,\n"), std::string::npos);
  EXPECT_NE(text.find("\n113,chartevents,central_venous_pressure,mmHg,mean,,,,,\n"), std::string::npos);
}

}  // namespace
}  // namespace perpend
