// Numbers are worked out by hand.
#include "perpend/study/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perpend/study/table_format.h"
#include "tests/study/table_folder.h"

namespace perpend {
namespace {

using test::add_result;
using test::contains;
using test::expect_sound_latex;
using test::filled_folder;
using test::lines_of;
using test::small_folder;

const TableEntry& entry_of(const StudyTable& table, std::size_t dataset, Method method,
                           SplitKind split = SplitKind::random) {
  return *std::ranges::find_if(table.entries, [&](const TableEntry& entry) {
    return entry.split == split && entry.dataset == dataset && entry.ours.method == method;
  });
}

TEST(StudyTable, AveragesWhatValidationChose) {
  const StudyTable table = table_of(filled_folder());
  const TableEntry& lit = entry_of(table, 0, Method::lit);
  EXPECT_EQ(lit.restarts, 2U);
  EXPECT_DOUBLE_EQ(*lit.ours.auc.mean, 0.98);
  EXPECT_NEAR(*lit.ours.auc.sd, 0.02 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(*lit.ours.auc.standard_error, 0.01, 1e-12);
  EXPECT_DOUBLE_EQ(*lit.ours.rho_av.mean, 0.25);
  EXPECT_DOUBLE_EQ(*lit.ours.grad_cos2.mean, 0.01);
  EXPECT_TRUE(lit.ours.best);
  EXPECT_FALSE(entry_of(table, 0, Method::restarts).ours.best);
  EXPECT_EQ(table.trials, 12U);
  EXPECT_EQ(table.in, 12U);
  EXPECT_EQ(table.diverged, 1U);
}

TEST(StudyTable, CountsARestartOnlyWhenItsGridIsComplete) {
  StudyFolder folder = small_folder();
  add_result(folder, 0, 0.9, 0.95);
  add_result(folder, 1, 0.8, 0.1);
  add_result(folder, 2, 0.9, 0.97);
  add_result(folder, 4, 0.99, 0.5);  // one of two lambdas
  const StudyTable table = table_of(folder);
  EXPECT_EQ(table.in, 4U);
  EXPECT_EQ(entry_of(table, 0, Method::lit).restarts, 1U);
  EXPECT_EQ(entry_of(table, 0, Method::lit).ours.auc.mean, 0.97);
  EXPECT_EQ(entry_of(table, 0, Method::restarts).restarts, 1U);
  EXPECT_EQ(entry_of(table, 1, Method::lit).restarts, 0U);
  EXPECT_FALSE(entry_of(table, 1, Method::lit).ours.auc.mean);
  // The table has all entries of the study, in its order.
  ASSERT_EQ(table.entries.size(), 4U);
  EXPECT_EQ(table.entries[1].ours.method, Method::lit);
  EXPECT_EQ(table.entries[2].dataset, 1U);
}

TEST(StudyTable, LaterResultsAddRestartsAndChangeNone) {
  StudyFolder folder = filled_folder();
  const StudyTable whole = table_of(folder);
  folder.results.erase(folder.results.begin() + 3, folder.results.end());
  const StudyTable part = table_of(folder);
  EXPECT_EQ(part.entries[1].ours.auc.mean, 0.97);  // as restart 0 of the complete folder
  EXPECT_EQ(part.entries[0].ours.auc.mean, 0.95);
  EXPECT_DOUBLE_EQ(*whole.entries[1].ours.auc.mean, (0.97 + 0.99) / 2);
}

TEST(StudyTable, NamesASourceWithItsTargetWhereItOccursTwice) {
  Study study;
  study.datasets = {{"a.csv", "x", ""}, {"b.csv", "x", ""}, {"a.csv", "y", ""}};
  EXPECT_EQ(dataset_names(study), (std::vector<std::string>{"a.csv:x", "b.csv", "a.csv:y"}));
}

TEST(StudyTable, NamesAFileWithoutItsFolderWhereThatIsEnough) {
  Study study;
  study.datasets = {{"/data/a.csv", "x", ""},
                    {"old/b.csv", "x", ""},
                    {"new/b.csv", "x", ""},
                    {"builtin:shortcut", "y", ""},
                    {"a/X.npy,a/y.npy", "y", ""}};
  EXPECT_EQ(dataset_names(study),
            (std::vector<std::string>{"a.csv", "old/b.csv", "new/b.csv", "builtin:shortcut", "a/X.npy,a/y.npy"}));
}

Difference difference(double mean, Metric standard_error, PrintedFigure printed) {
  Summary ours;
  ours.count = 5;
  ours.mean = mean;
  ours.standard_error = standard_error;
  return difference_of(ours, printed, 10);
}

TEST(Difference, IsWhatChanceAndRoundingDoNotExplain) {
  // 2 sqrt(.003^2 + .04^2 / 10) + .005 = 2 sqrt(.000169) + .005 = .031.
  EXPECT_EQ(difference(0.9209, 0.003, {".89", ".04"}), Difference::none);
  EXPECT_EQ(difference(0.9211, 0.003, {".89", ".04"}), Difference::differs);
  EXPECT_EQ(difference(0.8591, 0.003, {".89", ".04"}), Difference::none);
  EXPECT_EQ(difference(0.8589, 0.003, {".89", ".04"}), Difference::differs);
  // Without a printed sd the limit is .006 + .05 for one digit.
  EXPECT_EQ(difference(0.9441, 0.003, {"1.0", ""}), Difference::none);
  EXPECT_EQ(difference(0.9439, 0.003, {"1.0", ""}), Difference::differs);
}

TEST(Difference, OfOneRestartIsUnknownAndOfNothingAbsent) {
  EXPECT_EQ(difference(0.5, {}, {".89", ".04"}), Difference::unknown);
  EXPECT_EQ(difference(0.5, 0.1, {"", ""}), Difference::absent);
  EXPECT_EQ(difference_of({}, {".89", ".04"}, 10), Difference::absent);
}

TEST(TableText, ReadsLikeThisInHundredColumns) {
  StudyFolder folder = filled_folder();
  folder.results.resize(9);
  EXPECT_EQ(format_table(table_of(folder), TableFormat::text),
            R"(random split
              AUC               error correlation   gradients' cos²      done
ionosphere
  restarts    0.940 ± 0.014     0.80 ± 0.14         0.95 ± 0.07           2/2
  lit       * 0.980 ± 0.014     0.25 ± 0.07         0.01 ± 0.01           2/2
loans.csv
  restarts  * 0.600             0.00                0.50                  1/2
  lit       * 0.600             0.00                0.50                  1/2

Trials in: 9 of 12, 1 of them diverged. An entry averages the restarts whose grid is complete.
Test rows: mean ± sd over restarts; members and lambda of each chosen by its validation AUC.
* mean ± standard error overlaps that of the best AUC.
)");
}

TEST(TableText, SaysWhichMeansLeaveRestartsOut) {
  StudyFolder folder = filled_folder();
  folder.results[3].result.test.rho_av = {};
  const std::string text = format_table(table_of(folder), TableFormat::text);
  EXPECT_TRUE(contains(text, " 0.90°")) << text;
  EXPECT_TRUE(contains(text, "\n° undefined in some restarts")) << text;
  EXPECT_FALSE(contains(format_table(table_of(filled_folder()), TableFormat::text), "°"));
}

TEST(TableMarkdown, EscapesNames) {
  StudyFolder folder = filled_folder();
  folder.study.datasets[1].source = "my_loans|2.csv";
  EXPECT_TRUE(contains(format_table(table_of(folder), TableFormat::markdown), "| my\\_loans\\|2.csv |"));
}

TEST(TableLatex, IsABooktabsTableWithShortNames) {
  const std::string text = format_table(table_of(filled_folder()), TableFormat::latex);
  EXPECT_TRUE(contains(text, "\\begin{tabular}{@{}lllllr@{}}\n\\toprule\n")) << text;
  EXPECT_TRUE(
      contains(text, "\nionosphere & RRs & $0.940 \\pm 0.014$ & $0.80 \\pm 0.14$ & $0.95 \\pm 0.07$ & 2/2 \\\\\n"))
      << text;
  EXPECT_TRUE(contains(text, "\n & LIT & $\\mathbf{0.980} \\pm 0.014$ & ")) << text;
  EXPECT_TRUE(contains(text, "\\bottomrule\n\\end{tabular}\n\\end{table}\n")) << text;
  expect_sound_latex(text, 6);
}

TEST(TableCsv, HasEveryFigureInFullDigits) {
  StudyFolder folder = filled_folder();
  folder.results.resize(6);
  const auto lines = lines_of(format_table(table_of(folder), TableFormat::csv));
  ASSERT_EQ(lines.size(), 1U + 4 * 3);
  EXPECT_EQ(lines[0], "split,dataset,method,metric,mean,sd,standard_error,restarts,best");
  EXPECT_EQ(lines[1].substr(0, 50), "random,ionosphere,restarts,auc,0.94,0.014142135623");
  EXPECT_TRUE(lines[4].ends_with(",2,1")) << lines[4];
  EXPECT_EQ(lines[7], "random,loans.csv,restarts,auc,,,,0,0");
}

}  // namespace
}  // namespace perpend
