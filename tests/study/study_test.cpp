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
  EXPECT_EQ(study.grid.lambdas.at(Method::lit), (std::vector{1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0}));
  EXPECT_EQ(study.restarts, 2);
  EXPECT_EQ(study.options.train.seed, 7U);
  EXPECT_EQ(study.options.train.hidden, (std::vector{8, 4}));
  EXPECT_EQ(study.options.train.dropout, 0.25);
}

TEST(StudyFile, MayGiveEachMethodItsLambdas) {
  const Study study = parse_study(R"(datasets = ["sonar"]
lambda = {lit = [0.5], ncl = {from = 0.1, to = 10, count = 3}})",
                                  "s.toml");
  EXPECT_EQ(study.grid.lambdas.at(Method::lit), std::vector{0.5});
  EXPECT_EQ(study.grid.lambdas.at(Method::ncl), (std::vector{0.1, 1.0, 10.0}));
  EXPECT_EQ(study.grid.lambdas.at(Method::ace), default_grid(PenaltyReduction::mean).lambdas.at(Method::ace));
  EXPECT_EQ(study.datasets[0].target, "target");
}

TEST(StudyFile, ComesBackFromItsFullText) {
  for (const Study& study :
       {parse_study(kSmall, "s.toml"),
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
            "s.toml:2:1: a study has no key 'membres'; did you mean members?");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nseeds = [1, 2]"),
            "s.toml:2:1: a study has no key 'seeds'; restarts is the number of seeds, and seed is the first of them");
  EXPECT_EQ(message_of("datasets = [\"a.csv\"]"),
            "s.toml:1:13: data set 'a.csv' has no target; write {source = \"...\", target = \"COLUMN\"}");
  EXPECT_EQ(
      message_of("datasets = [\"sonar\"]\nmethods = [\"lit\", \"litt\"]"),
      "s.toml:2:19: method is 'litt'; it must be one of restarts, bagging, adaboost, ncl, ace, lit, divdis, dbat, "
      "subspaces, snapshot, experts, adp, forde, dive; did you mean lit?");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nmembers = [2, 5, 2]"), "s.toml:2:18: '2' appears twice in members");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nlambda = {from = 1e-4, to = 1}"),
            "s.toml:2:1: lambda needs from, to and count");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nrestarts = 0"),
            "s.toml:2:1: restarts is '0'; it must be a whole number from 1 to 10000");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\n[options]\nmembers = 3"),
            "s.toml:3:1: members belongs at the top of a study, not here");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\n[options]\nlearning_rat = 3"),
            "s.toml:3:1: there is no option 'learning_rat'; did you mean learning_rate?");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nmembers = [0]"), "s.toml:2:1: members is 0; it must be from 1 to 4096");
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nsplits = [\"none\"]"),
            "s.toml:2:1: split none leaves no rows to choose a model by and none to test it on; choose another split");
  EXPECT_EQ(message_of("datasets = [\"-\"]"),
            "s.toml:1:13: a study reads its data again when it is resumed, and - cannot be read twice");
}

TEST(StudyFile, DataSetsAreAListAndNothingElse) {
  const std::string list = ": datasets must be a list; write datasets = [...]";
  EXPECT_EQ(message_of("datasets.-1 = \"sonar\""), "s.toml:1:1" + list);
  EXPECT_EQ(message_of("datasets.99999999 = \"sonar\""), "s.toml:1:1" + list);
  EXPECT_EQ(message_of("[datasets]\n0 = \"sonar\"\n00 = \"spectf\""), "s.toml:1:2" + list);
  EXPECT_EQ(message_of("datasets = {source = \"sonar\"}"), "s.toml:1:1" + list);
  EXPECT_EQ(message_of("datasets = \"sonar\""), "s.toml:1:1" + list);
  EXPECT_EQ(message_of("datasets = []"), "s.toml:1:1: a study needs at least one data set");
  EXPECT_EQ(message_of("\"datasets.0\" = \"sonar\"\ndatasets = [\"sonar\"]"),
            "s.toml:1:1: a study has no key 'datasets.0'; did you mean datasets?");
  EXPECT_EQ(message_of("datasets = [[\"sonar\"]]"),
            "s.toml:1:13: a data set is a source or {source = \"...\", target = \"...\"}");
}

