#include "perpend/icu/challenge.h"

#include <gtest/gtest.h>

#include "perpend/data/source.h"
#include "tests/data/tables.h"

namespace perpend {
namespace {

constexpr const char* kText =
    "recordid,SAPS-I,SOFA,Length_of_stay,Survival,In-hospital_death,Age,Height,MAP_first,Temp_last,UrineOutputSum\n"
    "1,6,1,5,-1,0,54,3960,5,37.5,13\n"
    "2,16,8,8,-1,1,76,175.3,80,,\n";

TEST(ChallengeTable, LeavesOutScoresAndOutcomesAndObeysTheLimits) {
  ChallengeReport report;
  EXPECT_EQ(csv_text(make_challenge_table(csv(kText), &report)),
            "Age,Height,MAP_first,Temp_last,UrineOutputSum,in_hospital_death\n"
            "54,,14,37.5,13,0\n"
            "76,175.3,80,,,1\n");
  EXPECT_EQ(report.rows, 2U);
  EXPECT_EQ(report.columns, 6U);
  EXPECT_EQ(report.deaths, 1U);
  EXPECT_EQ(report.values, 5U);
  EXPECT_EQ(report.out_of_range, 1U);
  EXPECT_EQ(report.moved, 1U);
}

TEST(ChallengeTable, RefusesAnotherTable) {
  EXPECT_EQ(data_error([] { make_challenge_table(csv("a,b\n1,2\n")); }),
            "t.csv has no column 'In-hospital_death'; it must be set A of PhysioNet's 2012 challenge as one CSV "
            "with one row per stay");
  EXPECT_EQ(data_error([] { make_challenge_table(csv("Age,In-hospital_death\n1,0\n2,3\n")); }),
            "t.csv:3: column 'In-hospital_death' is '3', not 0 or 1");
}

}  // namespace
}  // namespace perpend
