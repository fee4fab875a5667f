#include "perpend/report/monitor_section.h"

#include <gtest/gtest.h>

#include "perpend/report/model_page.h"
#include "tests/report/hostile.h"

namespace perpend {
namespace {

using test::kHostile;

bool has_part(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Monitoring moved_rows() {
  Monitoring found;
  found.rows = 200;
  found.verdict = Verdict::moved;
  found.p_value = 0.00001;
  found.alarm = 0.01;
  found.columns = {{.name = kHostile,
                    .drift = 0.43,
                    .p_value = 0.0002,
                    .change = "median 3.2, was 1.1",
                    .matters = 0.125,
                    .members = {0.1, 0.21}},
                   {.name = "still", .drift = 0.02, .p_value = 0.5}};
  found.disagreement_home = 0.05;
  found.disagreement_new = 0.15;
  found.at_home = Scores{.auc = 0.9, .accuracy = 0.8, .log_loss = 0.4, .brier = {}, .ece = {}};
  found.home_part = "validation";
  found.home_rows = 120;
  found.look = {{.number = 17, .place = "/home/ann/secret.csv:18", .disagreement = 0.3, .columns = {kHostile}}};
  found.summary = "These rows differ.";
  found.advice = "Label some of them.";
  return found;
}

std::string html_of(const Monitoring& found) {
  return std::get<Markup>(monitor_section(found, {"linear", "trees"}).blocks.at(0)).html;
}

TEST(MonitorSection, ShowsWhatMovedHowMuchItMattersAndForWhom) {
  const Section section = monitor_section(moved_rows(), {"linear", "trees"});
  const std::string& html = std::get<Markup>(section.blocks.at(0)).html;
  EXPECT_TRUE(has_part(html, "1 of 2 columns moved")) << html;
  for (const char* cell :
       {"</svg>0.43<", ">0.0002<", ">median 3.2, was 1.1<", ">0.125<", ">member 2 (trees): 0.210<"}) {
    EXPECT_TRUE(has_part(html, cell)) << cell << '\n' << html;
  }
  EXPECT_FALSE(has_part(html, ">still<"));
  EXPECT_FALSE(has_part(html, kHostile));  // escaped
  ASSERT_EQ(section.charts().size(), 1U);
  EXPECT_EQ(section.charts()[0]->data.rows.size(), 2U);
}

TEST(MonitorSection, CountsRowsThatTrainingNeverSaw) {
  Monitoring found = moved_rows();
  const auto what_moved = [&] { return moved_answers(found).at(0).text; };
  EXPECT_EQ(what_moved(), "These rows differ.");
  found.outside_rows = 12;
  EXPECT_EQ(what_moved(), "These rows differ. There are 12 rows with a number outside the range of training.");
  found.unseen_rows = 1;
  EXPECT_TRUE(has_part(what_moved(), "There is 1 row with a level that training never saw and 12 rows with a number"));
}

TEST(MonitorSection, AnswersWhatMovedWhetherToTrustAndWhatToDo) {
  Monitoring found = moved_rows();
  found.next = {"perpend ask m new.csv"};
  const auto answers = moved_answers(found);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[1].question, "Can the answers be trusted?");
  EXPECT_EQ(answers[1].text, "Not without a look. The rows have no labels to measure it by.");
  EXPECT_EQ(answers[2].text, "Label some of them.");
  EXPECT_EQ(answers[2].commands, found.next);
  found.accuracy = ExpectedMetric{.low = 0.6, .mid = 0.7, .high = 0.75};
  EXPECT_TRUE(has_part(moved_answers(found)[1].text,
                       "an accuracy of 0.70 is expected (0.60 to 0.75); it was 0.80 on the 120 validation rows"));
  found.measured = Evaluation();
  found.measured->auc = 0.77;
  EXPECT_EQ(moved_answers(found)[1].text,
            "Less than before. AUC is 0.770 on the new rows, and was 0.900 on the 120 validation rows of the "
            "training's table.");
  found.measured->auc = 0.4;
  EXPECT_TRUE(moved_answers(found)[1].text.starts_with("No, they are no better than a guess."));
  found.measured->auc = 0.89;
  EXPECT_TRUE(moved_answers(found)[1].text.starts_with("As before."));
}

TEST(MonitorSection, HasNoPlaceOnSomebodysDisk) {
  const std::string html = html_of(moved_rows());
  EXPECT_TRUE(has_part(html, "<th scope=\"row\">17</th>"));
  EXPECT_FALSE(has_part(html, "/home/ann"));
}

TEST(MonitorSection, ShowsMetricsThatAreKnownAndNoOthers) {
  Monitoring found = moved_rows();
  EXPECT_FALSE(has_part(html_of(found), ">AUC<"));
  found.accuracy = ExpectedMetric{.low = 0.6, .mid = 0.7, .high = 0.75};
  EXPECT_TRUE(has_part(html_of(found), ">0.700 expected (0.600 to 0.750)<"));
  EXPECT_FALSE(has_part(html_of(found), ">AUC<"));
  found.measured = Evaluation();
  found.measured->auc = 0.77;
  EXPECT_TRUE(has_part(html_of(found),
                       "<th scope=\"row\">AUC</th><td class=\"number\">0.900</td><td "
                       "class=\"number\">0.770</td>"));
  EXPECT_FALSE(has_part(html_of(found), "expected"));
}

TEST(MonitorSection, OfARegressionHasItsMeasures) {
  Monitoring found = moved_rows();
  found.regression = true;
  found.measured = Evaluation();
  found.measured->r2 = 0.5;
  found.measured->rmse = 12.5;
  EXPECT_TRUE(has_part(html_of(found), ">R²<"));
  EXPECT_TRUE(has_part(html_of(found), ">12.5<"));
  EXPECT_FALSE(has_part(html_of(found), "doubt"));
}

// A model of two members, and new rows on which they agree as at home.
ModelView view_with(const std::optional<Monitoring>& found) {
  ModelView view;
  view.name = "m";
  view.sha256 = std::string(64, '0');
  view.members = 2;
  view.classes = {"no", "yes"};
  Evaluation seen;
  seen.grad_cos2 = 0.01;
  view.summary.test = seen;
  view.summary.rows = {100, 0, 50, 0};
  RowsView rows;
  rows.judged = "test";
  rows.parts = {{"test", 50, seen, {0, 0.5, {1}}, {}}, {"new rows", 200, {}, {0, 0.5, {1}}, 0.5}};
  rows.features = {{"a", 1, {}}};
  rows.monitoring = found;
  view.rows = rows;
  return view;
}

std::string headline(const std::optional<Monitoring>& found) {
  return model_page(view_with(found), "LIT", "0").headline;
}

TEST(ModelPage, CallsNewRowsLikeThoseOfTheTrainingOnlyIfTheVerdictIsLikeAndNoneLiesBeyond) {
  const std::string beyond = "No test shows that the new rows have moved, but some have values that training never saw";
  Monitoring found = moved_rows();
  EXPECT_EQ(headline(found), "The new rows have moved");
  found.verdict = Verdict::far;
  EXPECT_EQ(headline(found), "The new rows are far from those of the training");
  found.verdict = Verdict::like;
  EXPECT_EQ(headline(found), "The new rows are like those of the training");
  found.unseen_rows = 1;
  EXPECT_EQ(headline(found), beyond);
  found.unseen_rows = 0;
  found.outside_rows = 1;
  EXPECT_EQ(headline(found), beyond);
  EXPECT_EQ(headline(std::nullopt), "Two members, two independent explanations");
}

TEST(ModelPage, BeginsWithTheVerdictWhereTheModelKnowsItsHome) {
  const Page page = model_page(view_with(moved_rows()), "LIT", "0");
  EXPECT_EQ(page.sections.at(0).id, "moved-rows");
  EXPECT_EQ(page.answers.size(), 3U);
  EXPECT_EQ(page.lede.at(0).rfind("Two members, two independent explanations. ", 0), 0U) << page.lede.at(0);
  EXPECT_TRUE(model_page(view_with(std::nullopt), "LIT", "0").answers.empty());
  EXPECT_NE(model_page(view_with(std::nullopt), "LIT", "0").sections.at(0).id, "moved-rows");
}

}  // namespace
}  // namespace perpend