TEST(StudyFile, ADataSetIsASourceATargetAndASha256) {
  EXPECT_EQ(message_of("datasets = [{source = [\"sonar\"]}]"), "s.toml:1:14: source must be one value");
  EXPECT_EQ(message_of("datasets = [{source = \"sonar\", \"source.x\" = 1}]"),
            "s.toml:1:32: a data set has no key 'source.x'; did you mean source?");
  EXPECT_EQ(message_of("datasets = [\"sonar\", {target = \"y\"}]"), "s.toml:1:22: a data set has no source");
  EXPECT_EQ(message_of("datasets = [\"\"]"), "s.toml:1:13: a data set has no source");
  EXPECT_EQ(message_of("datasets = [{source = \"a\\u0000b\", target = \"y\"}]"),
            "s.toml:1:13: the source has a NUL, which no file name can have");
  EXPECT_EQ(message_of("datasets = [\"sonar\", \"sonar\"]"), "s.toml:1:22: 'sonar' appears twice in datasets");
  EXPECT_EQ(message_of("datasets = [{source = \"sonar\", sha256 = \"a\\\"}, x\"}]"),
            "s.toml:1:32: sha256 is 'a\"}, x'; it must be 64 hexadecimal digits, a to f in small letters");
  const std::string long_name(5000, 'a');
  EXPECT_EQ(parse_study("datasets = [{source = \"" + long_name + "\", target = \"-\"}]", "s.toml").datasets[0],
            (StudyDataset{long_name, "-", ""}));
}

TEST(StudyFile, ListsTablesAndValuesAreNotTakenForEachOther) {
  const auto with = [](const std::string& rest) { return message_of("datasets = [\"sonar\"]\n" + rest); };
  EXPECT_EQ(with("splits = {0 = \"random\"}"), "s.toml:2:1: splits must be a list of values");
  EXPECT_EQ(with("methods = [[\"lit\"]]"), "s.toml:2:12: methods must be a list of values");
  EXPECT_EQ(with("members = []"), "s.toml:2:1: members is an empty list; leave it out, or give it a value");
  EXPECT_EQ(with("members.0 = 2"), "s.toml:2:1: members must be a list of values");
  EXPECT_EQ(with("restarts = [3]"), "s.toml:2:1: restarts must be one value");
  EXPECT_EQ(with("seed = {a = 1}"), "s.toml:2:1: seed must be one value");
  EXPECT_EQ(with("preset = [\"published\"]"), "s.toml:2:1: preset must be one value");
  EXPECT_EQ(with("options = [\"dropout\"]"), "s.toml:2:1: options must be a table; write [options] and one per line");
  EXPECT_EQ(with("[options]\ndropout = [0.5]"), "s.toml:3:1: dropout is the list '0.5'; it must be one value");
  EXPECT_EQ(with("[options]\ndrop = {0 = \"a\"}"), "s.toml:3:1: drop is a table; it must be a value");
  EXPECT_EQ(with("[options]\ndrop = [[\"a\"]]"), "s.toml:3:1: drop must be one value or a list of values");
  EXPECT_EQ(with("\"options.dropout\" = 0.5"),
            "s.toml:2:1: a study has no key 'options.dropout'; options of training stand below [options]");
  EXPECT_EQ(with("[options]\n\"drop.0\" = \"a\""), "s.toml:3:1: there is no option 'drop.0'; did you mean drop?");
}

