// The paper's figures, and studies beside them. The numbers are worked out by hand.
#include <gtest/gtest.h>

#include "paper/printed.h"
#include "paper/table1.h"
#include "perpend/study/table_format.h"
#include "perpend/study/view_study.h"
#include "tests/study/table_folder.h"

namespace perpend::paper {
namespace {

using test::add_result;
using test::columns;
using test::contains;
using test::empty_folder;
using test::expect_sound_latex;
using test::filled_folder;
using test::lines_of;
using test::two_lambdas;

TEST(PaperTable, HasTheFiguresAsPrinted) {
  const PrintedEntry* lit = table1_entry(SplitKind::extrapolation, "ionosphere", Method::lit);
  ASSERT_NE(lit, nullptr);
  EXPECT_EQ(lit->auc.mean(), 0.96);
  EXPECT_EQ(lit->auc.sd(), 0.02);
  EXPECT_DOUBLE_EQ(lit->auc.half_unit(), 0.005);
  EXPECT_EQ(lit->rho_av.mean_text, ".2");
  EXPECT_DOUBLE_EQ(lit->rho_av.half_unit(), 0.05);
  EXPECT_EQ(lit->grad_cos2.mean(), 0.0);
  EXPECT_DOUBLE_EQ(lit->grad_cos2.half_unit(), 0.05);
  EXPECT_TRUE(lit->best);
  const PrintedEntry* solved = table1_entry(SplitKind::random, "mushroom", Method::adaboost);
  EXPECT_EQ(solved->auc.mean_text, "1.0");
  EXPECT_FALSE(solved->auc.sd());
  EXPECT_DOUBLE_EQ(solved->auc.half_unit(), 0.05);
  EXPECT_FALSE(solved->rho_av.mean());
  EXPECT_EQ(table1_entry(SplitKind::random, "loans.csv", Method::lit), nullptr);
  EXPECT_EQ(table1_entry(SplitKind::limited, "sonar", Method::lit), nullptr);
}

TEST(PaperTable, IsWholeAndAddsUp) {
  double sum = 0;
  int bold = 0;
  for (const auto split : {SplitKind::random, SplitKind::extrapolation}) {
    for (const char* dataset : {"mushroom", "ionosphere", "sonar", "spectf", "electricity"}) {
      for (const auto method : usual_methods()) {
        const PrintedEntry* entry = table1_entry(split, dataset, method);
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

TEST(AgainstPaper, PutsThePaperBesideAndMarksAndCountsWhatDiffers) {
  const std::string text = format_table(table_of(filled_folder(), &printed_figures()), TableFormat::text);
  const auto lines = lines_of(text);
  EXPECT_EQ(lines[4],
            "  restarts    0.940 ± 0.014  .95 ± .03    0.80 ± 0.14  .9 ± .1    0.95 ± 0.07  1 ± 0          2/2");
  // The paper's rho_av of .3 +- .1 is near .25. No figure of ours is far from the paper's.
  EXPECT_EQ(lines[5],
            "  lit       * 0.980 ± 0.014  .98 ± .01    0.25 ± 0.07  .3 ± .1    0.01 ± 0.01  0 ± 0          2/2");
  EXPECT_TRUE(contains(text, "≠ differs from the paper's: 0 of 6 compared figures, by the rule\n")) << text;
  StudyFolder far = filled_folder();
  for (auto& result : far.results) result.result.test.rho_av = 0.75;
  const std::string marked = format_table(table_of(far, &printed_figures()), TableFormat::text);
  EXPECT_TRUE(contains(marked, " 0.75 ± 0.00  .3 ± .1 ≠ ")) << marked;
  EXPECT_TRUE(contains(marked, " 2 of 6 compared figures, ")) << marked;
  far.results.resize(3);
  const std::string one = format_table(table_of(far, &printed_figures()), TableFormat::text);
  EXPECT_TRUE(contains(one, " .98 ± .01 ? ")) << one;
  EXPECT_TRUE(contains(one, "not compared (6 figures).")) << one;
  EXPECT_FALSE(contains(one, "≠")) << one;
  for (const auto& shown : {text, marked, one}) {
    for (const auto& line : lines_of(shown)) EXPECT_LE(columns(line), 100U) << line;
  }
}

TEST(AgainstPaper, MarkdownHasOneRowForEachMethodAndBoldMeans) {
  const std::string text = format_table(table_of(filled_folder(), &printed_figures()), TableFormat::markdown);
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

TEST(AgainstPaper, CsvHasEveryFigureInFullDigits) {
  StudyFolder folder = filled_folder();
  folder.results.resize(6);
  folder.study.datasets[1].source = "X.npy,y.npy";
  const auto lines = lines_of(format_table(table_of(folder, &printed_figures()), TableFormat::csv));
  ASSERT_EQ(lines.size(), 1U + 4 * 3);
  EXPECT_EQ(lines[0], "split,dataset,method,metric,mean,sd,standard_error,restarts,best,paper_mean,paper_sd");
  EXPECT_EQ(lines[1].substr(0, 50), "random,ionosphere,restarts,auc,0.94,0.014142135623");
  EXPECT_TRUE(lines[1].ends_with(",2,0,0.95,0.03")) << lines[1];
  EXPECT_TRUE(lines[4].starts_with("random,ionosphere,lit,auc,0.98,")) << lines[4];
  EXPECT_TRUE(lines[4].ends_with(",2,1,0.98,0.01")) << lines[4];
  EXPECT_TRUE(lines[6].ends_with(",2,0,0,0")) << lines[6];
  EXPECT_EQ(lines[7], "random,\"X.npy,y.npy\",restarts,auc,,,,0,0,,");
}

TEST(AgainstPaper, LatexHasItsColumnsToo) {
  StudyFolder far = filled_folder();
  far.study.datasets[1].source = "a_b&c%.csv";
  for (auto& result : far.results) result.result.test.rho_av = 0.75;
  const std::string beside = format_table(table_of(far, &printed_figures()), TableFormat::latex);
  EXPECT_TRUE(contains(beside, "$.3 \\pm .1\\ \\neq$")) << beside;
  EXPECT_TRUE(contains(beside, "$ plus half a unit of the paper's last digit.}\n")) << beside;
  EXPECT_TRUE(contains(beside, "\na\\_b\\&c\\%.csv & RRs")) << beside;
  far.study.datasets[1].source = "plain";
  expect_sound_latex(format_table(table_of(far, &printed_figures()), TableFormat::latex), 9);
}

TEST(AgainstPaper, HasABlockForEachSplit) {
  StudyFolder folder =
      empty_folder({"sonar"}, {Method::restarts}, two_lambdas(), 1, {SplitKind::extrapolation, SplitKind::random});
  add_result(folder, 0, 0.9, 0.81);
  const std::string text = format_table(table_of(folder, &printed_figures()), TableFormat::text);
  EXPECT_TRUE(text.starts_with("extrapolation split\n")) << text;
  EXPECT_TRUE(contains(text, "\n\nrandom split\n")) << text;
  EXPECT_TRUE(contains(text, " 0.810          .81 ± .02 ?")) << text;
  EXPECT_TRUE(contains(text, "  restarts    -              .91 ± .06")) << text;
}

TEST(AgainstPaper, OfOwnDataSaysThatThePaperHasNothingToCompare) {
  StudyFolder folder = empty_folder({"loans.csv"}, {Method::restarts}, two_lambdas(), 1);
  const std::string text = format_table(table_of(folder, &printed_figures()), TableFormat::text);
  EXPECT_TRUE(contains(text, "\nNothing here has a figure of the paper to compare with.\n")) << text;
  EXPECT_TRUE(contains(text, "\nTrials in: 0 of 1.")) << text;
}

TEST(AgainstPaper, AStudysViewHasThePapersFiguresForItsSetsAlone) {
  const auto view_of = [](const char* dataset) {
    const Grid grid{.members = {5}, .lambdas = {{Method::lit, {1}}}};
    return view_study(empty_folder({dataset}, {Method::restarts, Method::lit}, grid, 1, {SplitKind::extrapolation}),
                      "first", &printed_figures());
  };
  const StudyView own = view_of("loans.csv");
  for (const auto& entry : own.entries) EXPECT_EQ(entry.auc.printed_mean, "");
  const StudyView paper = view_of("ionosphere");
  ASSERT_EQ(paper.entries.size(), 2U);
  EXPECT_EQ(paper.entries[1].auc.printed_mean, ".96");
  EXPECT_EQ(paper.entries[1].auc.printed_sd, ".02");
  EXPECT_EQ(paper.printed_name, "paper");
}

}  // namespace
}  // namespace perpend::paper
