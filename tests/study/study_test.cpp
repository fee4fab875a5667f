#include "perpend/study/study.h"

#include <gtest/gtest.h>

#include <set>

#include "perpend/base/error.h"
#include "perpend/run/option_table.h"

namespace perpend {
namespace {

const char* const kSmall = R"(
datasets = ["builtin:shortcut", {source = "X.npy,y.npy", target = "y"}]
splits   = ["random"]
methods  = ["restarts", "lit"]
members  = [2, 3]
lambda   = {from = 1e-4, to = 1e1, count = 6}
restarts = 2
seed     = 7
[options]
target   = "target"
hidden   = [8, 4]
dropout  = 0.25
)";

std::string message_of(const std::string& text) {
  try {
    parse_study(text, "s.toml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

Study with_data(Study study) {
  for (auto& dataset : study.datasets) dataset.sha256 = std::string(64, 'a');
  return study;
}

TEST(StudyFile, SaysWhatIsRun) {
  const Study study = parse_study(kSmall, "s.toml");
  ASSERT_EQ(study.datasets.size(), 2U);
  EXPECT_EQ(study.datasets[0], (StudyDataset{"builtin:shortcut", "target", ""}));
  EXPECT_EQ(study.datasets[1], (StudyDataset{"X.npy,y.npy", "y", ""}));
  EXPECT_EQ(study.splits, std::vector{SplitKind::random});
  EXPECT_EQ(study.methods, (std::vector{Method::restarts, Method::lit}));
  EXPECT_EQ(study.grid.members, (std::vector{2, 3}));
  EXPECT_EQ(study.grid.lit, (std::vector{1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0}));
  EXPECT_EQ(study.restarts, 2);
  EXPECT_EQ(study.options.train.seed, 7U);
  EXPECT_EQ(study.options.train.hidden, (std::vector{8, 4}));
  EXPECT_EQ(study.options.train.dropout, 0.25);
}

TEST(StudyFile, MayGiveEachMethodItsLambdas) {
  const Study study = parse_study(R"(datasets = ["sonar"]
lambda = {lit = [0.5], ncl = {from = 0.1, to = 10, count = 3}})",
                                  "s.toml");
  EXPECT_EQ(study.grid.lit, std::vector{0.5});
  EXPECT_EQ(study.grid.ncl, (std::vector{0.1, 1.0, 10.0}));
  EXPECT_EQ(study.grid.ace, default_grid(PenaltyReduction::mean).ace);
  EXPECT_EQ(study.datasets[0].target, "target");
}

TEST(StudyFile, ComesBackFromItsFullText) {
  for (const Study& study :
       {parse_study(kSmall, "s.toml"), table1_study(true), table1_study(false),
        parse_study("datasets = [{source = \"b\\u00fc\\U0001f600\\n\\\".csv\", target = \"t\"}]\n"
                    "preset = \"published\"\n[options]\nweight_decay = 1e-4\ndrop = [\"a\", \"b\"]",
                    "s.toml")}) {
    const std::string text = to_toml(study);
    const Study back = parse_study(text, "study.toml");
    EXPECT_EQ(to_toml(back), text);
    const auto ids = [](const Study& of) {
      std::vector<std::string> list;
      for (const auto& trial : trials_of(with_data(of))) list.push_back(trial.id);
      return list;
    };
    EXPECT_EQ(ids(back), ids(study)) << text;
  }
}

TEST(StudyFile, NamesThePlaceOfEveryMistake) {
  EXPECT_EQ(message_of("restarts = 3"), "s.toml: a study needs datasets = [...]");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nmembres = [2]"),
            "s.toml:2:12: a study has no key 'membres'; did you mean members?");
  EXPECT_EQ(message_of("datasets = [\"a.csv\"]"),
            "s.toml: data set 'a.csv' has no target; write {source = \"...\", target = \"COLUMN\"}");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nmethods = [\"lit\", \"litt\"]"),
            "s.toml:2:19: method is 'litt'; it must be one of restarts, bagging, adaboost, ncl, ace, lit");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nmembers = [2, 5, 2]"), "s.toml:2:18: '2' stands twice in members");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nlambda = {from = 1e-4, to = 1}"),
            "s.toml: lambda needs from, to and count");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nrestarts = 0"),
            "s.toml:2:12: restarts is '0'; it must be a whole number from 1 to 10000");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\n[options]\nmembers = 3"),
            "s.toml:3:11: members stands at the top of a study, not here");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\n[options]\nlearning_rat = 3"),
            "s.toml:3:16: there is no option 'learning_rat'; did you mean learning_rate?");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nmembers = [0]"), "s.toml: members is 0; it must be from 1 to 4096");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nsplits = [\"none\"]"),
            "s.toml: split none has no rows to choose and test by");
  EXPECT_EQ(message_of("datasets = [\"-\"]"), "s.toml:1:13: a study is read again to resume it, which - cannot be");
}

TEST(StudyTrials, OfTheTableAreThePapers25500) {
  EXPECT_EQ(trials_of(with_data(table1_study(false))).size(), 25500U);
  EXPECT_EQ(trials_of(with_data(table1_study(true))).size(), 1890U);
}

TEST(StudyTrials, HaveIdsOfTheirOwnThatOptionsAndDataChange) {
  const Study study = with_data(parse_study(kSmall, "s.toml"));
  std::set<std::string> ids;
  Study other = study;
  other.datasets[1].sha256[0] = 'b';  // both have the same bytes otherwise
  for (const auto& trial : trials_of(other)) ids.insert(trial.id);
  EXPECT_EQ(ids.size(), 2U * 2 * 2 * 7);
  Study changed = study;
  changed.options.train.dropout = 0.3;
  EXPECT_NE(trials_of(changed)[0].id, trials_of(study)[0].id);
  changed = study;
  changed.row_visits = 1000;
  EXPECT_NE(trials_of(changed)[0].id, trials_of(study)[0].id);
  changed = study;
  changed.options.train.threads = 3;
  changed.grid.members = {2};
  EXPECT_EQ(trials_of(changed)[0].id, trials_of(study)[0].id);
}

}  // namespace
}  // namespace perpend