TEST(StudyFile, LambdasAreAListBoundsOrOneOfThemPerMethod) {
  const auto with = [](const std::string& rest) { return message_of("datasets = [\"sonar\"]\nlambda" + rest); };
  EXPECT_EQ(with(" = {from = 1, to = 2, count = 3, extra = 1}"),
            "s.toml:2:40: lambda has no key 'extra'; it has from, to and count");
  EXPECT_EQ(with(" = {lit = [1], from = 1}"),
            "s.toml:2:22: lambda has no key 'from'; it has ncl, ace, lit, adp and forde, or from, to and count");
  EXPECT_EQ(with(" = {lit = {0 = 1}}"), "s.toml:2:18: lit has no key '0'; it has from, to and count");
  EXPECT_EQ(with(" = {0 = 1}"), "s.toml:2:11: lambda has no key '0'; it has from, to and count");
  EXPECT_EQ(with(" = [[1], [2]]"), "s.toml:2:11: lambda must be a list of values");
  EXPECT_EQ(with(" = []"), "s.toml:2:1: lambda is an empty list; leave it out, or give it a value");
  EXPECT_EQ(with(" = {from = [1], to = 2, count = 3}"), "s.toml:2:11: from must be one value");
  EXPECT_EQ(with(" = {from = 1, to = 1.0000001, count = 3}"),
            "s.toml:2:1: lambda has equal values: from and to are too close together for that count");
  EXPECT_EQ(with(" = \"auto\""),
            "s.toml:2:1: lambda is 'auto', but a study tries a list of lambdas instead; give it one");
}

TEST(StudyFile, NamesInListsAreAnyText) {
  const Study study = parse_study(
      "datasets = [\"builtin:shortcut\"]\n[options]\ntarget = \"target\"\n"
      "drop = [\"a,b\", \"\", \"say \\\"hi\\\"\", \"two\\nlines\"]\nkeep = \"c,\\\"d,e\\\"\"",
      "s.toml");
  EXPECT_EQ(study.options.schema.drop, (std::vector<std::string>{"a,b", "", "say \"hi\"", "two\nlines"}));
  EXPECT_EQ(study.options.schema.keep, (std::vector<std::string>{"c", "d,e"}));
  EXPECT_EQ(parse_study(checked_toml(study), "s.toml").options.schema.drop, study.options.schema.drop);
}

TEST(StudyFile, WhatIsWrittenIsReadBackFirst) {
  const Study large = parse_study("datasets = [\"sonar\"]\nseed = \"18446744073709551615\"\nlambda = [-0.0]", "s.toml");
  EXPECT_EQ(checked_toml(large), to_toml(large));
  EXPECT_EQ(parse_study(to_toml(large), "s.toml").options.train.seed, 18446744073709551615U);
  Study empty = large;
  empty.grid.lambdas[Method::lit].clear();
  EXPECT_THROW(checked_toml(empty), Error);
  Study foreign = large;
  foreign.datasets[0].source = "\xff.csv";
  EXPECT_THROW(checked_toml(foreign), ConfigError);
}

TEST(StudyFile, TooManyTrialsAreRefusedBeforeTheyAreMade) {
  std::string members = "1";
  for (int m = 2; m <= 1000; ++m) members += "," + std::to_string(m);
  EXPECT_EQ(message_of("datasets = [\"sonar\"]\nsplits = [\"random\"]\nmethods = [\"lit\"]\nrestarts = 1001\n"
                       "lambda = {from = 1, to = 9, count = 1000}\nmembers = [" +
                       members + "]"),
            "s.toml: these are 1,001,000,000 trials, and 200,000 are the most; take fewer members, lambdas or "
            "restarts, or several studies");
}

TEST(StudyTrials, HaveIdsOfTheirOwnThatOptionsAndDataChange) {
  const Study study = with_data(parse_study(kSmall, "s.toml"));
  std::set<std::string> ids;
  Study other = study;
  other.datasets[1].sha256[0] = 'b';  // otherwise both have the same bytes
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
