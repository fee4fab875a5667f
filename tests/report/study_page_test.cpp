// What a study's page and figures say about a view. tests/web shows that charts are valid and drawn.
#include "perpend/report/study_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perpend/report/study_charts.h"
#include "tests/report/hostile.h"
#include "tests/report/small_study.h"

namespace perpend {
namespace {

using Json = nlohmann::json;
using test::cell;
using test::kHostile;
using test::small_view;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<Chart> charts_of(const Page& page) {
  std::vector<Chart> charts;
  for (const auto& section : page.sections) {
    for (const auto& block : section.blocks) {
      if (const auto* chart = std::get_if<Chart>(&block)) charts.push_back(*chart);
    }
  }
  return charts;
}

std::string markup_of(const Page& page) {
  std::string html;
  for (const auto& section : page.sections) {
    for (const auto& block : section.blocks) {
      if (const auto* markup = std::get_if<Markup>(&block)) html += markup->html;
    }
  }
  return html;
}

TEST(StudyPage, IsWholeWhateverNamesTheDataHas) {
  const Page page = study_page(small_view(), "1.0");
  const auto charts = charts_of(page);
  std::vector<std::string> ids;
  for (const auto& chart : charts) {
    ids.push_back(chart.id);
    EXPECT_NO_THROW(Json::parse(chart.spec)) << chart.spec;
    // A name from data is a cell of the table, and never part of what is interpreted.
    EXPECT_FALSE(contains(chart.spec, "</script>")) << chart.id;
    EXPECT_FALSE(chart.title.empty() || chart.reading.empty() || chart.alt.empty()) << chart.id;
    EXPECT_EQ(chart.data_of.empty(), !chart.data.rows.empty()) << chart.id;
    for (const auto& row : chart.data.rows) EXPECT_EQ(row.size(), chart.data.columns.size());
  }
  EXPECT_EQ(ids,
            (std::vector<std::string>{"lambda", "size", "similarity", "q-statistic", "auc-cos2", "auc-rho", "time"}));
  EXPECT_FALSE(contains(markup_of(page), "</script>"));
  EXPECT_TRUE(contains(markup_of(page), "&lt;/script&gt;"));
}

TEST(StudyPage, SaysInWordsWhoLeadsWhere) {
  StudyView view = small_view();
  EXPECT_EQ(study_page(view, "1.0").headline, "LIT leads under extrapolation");
  view.datasets = 2;
  view.splits = 2;
  view.places = {
      {"a", "random", 3, 3}, {"b", "random", 3, 3}, {"a", "extrapolation", 3, 3}, {"b", "extrapolation", 3, 3}};
  view.leaders = {{.place = 0, .method = 0, .second = 1, .margin = 0.1, .standard_error = 0.05, .is_clear = false},
                  {.place = 1, .method = 0, .second = 1, .margin = 0.1, .standard_error = 0.05, .is_clear = false},
                  {.place = 2, .method = 1, .second = 0, .margin = 0.1, .standard_error = 0.05, .is_clear = true},
                  {.place = 3, .method = 1, .second = 0, .margin = 0.1, .standard_error = 0.05, .is_clear = false}};
  const Page page = study_page(view, "1.0");
  EXPECT_EQ(page.headline,
            "LIT leads on 2 of 2 data sets under extrapolation; Restarts leads on 2 of 2 on random splits");
  EXPECT_TRUE(contains(page.lede[1], "on 1 of 4 data sets and splits: a, extrapolation (LIT over Restarts by 0.100)"))
      << page.lede[1];
  view.leaders[3].method = 0;
  EXPECT_EQ(study_page(view, "1.0").headline,
            "No method leads on most data sets under extrapolation; Restarts leads on 2 of 2 on random splits");
}

TEST(StudyPage, CallsADifferenceWithinItsStandardErrorNoLead) {
  StudyView view = small_view();
  view.leaders[0].standard_error = 0.2;
  view.leaders[0].is_clear = false;
  EXPECT_EQ(study_page(view, "1.0").headline, "No method leads by more than noise under extrapolation");
  view.places.insert(view.places.begin(), {"a", "random", 3, 3});
  view.leaders[0].place = 1;
  view.splits = 2;
  view.leaders.push_back(
      {.place = 0, .method = 0, .second = 1, .margin = 0.1, .standard_error = 0.11, .is_clear = false});
  EXPECT_EQ(study_page(view, "1.0").headline,
            "No method leads by more than noise under extrapolation; none leads by more than noise on random splits");
  view.leaders[1].standard_error = 0.09;
  EXPECT_EQ(study_page(view, "1.0").headline,
            "No method leads by more than noise under extrapolation; Restarts leads on random splits");
}

TEST(StudyPage, OfOneRestartNamesNoLeader) {
  StudyView view = small_view();
  view.restarts = 1;
  view.leaders[0].standard_error = std::nullopt;
  EXPECT_EQ(study_page(view, "1.0").headline, "One restart cannot tell who leads");
}

TEST(StudyPage, OfAnUnfinishedStudySaysWhatIsMissing) {
  StudyView view = small_view();
  view.trials = 20;
  view.places = {{"a", "random", 12, 12}, {"b", "random", 8, 0}};
  view.leaders.clear();
  const Page page = study_page(view, "1.0");
  EXPECT_EQ(page.headline, "Too early to name a leader: 12 of 20 trials are in");
  EXPECT_TRUE(contains(page.lede[0], "12 are in and 8 are missing")) << page.lede[0];
  EXPECT_EQ(page.sections.front().id, "missing");
  const std::string& html = std::get<Markup>(page.sections.front().blocks.front()).html;
  EXPECT_TRUE(contains(html, ">b<"));
  EXPECT_FALSE(contains(html, ">a<"));
}

TEST(StudyPage, HasThePaperBesideOurFiguresAndMarksThoseThatDiffer) {
  const std::string html = results_table(small_view(), "extrapolation").html;
  EXPECT_TRUE(contains(html, "<b>0.900 ± 0.010</b>")) << html;
  EXPECT_TRUE(contains(html, ".87 ± .02 ≠"));
  StudyView view = small_view();
  for (auto& one : view.entries)
    one.auc = {.ours = one.auc.ours, .printed_mean = "", .printed_sd = "", .differs = false};
  EXPECT_FALSE(contains(results_table(view, "extrapolation").html, "paper"));
}

TEST(StudyCharts, DrawMeansToSixDigits) {
  const Chart chart = lambda_chart(small_view());
  ASSERT_EQ(chart.data.rows.size(), 5U);
  EXPECT_EQ(chart.data.rows[3][3], Cell(1.0));       // lambda
  EXPECT_EQ(chart.data.rows[3][5], Cell(0.333333));  // AUC
  EXPECT_EQ(chart.data.rows[3][6], Cell(0.01));      // its sd
  EXPECT_EQ(chart.data.rows[0][3], Cell());          // restarts have no lambda
  EXPECT_EQ(Json::parse(chart.spec)["usermeta"]["choice"]["first"], 5);
}

TEST(StudyCharts, LeaveOutWholePlacesOfAHugeStudy) {
  StudyView view = small_view();
  view.places.assign(10, {"a", "random", 1, 1});
  view.cells.clear();
  for (std::size_t place = 0; place < 10; ++place) {
    for (int i = 0; i < 1000; ++i) {
      view.cells.push_back(cell(1, 2, 0.1 * (i + 1), 0.5));
      view.cells.back().place = place;
    }
  }
  EXPECT_EQ(drawn_places(view), kMostCells / 1000);
  EXPECT_EQ(lambda_chart(view).data.rows.size(), kMostCells);
  EXPECT_TRUE(contains(study_page(view, "1.0").sections[1].text[0], "the first 6 of 10"));
}

TEST(Duration, IsToldInTwoUnits) {
  EXPECT_EQ(duration_text(12.4), "12 s");
  EXPECT_EQ(duration_text(250), "4 min 10 s");
  EXPECT_EQ(duration_text(12000), "3 h 20 min");
}

}  // namespace
}  // namespace perpend
