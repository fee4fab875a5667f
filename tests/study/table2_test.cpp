#include "perpend/study/table2.h"

#include <gtest/gtest.h>

#include <set>

#include "perpend/base/error.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

TEST(Table2Study, KeepsPatientsOfMimicTogether) {
  const TempFolder folder;
  const Study hours = table2_study(folder.write("m.csv", "subject_id,hour,age,in_hospital_death\n1,0,50,0\n"), false);
  EXPECT_EQ(hours.options.group, "subject_id");
  const Study stays = table2_study(folder.write("p.csv", "Age,in_hospital_death\n50,0\n"), false);
  EXPECT_EQ(stays.options.group, "");
  for (const Study* study : {&hours, &stays}) {
    EXPECT_EQ(study->splits, (std::vector{SplitKind::random, SplitKind::limited}));
    EXPECT_EQ(study->options.schema.missing, Missing::mean);
    EXPECT_EQ(study->datasets[0].target, "in_hospital_death");
    EXPECT_EQ(study->grid.lit.size(), 16U);
  }
}

TEST(Table2Study, IsAStudyFileToo) {
  const TempFolder folder;
  const std::string path = folder.write("m.csv", "subject_id,hour,age,in_hospital_death\n1,0,50,0\n");
  const Study study = table2_study(path, true);
  const std::string text = to_toml(study);
  EXPECT_NE(text.find("group = \"subject_id\"\n"), std::string::npos) << text;
  EXPECT_EQ(to_toml(parse_study(text, "study.toml")), text);
}

TEST(Table2Study, RefusesAnotherTable) {
  const TempFolder folder;
  const std::string path = folder.write("x.csv", "a,b\n1,2\n");
  try {
    table2_study(path, true);
    FAIL() << "must throw";
  } catch (const DataError& error) {
    EXPECT_EQ(error.what(), path + " has no column 'in_hospital_death'; make the table with: perpend data make icu");
  }
}

TEST(PaperTable2, HasSixMethodsOfBothTasks) {
  std::set<std::pair<SplitKind, Method>> cells;
  for (const auto& figure : paper_table2()) cells.emplace(figure.split, figure.method);
  EXPECT_EQ(cells.size(), 12U);
  EXPECT_EQ(paper_table2().size(), 12U);
}

}  // namespace
}  // namespace perpend
