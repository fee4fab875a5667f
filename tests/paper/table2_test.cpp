#include "paper/table2.h"

#include <gtest/gtest.h>

#include "paper/printed.h"
#include "perpend/base/error.h"
#include "perpend/study/table_format.h"
#include "tests/data/temp_folder.h"

namespace perpend::paper {
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
    EXPECT_EQ(study->grid.lambdas.at(Method::lit).size(), 16U);
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

TEST(PaperTable2, HasSixMethodsOfBothTasksAndIsNotCompared) {
  for (const Method method : usual_methods()) {
    for (const SplitKind split : {SplitKind::random, SplitKind::limited}) {
      ASSERT_NE(table2_entry(split, method), nullptr);
      EXPECT_FALSE(table2_entry(split, method)->same_data);
    }
    EXPECT_EQ(table2_entry(SplitKind::extrapolation, method), nullptr);
  }
  EXPECT_NEAR(*table2_entry(SplitKind::limited, Method::lit)->auc.mean(), 0.711, 1e-12);
}

TEST(Table2, ShowsThePapersFiguresWithoutJudgement) {
  StudyFolder folder;
  folder.study.datasets = {{"icu.csv", "in_hospital_death", "00"}};
  folder.study.splits = {SplitKind::limited};
  folder.study.methods = {Method::lit};
  folder.study.restarts = 2;
  folder.study.grid.lambdas[Method::lit] = {1};
  folder.trials = trials_of(folder.study);
  for (std::size_t t = 0; t < folder.trials.size(); ++t) {
    TrialResult result;
    result.trial = folder.trials[t].trial;
    result.validation_merit = result.test.auc = 0.5;
    folder.results.push_back({.trial = t, .result = result, .seconds = 1, .finished = 1});
  }
  const StudyTable table = table_of(folder, &printed_figures());
  EXPECT_EQ(compare_with_printed(table).compared, 0U);
  const std::string text = format_table(table, TableFormat::text);
  EXPECT_NE(text.find(".711 ± .001"), std::string::npos) << text;
  EXPECT_NE(text.find("own cohort"), std::string::npos) << text;
  EXPECT_EQ(text.find("≠"), std::string::npos) << text;
}

}  // namespace
}  // namespace perpend::paper
