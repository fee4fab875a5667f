// Numbers are worked out by hand.
#include "perpend/study/paired.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "perpend/study/table_format.h"
#include "tests/study/folders.h"

namespace perpend {
namespace {

using test::add_result;

// Splits are hard and easy in turn. lit is above restarts by 0.01, 0.02 and 0.03.
StudyFolder folder_of(int results = 6) {
  StudyFolder folder = test::empty_folder({"a|b.csv"}, {Method::restarts, Method::lit},
                                          {.members = {5}, .lambdas = {{Method::lit, {1}}}}, 3);
  const double aucs[] = {0.60, 0.61, 0.90, 0.92, 0.70, 0.73};
  for (int i = 0; i < results; ++i) add_result(folder, static_cast<std::size_t>(i), 0.5, aucs[i]);
  return folder;
}

TEST(PairedLeads, SeeWhatSdsOverRestartsHide) {
  const auto leads = paired_leads(folder_of(), Method::lit);
  ASSERT_EQ(leads.size(), 1U);
  const Lead& lead = leads[0].lead;
  EXPECT_EQ(lead.over, Method::restarts);
  EXPECT_NEAR(*lead.difference.mean, 0.02, 1e-12);
  EXPECT_NEAR(*lead.difference.sd, 0.01, 1e-12);
  EXPECT_EQ(lead.ahead, 3U);
  // 4.303 * 0.01 / sqrt(3) = 0.0248. Three restarts give a wide interval.
  EXPECT_NEAR(lead.interval->low, -0.00484, 1e-5);
  EXPECT_FALSE(lead.more_than_noise());
  const auto back = paired_leads(folder_of(), Method::restarts)[0].lead;
  EXPECT_NEAR(*back.difference.mean, -0.02, 1e-12);
  EXPECT_EQ(back.ahead, 0U);
}

TEST(PairedLeads, TakeRestartsThatBothHave) {
  const auto leads = paired_leads(folder_of(5), Method::lit);
  EXPECT_EQ(leads[0].lead.difference.count, 2U);
  EXPECT_EQ(paired_leads(folder_of(1), Method::lit)[0].lead.difference.count, 0U);
}

TEST(PairedLeads, ReadLikeThis) {
  const auto leads = paired_leads(folder_of(), Method::lit);
  EXPECT_EQ(paired_text(leads, Method::lit),
            "\nPaired by restart, test AUC of lit less that of the others:\n"
            "random         a|b.csv  restarts   +0.020  (-0.005 to +0.045)  ahead in 3 of 3, no more than noise\n");
  EXPECT_EQ(paired_markdown(leads, Method::lit),
            "\nPaired by restart, test AUC of lit less that of the others:\n\n"
            "| split | data set | over | mean | 95 % interval | ahead | |\n|---|---|---|---|---|---|---|\n"
            "| random | a\\|b.csv | restarts | +0.020 | -0.005 to +0.045 | 3 of 3 | no more than noise |\n");
  EXPECT_NE(paired_text(paired_leads(folder_of(1), Method::lit), Method::lit).find("-  (-)  ahead in 0 of 0"),
            std::string::npos);
}

TEST(PairedLeads, RefuseAMethodThatTheStudyLacks) { EXPECT_THROW(paired_leads(folder_of(), Method::ncl), ConfigError); }

TEST(TableNotes, SayWhereBoostingKeptOneNetwork) {
  StudyFolder folder = test::empty_folder({"icu.csv"}, {Method::restarts, Method::adaboost}, {.members = {5}}, 2);
  for (std::size_t i = 0; i < 4; ++i) add_result(folder, i, 0.5, 0.6).result.test.members.resize(5);
  const auto text = [&] { return format_table(table_of(folder), TableFormat::text); };
  EXPECT_EQ(text().find("kept one network"), std::string::npos) << text();
  folder.results[1].result.test.members.resize(1);
  EXPECT_NE(text().find("Adaboost kept one network in 1 of 2 restarts: "), std::string::npos) << text();
}

}  // namespace
}  // namespace perpend
