// What a page says of rows that judged a model and trained it afterwards.
#include "perpend/api/report.h"

#include <gtest/gtest.h>

#include "perpend/api/fit.h"
#include "perpend/data/generate.h"
#include "perpend/data/source.h"
#include "perpend/report/model_page.h"

namespace perpend {
namespace {

const Table& report_rows(bool number) {
  static const Table classes = table_of(generate("shortcut", {.seed = 0, .rows = 300}), "t.csv");
  static const Table numbers = [] {
    Table table = classes;
    std::erase_if(table.columns, [](const Column& column) { return column.name == "target"; });
    return table;
  }();
  return number ? numbers : classes;
}

TrainedModel report_model(bool number, bool refit) {
  RunOptions options;
  options.schema.target = number ? "sodium" : "target";
  options.split.kind = SplitKind::none;
  options.train.members = kFewestForSingleViews;
  options.train.lambda = 0.1;
  options.train.epochs = 40;
  options.train.early_stopping = 2;
  options.train.threads = 1;
  options.refit = refit;
  return fit(report_rows(number), options).model;
}

ModelView report_view(const TrainedModel& model, bool number) {
  return view_model(model, "m", {.data = &report_rows(number), .newer = nullptr, .newer_name = ""}, 1);
}

TEST(ReportOfARefit, DrawsFromTheAnswersBeforeIt) {
  for (const bool number : {false, true}) {
    const TrainedModel model = report_model(number, true);
    ASSERT_TRUE(model.summary.refitted);
    const ModelView view = report_view(model, number);
    const RowsView& rows = *view.rows;
    const RowsView kept = *report_view(report_model(number, false), number).rows;
    EXPECT_TRUE(rows.trained_since);
    EXPECT_FALSE(kept.trained_since);
    ASSERT_EQ(rows.parts.size(), 2U);
    EXPECT_EQ(rows.parts[1].evaluation, model.summary.validation);
    if (!number) {
      EXPECT_EQ(rows.parts[1].disagreement.counts, kept.parts[1].disagreement.counts)
          << "with classes the bins are fixed";
    }
    ASSERT_EQ(rows.roc.size(), kept.roc.size());
    for (std::size_t i = 0; i < rows.roc.size(); ++i) EXPECT_EQ(rows.roc[i].points, kept.roc[i].points) << i;
    for (std::size_t i = 0; i < rows.risk_coverage.size(); ++i) {
      EXPECT_EQ(rows.risk_coverage[i].points, kept.risk_coverage[i].points) << i;
    }
    EXPECT_EQ(rows.predicted, kept.predicted);
    EXPECT_EQ(rows.error_by_coverage, kept.error_by_coverage);
    ASSERT_EQ(rows.disputed.size(), kept.disputed.size());
    for (std::size_t i = 0; i < rows.disputed.size(); ++i) {
      EXPECT_EQ(rows.disputed[i].number, kept.disputed[i].number);
      EXPECT_EQ(rows.disputed[i].members, kept.disputed[i].members);
    }
    EXPECT_NE(rows.features[0].members[0].mean, kept.features[0].members[0].mean) << "gradients of the final members";
  }
}

TEST(ReportOfARefit, LeavesCurvesOutWhereTheFileForgotTheAnswers) {
  for (const bool number : {false, true}) {
    TrainedModel model = report_model(number, true);
    model.home = {};
    const ModelView view = report_view(model, number);
    EXPECT_EQ(view.rows->parts[1].evaluation, model.summary.validation);
    EXPECT_TRUE(view.rows->roc.empty() && view.rows->calibration.empty() && view.rows->risk_coverage.empty());
    EXPECT_TRUE(view.rows->predicted.empty() && view.rows->error_by_coverage.empty() && view.rows->disputed.empty());
    EXPECT_EQ(view.rows->regression, number);
    const Page page = model_page(view, "LIT", "0");
    EXPECT_NE(page.sections[0].text.front().find("the file does not keep what the members answered before"),
              std::string::npos);
  }
}

TEST(ReportOfARefit, SaysOnHowManyRowsTheFinalMembersTrained) {
  const TrainedModel model = report_model(false, true);
  const Page page = model_page(report_view(model, false), "LIT", "0");
  EXPECT_NE(page.lede[0].find("on 300 rows"), std::string::npos) << page.lede[0];
  EXPECT_NE(page.lede[0].find("when the members had trained on 240 rows"), std::string::npos) << page.lede[0];
  const std::string text = card(model);
  EXPECT_NE(text.find("300 rows trained it"), std::string::npos) << text;
  EXPECT_NE(text.find("measured before the refit"), std::string::npos) << text;
}

}  // namespace
}  // namespace perpend
