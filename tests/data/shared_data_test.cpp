// Tests with the public tables and the paper's arrays. They run if PERPEND_DATA names the folder of these files, or if
// the folder is beside the project.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "perpend/data/encode.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/read_npy.h"
#include "perpend/data/source.h"

namespace perpend {
namespace {

class SharedData : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("PERPEND_DATA");
    folder_ = named != nullptr ? named : PERPEND_SOURCE_DIR "/../shared/data";
    if (!std::filesystem::exists(folder_ / "sonar.csv")) {
      GTEST_SKIP() << "sonar.csv and its companions are not in " << folder_ << "; set PERPEND_DATA to their folder";
    }
  }

  Table table(const std::string& name) const { return read_csv((folder_ / (name + ".csv")).string()); }
  Table paper(const std::string& name) const { return read_npy((folder_ / "paper" / (name + "_inputs.npy")).string()); }

  // The largest difference between our doubles, encoded by the rules of the public set, and the paper's array.
  double difference(const std::string& name) const {
    const Table raw = table(name);
    const auto rows = all_rows(raw);
    const Schema schema = public_schema(*find_public_set(name), raw);
    const auto ours = encode_doubles(raw, schema, rows);
    const Table theirs = paper(name);
    EXPECT_EQ(ours.rows(), theirs.rows);
    EXPECT_EQ(ours.cols(), theirs.columns.size());
    double worst = 0;
    for (std::size_t c = 0; c < ours.cols(); ++c) {
      for (std::size_t r = 0; r < ours.rows(); ++r) {
        worst = std::max(worst, std::abs(ours(r, c) - theirs.columns[c].numbers[r]));
      }
    }
    return worst;
  }

  std::filesystem::path folder_;
};

TEST_F(SharedData, SonarEqualsThePublishedArray) { EXPECT_EQ(difference("sonar"), 0); }

TEST_F(SharedData, ElectricityEqualsThePublishedArray) { EXPECT_EQ(difference("electricity"), 0); }

TEST_F(SharedData, SpectfEqualsThePublishedArrayWithStatisticsOfItsFirst80Rows) { EXPECT_EQ(difference("spectf"), 0); }

TEST_F(SharedData, IonosphereEqualsThePublishedArrayToTheLastBit) {
  EXPECT_LE(difference("ionosphere"), 4.4408920985006262e-16);
}

TEST_F(SharedData, MushroomEqualsTheReferenceEncoding) { EXPECT_EQ(difference("mushroom"), 0); }

TEST_F(SharedData, MushroomFeaturesHaveTheReferenceNames) {
  const Table raw = table("mushroom");
  const Schema schema = fit_schema(raw, all_rows(raw), {.target = "target"});
  std::ifstream file(folder_ / "paper" / "mushroom_columns.txt");
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) names.push_back(line);
  EXPECT_EQ(schema.feature_names(), names);
}

TEST_F(SharedData, EveryTableReadsWithSensibleKinds) {
  struct Expected {
    std::string name;
    std::size_t rows;
    std::size_t numeric;
    std::size_t categorical;
    std::vector<std::string> classes;
  };
  for (const Expected& expected :
       {Expected{"mushroom", 8124, 0, 21, {"e", "p"}}, Expected{"ionosphere", 351, 33, 0, {"b", "g"}},
        Expected{"sonar", 208, 60, 0, {"M", "R"}}, Expected{"spectf", 267, 44, 0, {"0", "1"}},
        Expected{"electricity", 45312, 8, 0, {"DOWN", "UP"}}}) {
    const Table raw = table(expected.name);
    const Schema schema = fit_schema(raw, all_rows(raw), {.target = "target"});
    const auto numeric = std::count_if(schema.columns.begin(), schema.columns.end(),
                                       [](const InputColumn& c) { return c.kind == ColumnKind::numeric; });
    EXPECT_EQ(raw.rows, expected.rows) << expected.name;
    EXPECT_EQ(static_cast<std::size_t>(numeric), expected.numeric) << expected.name;
    EXPECT_EQ(schema.columns.size(), expected.numeric + expected.categorical) << expected.name;
    EXPECT_EQ(schema.classes, expected.classes) << expected.name;
  }
}

TEST_F(SharedData, IntensiveCareTableNeedsAWordOnMissingCellsAndLosesItsRecordNumber) {
  const Table raw = table("icu/physionet2012-set-a");
  SchemaOptions options{.target = "In-hospital_death", .drop = {"SAPS-I", "SOFA", "Length_of_stay", "Survival"}};
  EXPECT_THROW(fit_schema(raw, all_rows(raw), options), Error);
  options.missing = Missing::indicator;
  FitReport report;
  const Schema schema = fit_schema(raw, all_rows(raw), options, &report);
  const auto id = std::find_if(report.dropped.begin(), report.dropped.end(),
                               [](const DroppedColumn& d) { return d.reason == DroppedColumn::Reason::id_like; });
  ASSERT_NE(id, report.dropped.end());
  EXPECT_EQ(id->name, "recordid");
  EncodeReport encoded;
  const Dataset dataset = encode(raw, schema, all_rows(raw), &encoded);
  EXPECT_EQ(std::count(dataset.labels.begin(), dataset.labels.end(), 1), 554);
  EXPECT_GT(encoded.filled.size(), 50U);
}

}  // namespace
}  // namespace perpend
