// An option that the method or penalty does not use is refused, and the error names the option and the cure. Harmless
// options are accepted.
#include "perpend/run/supported.h"

#include <gtest/gtest.h>

#include <map>

#include "perpend/base/option_mention.h"
#include "perpend/run/option_table.h"

namespace perpend {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

RunOptions options_with(const Values& values) {
  RunOptions options;
  for (const auto& [name, value] : values) find_option(name).set(options, value);
  return options;
}

std::string problems_with(const Values& values, std::optional<bool> unlabeled = std::nullopt) {
  std::string text;
  for (const auto& problem : unsupported_in_training(options_with(values), unlabeled))
    text += spelled(problem, plain_spelling) + "\n";
  return text;
}

TEST(Unsupported, OptionsOfOtherMethodsAreRefusedByName) {
  EXPECT_EQ(problems_with({{"boosting", "samme"}}),
            "boosting is \"samme\", but it is not used by method lit; leave it at \"samme-r\", or choose method "
            "adaboost\n");
  EXPECT_EQ(problems_with({{"method", "restarts"}, {"lambda", "1"}}),
            "lambda is 1.0, but it is not used by method restarts; leave it out, or choose method ncl, ace, lit, "
            "divdis, dbat, adp or forde\n");
  EXPECT_EQ(problems_with({{"method", "ncl"}, {"penalty", "finite"}}),
            "penalty is \"finite\", but it is not used by method ncl; leave it at \"cosine\", or choose method lit\n");
}

TEST(Unsupported, SnapshotsKeepTheLengthOfTheirCycles) {
  EXPECT_EQ(problems_with({{"method", "snapshot"}, {"early_stopping", "3"}, {"rate_drops", "5"}}),
            "early_stopping is 3, but it is not used by method snapshot; leave it at 8, or choose another method\n"
            "rate_drops is 5, but it is not used by method snapshot; leave it at 2, or choose another method\n");
  EXPECT_EQ(problems_with({{"method", "snapshot"}, {"early_stopping", "0"}, {"rate_drops", "0"}}), "")
      << "0 says whether a snapshot is the last network of its cycle or the best one";
  EXPECT_EQ(problems_with({{"method", "experts"}, {"early_stopping", "3"}, {"rate_drops", "5"}}), "");
  const Method some[] = {Method::restarts, Method::snapshot};
  EXPECT_TRUE(unsupported(options_with({{"early_stopping", "3"}}), some).empty()) << "restarts use it";
}

TEST(Unsupported, AdaBoostWeighsItsMembersItself) {
  EXPECT_EQ(problems_with({{"method", "adaboost"}, {"aggregate", "gate"}}),
            "aggregate is \"gate\", but it is not used by method adaboost; leave it at \"mean\", or choose another "
            "method\n");
}

TEST(Unsupported, OptionsOfOtherPenaltiesAreRefusedByName) {
  EXPECT_EQ(problems_with({{"epsilon", "0.3"}}),
            "epsilon is 0.3, but it is not used by penalty cosine; leave it at 0.1, or choose penalty finite\n");
  EXPECT_EQ(problems_with({{"penalty", "dpp"}, {"penalty_reduction", "sum"}}),
            "penalty_reduction is \"sum\", but it is not used by penalty dpp; leave it at \"mean\", or choose penalty "
            "cosine or finite\n");
  EXPECT_NE(problems_with({{"method", "ace"}, {"ascent_steps", "3"}})
                .find("not used by method ace; leave it at 10, or choose method lit with penalty finite"),
            std::string::npos);
}

TEST(Unsupported, DefaultsAndOptionsThatAreUsedPass) {
  for (const auto& info : methods()) {
    EXPECT_EQ(problems_with({{"method", info.word}}), "");
    EXPECT_EQ(problems_with({{"method", info.word}, {"boosting", "samme-r"}, {"epsilon", "0.1"}}), "");
    for (const auto option : info.options) {
      const std::map<std::string_view, std::string> others = {
          {"boosting", "samme"}, {"lambda", "0.2"}, {"manifold", "pca:2"}, {"penalty", "finite"}};
      const std::string& other = others.at(option);
      EXPECT_EQ(problems_with({{"method", info.word}, {std::string(option), other}}), "") << info.word;
    }
  }
  EXPECT_EQ(problems_with({{"penalty", "finite"}, {"epsilon", "0.3"}, {"penalty_reduction", "sum"}}), "");
  EXPECT_EQ(problems_with({{"method", "restarts"}, {"manifold", "pca:2"}}), "") << "cos^2 is measured along it";
}

TEST(Unsupported, ThePublishedRecipeIsForEveryMethod) {
  for (const auto& info : methods()) {
    RunOptions options;
    apply_preset("published", options);
    options.train.method = info.id;
    EXPECT_TRUE(unsupported_in_training(options).empty()) << info.word;
  }
  EXPECT_NE(problems_with({{"method", "restarts"}, {"penalty_reduction", "sum"}}), "");
}

TEST(Unsupported, AStudyMayHoldOptionsOfAnyOfItsMethods) {
  const RunOptions options = options_with({{"boosting", "samme"}, {"penalty_reduction", "sum"}});
  EXPECT_TRUE(unsupported(options, all_methods()).empty());
  const Method some[] = {Method::restarts, Method::lit};
  EXPECT_EQ(unsupported(options, some).size(), 1U);
}

TEST(Unsupported, RowsWithoutLabelsNeedAPenaltyThatActs) {
  EXPECT_EQ(problems_with({}, true), "");
  EXPECT_EQ(problems_with({{"lambda", "auto"}}, true), "");
  EXPECT_NE(problems_with({{"lambda", "0"}}, true), "");
  EXPECT_NE(problems_with({{"members", "1"}}, true), "");
  EXPECT_EQ(problems_with({{"method", "ace"}}, true),
            "rows without labels are given, but they are not used by method ace; leave them out, or choose method lit, "
            "divdis or dbat\n");
}

TEST(Unsupported, MethodsThatNeedRowsWithoutLabelsAreRefusedWhereThereAreNone) {
  for (const char* method : {"divdis", "dbat"}) {
    EXPECT_EQ(problems_with({{"method", method}}, true), "");
    EXPECT_EQ(problems_with({{"method", method}}), "") << "it is not known yet";
    EXPECT_EQ(
        problems_with({{"method", method}}, false),
        "method " + std::string(method) + " needs rows without labels; give unlabeled, or choose another method\n");
    EXPECT_NE(problems_with({{"method", method}, {"lambda", "0"}}, true), "");
  }
  EXPECT_EQ(problems_with({}, false), "");
}

TEST(Unsupported, OptionsThatTheSplitDoesNotUseAreRefused) {
  EXPECT_EQ(problems_with({{"split_column", "year"}}),
            "split_column is \"year\", but it is not used by this split; leave it out, or choose split=by-column or "
            "split=labels\n");
  EXPECT_EQ(problems_with({{"split", "labels"}, {"split_column", "part"}, {"split_quantile", "0.7"}}),
            "split_quantile is 0.7, but it is not used by this split; leave it out, or choose split=by-column\n");
  EXPECT_EQ(problems_with({{"split", "by-column"}, {"split_column", "year"}, {"split_quantile", "0.7"}}), "");
  EXPECT_EQ(problems_with({{"split", "labels"}, {"split_column", "part"}, {"group", "patient"}}), "");
  EXPECT_EQ(problems_with({{"split_quantile", "0.5"}, {"split_column", ""}}), "") << "the defaults";
  EXPECT_EQ(problems_with({{"domain", "site"}, {"test_domains", "a,b"}}),
            "domain is \"site\", but it is not used by this split; leave it out, or choose split=domain\n"
            "test_domains is [\"a\",\"b\"], but it is not used by this split; leave it out, or choose split=domain\n");
  EXPECT_EQ(problems_with({{"split", "domain"}, {"domain", "site"}, {"test_domains", "a,b"}}), "");
  EXPECT_NE(problems_with({{"split", "domain"}, {"domain", "site"}, {"split_column", "year"}}), "");
  const SplitKind some[] = {SplitKind::random, SplitKind::by_column};
  const RunOptions options = options_with({{"split_column", "year"}, {"split_quantile", "0.7"}});
  EXPECT_TRUE(unsupported_by_splits(options, some).empty()) << "one of the splits of a study uses them";
}

TEST(Unsupported, WhatOlderFilesHoldStillLoads) {
  RunOptions options;
  options_from_json(R"({"method":"restarts","lambda":0.3,"boosting":"samme","epsilon":2,"penalty":"finite",
                        "split":"random","split_column":"year"})",
                    options);
  EXPECT_TRUE(validate(options).empty());
  EXPECT_FALSE(unsupported_in_training(options).empty());
}

TEST(Validate, AManifoldNeedsAPenaltyThatKnowsIt) {
  const auto problems = validate(options_with({{"penalty", "finite"}, {"dropout", "0"}, {"manifold", "pca:2"}}));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(spelled(problems[0], plain_spelling),
            "manifold is given, but penalty finite does not use it; choose penalty cosine or dpp");
}

TEST(Words, OfMethodsAndPenaltiesLeadBackToTheirEntries) {
  for (const auto& info : methods()) {
    EXPECT_EQ(options_with({{"method", info.word}}).train.method, info.id);
    EXPECT_EQ(find_method(info.word), &method_info(info.id));
  }
  for (const auto& info : penalties()) {
    EXPECT_EQ(options_with({{"penalty", info.word}}).train.penalty, info.id);
    EXPECT_EQ(&penalty_info(info.id), &info);
  }
}

}  // namespace
}  // namespace perpend
