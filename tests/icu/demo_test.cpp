// Tests with the open demo of MIMIC-III (100 patients) and PhysioNet's challenge. They run if the files are there.
#include <gtest/gtest.h>

#include <cstdlib>

#include "perpend/icu/challenge.h"
#include "tests/icu/mimic_folder.h"

namespace perpend {
namespace {

std::string data_folder() {
  const char* set = std::getenv("PERPEND_DATA");
  return set != nullptr ? set : PERPEND_SOURCE_DIR "/../shared/data";
}

class MimicDemo : public testing::Test {
 protected:
  void SetUp() override {
    const std::string folder = data_folder() + "/mimic_demo";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there: MIMIC-III's open demo";
    static const MadeTable made = make_table(folder);
    made_ = &made;
  }
  std::string cell(const std::string& subject, std::size_t hour, const std::string& column) const {
    return made_->cell(subject, hour, column);
  }
  const MadeTable* made_ = nullptr;
};

TEST_F(MimicDemo, CohortIsCountedRuleByRule) {
  const auto& steps = made_->report.cohort;
  EXPECT_EQ(steps[0].patients, 100U);
  EXPECT_EQ(steps[0].admissions, 129U);
  EXPECT_EQ(steps[0].stays, 136U);
  EXPECT_EQ(steps[0].hours, 14533U);
  EXPECT_EQ(steps[3].stays, 136U);  // all are of age
  EXPECT_EQ(steps[4].stays, 100U);
  EXPECT_EQ(steps[5].stays, 85U);
  EXPECT_EQ(made_->report.patients, 85U);
}

TEST_F(MimicDemo, EveryEventIsAccountedFor) {
  const auto& events = made_->report.events;
  EXPECT_EQ(events[0].read, 144102U);
  EXPECT_EQ(events[1].read, 44270U);
  EXPECT_EQ(events[2].read, 9297U);
  for (const EventCounts& e : events) {
    EXPECT_EQ(e.read, e.other_items + e.no_cohort + e.error + e.no_value + e.out_of_range + e.used) << e.table;
  }
}

// A patient of CareVue, checked by hand. The stay begins at 2164-10-23 21:10:15, and the patient was born 2094-03-05.
TEST_F(MimicDemo, Patient10006) {
  EXPECT_EQ(cell("10006", 0, "age"), "70");
  EXPECT_EQ(cell("10006", 0, "in_hospital_death"), "0");
  // Hour 0 has only labs from before the stay, 17:33 to 21:03: lactate 4.4, 3.3, 3.2.
  EXPECT_EQ(cell("10006", 0, "lactate"), "3.63333");
  EXPECT_EQ(cell("10006", 0, "creatinine"), "3");
  EXPECT_EQ(cell("10006", 0, "heart_rate"), "");
  // Hour 1, from 22:10:15: rates 104 at 22:40 and 99 at 23:00; breaths 25 and 17.
  EXPECT_EQ(cell("10006", 1, "heart_rate"), "101.5");
  EXPECT_EQ(cell("10006", 1, "respiratory_rate"), "21");
  // 37.5556 C, and 99.6 F, which is 37.5556 C.
  EXPECT_EQ(cell("10006", 1, "temperature"), "37.5556");
  EXPECT_EQ(cell("10006", 1, "gcs_total"), "15");
  EXPECT_EQ(cell("10006", 1, "urine"), "");
  EXPECT_EQ(cell("10006", 2, "urine"), "100");  // at midnight
  EXPECT_EQ(cell("10006", 2, "bun"), "9");      // still the value of 17:38
}

// A patient of MetaVision, checked by hand. The stay begins at 2178-05-14 20:29:55. The patient was born 1878-05-14,
// which hides an age over 89, and died 2178-05-15 09:45.
TEST_F(MimicDemo, Patient44154) {
  EXPECT_EQ(cell("44154", 0, "age"), "90");
  EXPECT_EQ(cell("44154", 0, "in_hospital_death"), "1");
  EXPECT_EQ(made_->rows_of("44154"), 14U);  // 13 h 15 min
  EXPECT_EQ(cell("44154", 0, "lactate"), "1.8");
  EXPECT_EQ(cell("44154", 1, "lactate"), "3.7");
  EXPECT_EQ(cell("44154", 1, "systolic_pressure"), "102");
  // Hour 2, 22:29:55 to 23:29:55: rates 106, 106, 83, 80; saturations 91, 82, 87, 90; 98.2 F; oxygen 100 %, twice.
  EXPECT_EQ(cell("44154", 2, "heart_rate"), "93.75");
  EXPECT_EQ(cell("44154", 2, "oxygen_saturation"), "87.5");
  EXPECT_EQ(cell("44154", 2, "temperature"), "36.7778");
  EXPECT_EQ(cell("44154", 2, "fio2"), "1");
  EXPECT_EQ(cell("44154", 2, "urine"), "210");
  // Troponin "<0.01" has no number; 0.21 follows at 02:38, in hour 6.
  EXPECT_EQ(cell("44154", 5, "troponin_t"), "");
  EXPECT_EQ(cell("44154", 6, "troponin_t"), "0.21");
}

TEST(Challenge2012, HasFourThousandStays) {
  const std::string path = data_folder() + "/icu/physionet2012-set-a.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there: PhysioNet's 2012 challenge, set A";
  ChallengeReport report;
  const Table table = make_challenge_table(read_csv(path), &report);
  EXPECT_EQ(report.rows, 4000U);
  EXPECT_EQ(report.deaths, 554U);
  EXPECT_EQ(report.columns, 115U);
  for (const char* column : {"recordid", "SAPS-I", "SOFA", "Length_of_stay", "Survival"}) {
    EXPECT_EQ(table.find(column), nullptr) << column;
  }
}

}  // namespace
}  // namespace perpend
