// Numbers worked out by hand.
#include "perpend/study/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "perpend/study/table_format.h"
#include "tests/study/folders.h"

namespace perpend {
namespace {

using test::add_diverged;
using test::add_result;
using test::empty_folder;

Grid two_lambdas() { return {.members = {5}, .ncl = {}, .ace = {}, .lit = {0.1, 1}}; }

// ionosphere and loans, random; restarts (one trial each) and lit (two); trials 0-2, 3-5 of ionosphere's two restarts.
StudyFolder small_folder() {
  return empty_folder({"ionosphere", "loans.csv"}, {Method::restarts, Method::lit}, two_lambdas(), 2);
}

StudyFolder filled_folder() {
  StudyFolder folder = small_folder();
  add_result(folder, 0, 0.90, 0.95, 0.9, 1.0);
  add_result(folder, 1, 0.80, 0.10, 0.1, 0.1);
  add_result(folder, 2, 0.95, 0.97, 0.3, 0.02);
  add_result(folder, 3, 0.90, 0.93, 0.7, 0.9);
  add_result(folder, 4, 0.99, 0.99, 0.2, 0.0);
  add_diverged(folder, 5);
  for (std::size_t i = 6; i < 12; ++i) add_result(folder, i, 0.5, 0.6, -0.001, 0.5);
  return folder;
}

const TableEntry& entry_of(const StudyTable& table, std::size_t dataset, Method method,
                           SplitKind split = SplitKind::random) {
  return *std::ranges::find_if(table.entries, [&](const TableEntry& entry) {
    return entry.split == split && entry.dataset == dataset && entry.ours.method == method;
  });
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t columns(const std::string& line) {  // of a terminal
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
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
  add_result(folder, 4, 0.99, 0.5);  // of two lambdas one
  const StudyTable table = table_of(folder);
  EXPECT_EQ(table.in, 4U);
  EXPECT_EQ(entry_of(table, 0, Method::lit).restarts, 1U);
  EXPECT_EQ(entry_of(table, 0, Method::lit).ours.auc.mean, 0.97);
  EXPECT_EQ(entry_of(table, 0, Method::restarts).restarts, 1U);
  EXPECT_EQ(entry_of(table, 1, Method::lit).restarts, 0U);
  EXPECT_FALSE(entry_of(table, 1, Method::lit).ours.auc.mean);
  // All entries of the study are there, in its order.
  ASSERT_EQ(table.entries.size(), 4U);
  EXPECT_EQ(table.entries[1].ours.method, Method::lit);
  EXPECT_EQ(table.entries[2].dataset, 1U);
}

TEST(StudyTable, LaterResultsAddRestartsAndChangeNone) {
  StudyFolder folder = filled_folder();
  const StudyTable whole = table_of(folder);
  folder.results.erase(folder.results.begin() + 3, folder.results.end());
  const StudyTable part = table_of(folder);
  EXPECT_EQ(part.entries[1].ours.auc.mean, 0.97);  // restart 0 of the whole
  EXPECT_EQ(part.entries[0].ours.auc.mean, 0.95);
  EXPECT_DOUBLE_EQ(*whole.entries[1].ours.auc.mean, (0.97 + 0.99) / 2);
}

TEST(StudyTable, NamesASourceWithItsTargetWhereItOccursTwice) {
  Study study;
  study.datasets = {{"a.csv", "x", ""}, {"b.csv", "x", ""}, {"a.csv", "y", ""}};
  EXPECT_EQ(dataset_names(study), (std::vector<std::string>{"a.csv:x", "b.csv", "a.csv:y"}));
}

TEST(PaperTable, HasTheFiguresAsPrinted) {
  const PaperEntry* lit = paper_table1(SplitKind::extrapolation, "ionosphere", Method::lit);
  ASSERT_NE(lit, nullptr);
  EXPECT_EQ(lit->auc.mean(), 0.96);
  EXPECT_EQ(lit->auc.sd(), 0.02);
  EXPECT_DOUBLE_EQ(lit->auc.half_unit(), 0.005);
  EXPECT_EQ(lit->rho_av.mean_text, ".2");
  EXPECT_DOUBLE_EQ(lit->rho_av.half_unit(), 0.05);
  EXPECT_EQ(lit->grad_cos2.mean(), 0.0);
  EXPECT_DOUBLE_EQ(lit->grad_cos2.half_unit(), 0.05);
  EXPECT_TRUE(lit->best);
  const PaperEntry* solved = paper_table1(SplitKind::random, "mushroom", Method::adaboost);
  EXPECT_EQ(solved->auc.mean_text, "1.0");
  EXPECT_FALSE(solved->auc.sd());
  EXPECT_DOUBLE_EQ(solved->auc.half_unit(), 0.05);
  EXPECT_FALSE(solved->rho_av.mean());
  EXPECT_EQ(paper_table1(SplitKind::random, "loans.csv", Method::lit), nullptr);
  EXPECT_EQ(paper_table1(SplitKind::limited, "sonar", Method::lit), nullptr);
}

TEST(PaperTable, IsWholeAndAddsUp) {
  double sum = 0;
  int bold = 0;
  for (const auto split : {SplitKind::random, SplitKind::extrapolation}) {
    for (const char* dataset : {"mushroom", "ionosphere", "sonar", "spectf", "electricity"}) {
      for (const auto method : kMethods) {
        const PaperEntry* entry = paper_table1(split, dataset, method);
        ASSERT_NE(entry, nullptr) << dataset;
        for (const auto& figure : {entry->auc, entry->rho_av, entry->grad_cos2}) {
          sum += figure.mean().value_or(0) + figure.sd().value_or(0);
        }
        bold += entry->best ? 1 : 0;
      }
    }
  }
  EXPECT_NEAR(sum, 136.48, 1e-9);
  EXPECT_EQ(bold, 25);
}

TableFigure figure(double mean, Metric standard_error, PaperFigure paper) {
  TableFigure made;
  made.ours.count = 5;
  made.ours.mean = mean;
  made.ours.standard_error = standard_error;
  made.paper = paper;
  return made;
}

TEST(Difference, IsWhatChanceAndRoundingDoNotExplain) {
  // 2 sqrt(.003^2 + .04^2 / 10) + .005 = 2 sqrt(.000169) + .005 = .031.
  EXPECT_EQ(figure(0.9209, 0.003, {".89", ".04"}).difference(), Difference::none);
  EXPECT_EQ(figure(0.9211, 0.003, {".89", ".04"}).difference(), Difference::differs);
  EXPECT_EQ(figure(0.8591, 0.003, {".89", ".04"}).difference(), Difference::none);
  EXPECT_EQ(figure(0.8589, 0.003, {".89", ".04"}).difference(), Difference::differs);
  // Without an sd of the paper's: .006 + .05 for one digit.
  EXPECT_EQ(figure(0.9441, 0.003, {"1.0", ""}).difference(), Difference::none);
  EXPECT_EQ(figure(0.9439, 0.003, {"1.0", ""}).difference(), Difference::differs);
}

TEST(Difference, OfOneRestartIsUnknownAndOfNothingAbsent) {
  EXPECT_EQ(figure(0.5, {}, {".89", ".04"}).difference(), Difference::unknown);
  EXPECT_EQ(figure(0.5, 0.1, {"", ""}).difference(), Difference::absent);
  TableFigure nothing;
  nothing.paper = {".89", ".04"};
  EXPECT_EQ(nothing.difference(), Difference::absent);
}

TEST(TableText, ReadsLikeThisInHundredColumns) {
  StudyFolder folder = filled_folder();
  folder.results.resize(9);
  EXPECT_EQ(format_table(table_of(folder), TableFormat::text, false),
            R"(random split
              AUC               error correlation   gradients' cos²  restarts
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

TEST(TableText, PutsThePaperBesideAndMarksAndCountsWhatDiffers) {
  const std::string text = format_table(table_of(filled_folder()), TableFormat::text, true);
  const auto lines = lines_of(text);
  EXPECT_EQ(lines[4],
            "  restarts    0.940 ± 0.014  .95 ± .03    0.80 ± 0.14  .9 ± .1    0.95 ± 0.07  1 ± 0          2/2");
  // The paper's rho_av of .3 +- .1 is near .25; none of ours is far from its own.
  EXPECT_EQ(lines[5],
            "  lit       * 0.980 ± 0.014  .98 ± .01    0.25 ± 0.07  .3 ± .1    0.01 ± 0.01  0 ± 0          2/2");
  EXPECT_TRUE(contains(text, "≠ differs from the paper's: 0 of 6 compared figures, by the rule\n")) << text;
  StudyFolder far = filled_folder();
  for (auto& result : far.results) result.result.test.rho_av = 0.75;
  const std::string marked = format_table(table_of(far), TableFormat::text, true);
  EXPECT_TRUE(contains(marked, " 0.75 ± 0.00  .3 ± .1 ≠ ")) << marked;
  EXPECT_TRUE(contains(marked, " 2 of 6 compared figures, ")) << marked;
  far.results.resize(3);
  const std::string one = format_table(table_of(far), TableFormat::text, true);
  EXPECT_TRUE(contains(one, " .98 ± .01 ? ")) << one;
  EXPECT_TRUE(contains(one, "not compared (6 figures).")) << one;
  EXPECT_FALSE(contains(one, "≠")) << one;
  for (const auto& shown : {text, marked, one}) {
    for (const auto& line : lines_of(shown)) EXPECT_LE(columns(line), 100U) << line;
  }
}

TEST(TableText, SaysWhichMeansLeaveRestartsOut) {
  StudyFolder folder = filled_folder();
  folder.results[3].result.test.rho_av = {};
  const std::string text = format_table(table_of(folder), TableFormat::text, false);
  EXPECT_TRUE(contains(text, " 0.90°")) << text;
  EXPECT_TRUE(contains(text, "\n° undefined in some restarts")) << text;
  EXPECT_FALSE(contains(format_table(table_of(filled_folder()), TableFormat::text, false), "°"));
}

TEST(TableMarkdown, HasOneRowForEachMethodAndBoldMeans) {
  const std::string text = format_table(table_of(filled_folder()), TableFormat::markdown, true);
  EXPECT_TRUE(contains(text, "### Random split\n\n| data set | method | AUC | paper |")) << text;
  EXPECT_TRUE(contains(text,
                       "| ionosphere | lit | **0.980** ± 0.014 | .98 ± .01 | 0.25 ± 0.07 | .3 ± .1 | 0.01 ± 0.01 "
                       "| 0 ± 0 | 2/2 |\n"))
      << text;
  for (const auto& line : lines_of(text)) {
    const bool row = line.starts_with("|");
    EXPECT_TRUE(!row || std::ranges::count(line, '|') == 10) << line;
  }
}

TEST(TableMarkdown, EscapesNames) {
  StudyFolder folder = filled_folder();
  folder.study.datasets[1].source = "my_loans|2.csv";
  EXPECT_TRUE(contains(format_table(table_of(folder), TableFormat::markdown, false), "| my\\_loans\\|2.csv |"));
}

// No TeX is at hand in a test: what it would stumble over first is counted.
void expect_sound_latex(const std::string& text, std::ptrdiff_t cells) {
  EXPECT_EQ(std::ranges::count(text, '{'), std::ranges::count(text, '}'));
  EXPECT_EQ(std::ranges::count(text, '$') % 2, 0);
  for (const auto& line : lines_of(text)) {
    if (!line.ends_with("\\\\")) continue;
    EXPECT_EQ(std::ranges::count(line, '&'), cells - 1) << line;
    EXPECT_EQ(std::ranges::count(line, '$') % 2, 0) << line;
  }
}

TEST(TableLatex, IsABooktabsTableWithThePapersNames) {
  const std::string text = format_table(table_of(filled_folder()), TableFormat::latex, false);
  EXPECT_TRUE(contains(text, "\\begin{tabular}{@{}lllllr@{}}\n\\toprule\n")) << text;
  EXPECT_TRUE(
      contains(text, "\nionosphere & RRs & $0.940 \\pm 0.014$ & $0.80 \\pm 0.14$ & $0.95 \\pm 0.07$ & 2/2 \\\\\n"))
      << text;
  EXPECT_TRUE(contains(text, "\n & LIT & $\\mathbf{0.980} \\pm 0.014$ & ")) << text;
  EXPECT_TRUE(contains(text, "\\bottomrule\n\\end{tabular}\n\\end{table}\n")) << text;
  expect_sound_latex(text, 6);
  StudyFolder far = filled_folder();
  far.study.datasets[1].source = "a_b&c%.csv";
  for (auto& result : far.results) result.result.test.rho_av = 0.75;
  const std::string beside = format_table(table_of(far), TableFormat::latex, true);
  EXPECT_TRUE(contains(beside, "$.3 \\pm .1\\ \\neq$")) << beside;
  EXPECT_TRUE(contains(beside, "$ plus half a unit of the paper's last digit.}\n")) << beside;
  EXPECT_TRUE(contains(beside, "\na\\_b\\&c\\%.csv & RRs")) << beside;
  far.study.datasets[1].source = "plain";
  expect_sound_latex(format_table(table_of(far), TableFormat::latex, true), 9);
}

TEST(TableCsv, HasEveryFigureInFullDigits) {
  StudyFolder folder = filled_folder();
  folder.results.resize(6);
  folder.study.datasets[1].source = "X.npy,y.npy";
  const auto lines = lines_of(format_table(table_of(folder), TableFormat::csv, false));
  ASSERT_EQ(lines.size(), 1U + 4 * 3);
  EXPECT_EQ(lines[0], "split,dataset,method,metric,mean,sd,standard_error,restarts,best,paper_mean,paper_sd");
  EXPECT_EQ(lines[1].substr(0, 50), "random,ionosphere,restarts,auc,0.94,0.014142135623");
  EXPECT_TRUE(lines[1].ends_with(",2,0,0.95,0.03")) << lines[1];
  EXPECT_TRUE(lines[4].starts_with("random,ionosphere,lit,auc,0.98,")) << lines[4];
  EXPECT_TRUE(lines[4].ends_with(",2,1,0.98,0.01")) << lines[4];
  EXPECT_TRUE(lines[6].ends_with(",2,0,0,0")) << lines[6];
  EXPECT_EQ(lines[7], "random,\"X.npy,y.npy\",restarts,auc,,,,0,0,,");
}

TEST(StudyTable, HasABlockForEachSplit) {
  StudyFolder folder =
      empty_folder({"sonar"}, {Method::restarts}, two_lambdas(), 1, {SplitKind::extrapolation, SplitKind::random});
  add_result(folder, 0, 0.9, 0.81);
  const std::string text = format_table(table_of(folder), TableFormat::text, true);
  EXPECT_TRUE(text.starts_with("extrapolation split\n")) << text;
  EXPECT_TRUE(contains(text, "\n\nrandom split\n")) << text;
  EXPECT_TRUE(contains(text, " 0.810          .81 ± .02 ?")) << text;
  EXPECT_TRUE(contains(text, "  restarts    -              .91 ± .06")) << text;
}

TEST(StudyTable, OfOwnDataSaysThatThePaperHasNothingToCompare) {
  StudyFolder folder = empty_folder({"loans.csv"}, {Method::restarts}, two_lambdas(), 1);
  const std::string text = format_table(table_of(folder), TableFormat::text, true);
  EXPECT_TRUE(contains(text, "\nNothing here has a figure of the paper to compare with.\n")) << text;
  EXPECT_TRUE(contains(text, "\nTrials in: 0 of 1.")) << text;
}

}  // namespace
}  // namespace perpend
