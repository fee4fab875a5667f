// `perpend compare`: every method on the same splits.
#include <cmath>
#include <nlohmann/json.hpp>

#include "perpend/base/message.h"
#include "tests/cli/pseudo_terminal.h"
#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

class Compare : public SmallModel {
 protected:
  // Tiny networks and trainings.
  static std::vector<std::string> words(std::vector<std::string> more = {}) {
    std::vector<std::string> all = {"compare", "builtin:shortcut", "--target", "target", "--hidden", "4"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(Compare, PrintsATableForEachSplitWithEveryMethodAndAVerdict) {
  const auto run = perpend(words({"--epochs", "1", "--restarts", "2", "--views", "linear,piecewise"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* part : {"\nrandom split\n", "\nextrapolation split\n", "\nrestarts ", "\nbagging ", "\nadaboost ",
                           "\nncl ", "\nace ", "\nlit ", "\nlogistic regression ", "log-loss", "ECE", "noise",
                           " as in restart 1: perpend train builtin:shortcut --target target ", "2 restarts in "}) {
    EXPECT_TRUE(contains(run.out, part)) << part << '\n' << run.out;
  }
  EXPECT_TRUE(contains(run.err, "extrapolation    train 750  validation 150  test 600")) << run.err;
  EXPECT_FALSE(contains(run.out, "\x1b")) << run.out;
}

TEST_F(Compare, RefusesAnUnknownMethodByTheNameOfItsOption) {
  const std::string said = expect_error(perpend(words({"--methods", "restarts,litt"})), 3);
  EXPECT_TRUE(contains(said, "--methods is 'litt'; it must be one of restarts, ")) << said;
  EXPECT_TRUE(contains(said, "; did you mean lit?")) << said;
}

TEST_F(Compare, RefusesTextWhereNumbersBelong) {
  const std::string members = expect_error(perpend(words({"--members", "2,two"})), 2);
  EXPECT_TRUE(contains(members, "--members: 'two' is out of range; it must be a whole number from 1 to 4096"))
      << members;
  const std::string lambdas = expect_error(perpend(words({"--lambdas", "0.1,-1"})), 2);
  EXPECT_TRUE(contains(lambdas, "--lambdas: '-1' is out of range; it must be a number from 0 to ")) << lambdas;
}

TEST_F(Compare, JsonHasTheFiguresOfEveryTraining) {
  const auto run = perpend(words(
      {"--epochs", "1", "--restarts", "2", "--members", "2,3", "--lambdas", "0.1,1", "--split", "random", "--json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto document = Json::parse(run.out);
  EXPECT_EQ(document.at("restarts"), 2);
  EXPECT_EQ(document.at("interrupted"), false);
  EXPECT_TRUE(document.at("budget_seconds").is_null());
  EXPECT_EQ(document.at("grid").at("ace"), Json({0.1, 1.0}));
  EXPECT_EQ(document.at("trials").size(), 2U * (3 * 2 + 3 * 4));
  ASSERT_EQ(document.at("splits").size(), 1U);
  const auto& split = document.at("splits").at(0);
  ASSERT_EQ(split.at("methods").size(), 6U);
  // The table shows, of each restart, the trial with the best validation AUC, or the first of equal ones.
  for (const auto& method : split.at("methods")) {
    double sum = 0;
    for (int restart = 0; restart < 2; ++restart) {
      double best = -1;
      double test = 0;
      for (const auto& trial : document.at("trials")) {
        if (trial.at("method") != method.at("method") || trial.at("restart") != restart) continue;
        if (trial.at("validation_auc") <= best) continue;
        best = trial.at("validation_auc");
        test = trial.at("test_auc");
      }
      sum += test;
    }
    EXPECT_NEAR(method.at("auc").at("mean"), sum / 2, 1e-12) << method;
    EXPECT_EQ(method.at("auc").at("restarts"), 2);
  }
  EXPECT_TRUE(split.at("lead").at("difference").at("low").is_number());
  ASSERT_EQ(split.at("others").size(), 1U);
  EXPECT_EQ(split.at("others").at(0).at("name"), "logistic regression");
  EXPECT_EQ(document.at("others").size(), 2U);
}

// Runs the command of a split's table and compares its test rows with the table's first restart.
void expect_command_retrains(const std::vector<std::string>& words, const std::string& folder) {
  const auto run = perpend(words);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto document = Json::parse(run.out);
  for (const auto& split : document.at("splits")) {
    const std::string command = split.at("command");
    ASSERT_TRUE(command.starts_with("perpend train ")) << command;
    const auto again = run_program("/bin/bash", {"-c", "cd " + shell_word(folder) + " && \"" PERPEND_PROGRAM "\"" +
                                                           command.substr(7) + " --json --force"});
    ASSERT_EQ(again.exit_code, 0) << command << '\n' << again.err;
    const auto test = Json::parse(again.out).at("metrics").at("test");
    int found = 0;
    for (const auto& trial : document.at("trials")) {
      const bool is_shown = trial.at("split") == split.at("split") && trial.at("restart") == 0 &&
                            trial.at("method") == split.at("best_method") &&
                            trial.at("members") == split.at("retrain").at("members") &&
                            (trial.at("lambda").is_null() || trial.at("lambda") == split.at("retrain").at("lambda"));
      if (!is_shown) continue;
      ++found;
      EXPECT_EQ(trial.at("test_auc"), test.at("auc")) << command;
      EXPECT_EQ(trial.at("test_log_loss"), test.at("log_loss")) << command;
    }
    EXPECT_EQ(found, 1) << command;
  }
}

TEST_F(Compare, HasTheMethodsThatAreNamed) {
  const auto run = perpend(words({"--epochs", "8", "--restarts", "1", "--split", "random", "--methods",
                                  "dive,restarts,subspaces,snapshot,experts,forde", "--json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto document = Json::parse(run.out);
  std::vector<std::string> named;
  for (const auto& method : document.at("splits").at(0).at("methods")) named.push_back(method.at("method"));
  EXPECT_EQ(named, (std::vector<std::string>{"restarts", "subspaces", "snapshot", "experts", "forde", "dive"}));
  EXPECT_FALSE(contains(run.err, "left out")) << run.err;
  const auto unknown = expect_error(perpend(words({"--methods", "lit,litt"})), 3);
  EXPECT_TRUE(contains(unknown, "litt")) << unknown;
  const auto refused = expect_error(perpend(words({"--methods", "adp", "--restarts", "1"})), 3);
  EXPECT_TRUE(contains(refused, "method adp is for more than two classes, and there are 2")) << refused;
  const auto unused = expect_error(perpend(words({"--methods", "restarts", "--boosting", "samme"})), 3);
  EXPECT_TRUE(contains(unused, "not used by")) << unused;
}

TEST_F(Compare, TheCommandBelowATableTrainsItsBestMethodAgain) {
  expect_command_retrains(words({"--epochs", "3", "--restarts", "2", "--seed", "5", "--members", "2,3", "--json",
                                 "--lambdas", "0.1,1", "--dropout", "0.1", "--no-shuffle"}),
                          folder_.path().string());
  // The names have characters that a shell would interpret, and the epochs are cut.
  std::string table = "a,b c,it's,\"x,y\",$y\n";
  for (int i = 0; i < 90; ++i) {
    const int a = i * 7 % 11;
    table += std::to_string(a) + "," + std::to_string(i * 5 % 13) + "," + std::to_string(i % 3) + "," +
             std::to_string(i % 4) + (a > 5 ? ",-yes\n" : ",no\n");
  }
  expect_command_retrains({"compare", write("my rows.csv", table), "--target", "$y", "--positive=-yes", "--drop",
                           "\"x,y\",b c", "--categorical", "it's", "--hidden", "4", "--epochs", "100000",
                           "--early-stopping", "0", "--minutes", "0.01", "--json"},
                          folder_.path().string());
}

TEST_F(Compare, TheCommandLeavesOutWhatOtherMethodsUse) {
  expect_command_retrains(words({"--epochs", "1", "--restarts", "1", "--split", "random", "--manifold", "pca:2",
                                 "--boosting", "samme", "--json"}),
                          folder_.path().string());
}

TEST_F(Compare, TheCommandOfThePublishedRecipeHasThePreset) {
  expect_command_retrains(
      words({"--preset", "published", "--epochs", "1", "--restarts", "1", "--split", "random", "--json"}),
      folder_.path().string());
}

TEST_F(Compare, AListEndsWithItsWord) {
  for (const auto& [flag, list] :
       {std::pair("--members", "2"), std::pair("--split", "random"), std::pair("--lambdas", "1")}) {
    const auto run = perpend({"compare", flag, list, "builtin:shortcut", "--target", "target", "--hidden", "4",
                              "--epochs", "1", "--restarts", "1"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
}

TEST_F(Compare, IsTheSameOnAnyNumberOfThreads) {
  const auto results = [](const char* threads) {
    const auto run = perpend(words({"--epochs", "1", "--restarts", "1", "--json", "--threads", threads}));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    auto document = Json::parse(run.out);
    document.erase("seconds");
    return document;
  };
  EXPECT_EQ(results("1"), results("4"));
}

TEST_F(Compare, CutsEpochsWhenNotEvenOneRestartFitsAndSaysSo) {
  const auto run = perpend(words({"--minutes", "0.01", "--epochs", "100000"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "1 restart in ")) << run.out;
  EXPECT_TRUE(contains(run.out, " of 1 s, with ")) << run.out;
  EXPECT_TRUE(contains(run.out, " % of the epochs")) << run.out;
}

TEST_F(Compare, CtrlCKeepsWhatIsFinished) {
  const RunningProgram program(PERPEND_PROGRAM, words({"--epochs", "2", "--restarts", "10000", "--split", "random",
                                                       "--members", "2", "--lambdas", "1"}));
  program.wait_for_messages();
  program.send(SIGINT);
  const auto run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_TRUE(contains(run.err, "\nperpend: interrupted; ")) << run.err;
  // Messages begin after a second. Restarts that take some milliseconds are finished by then.
  EXPECT_TRUE(contains(run.out, "\nlit ")) << run.out;
  EXPECT_TRUE(contains(run.out, " restart")) << run.out;
}

TEST_F(Compare, CtrlCBeforeTheFirstRestartIsFinishedPrintsNothing) {
  OnTerminal program(words({"--epochs", "100000000", "--restarts", "1"}));
  program.wait_for("restart 1  0/");
  program.send(SIGINT);
  const auto run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_TRUE(run.out.ends_with("perpend: interrupted; no restart was finished\n")) << run.out;
  EXPECT_FALSE(contains(run.out, "best mean AUC")) << run.out;
}

TEST_F(Compare, BadDataAndOptionsAreTheErrorsOfTrain) {
  const std::string data = write("rows.csv", small_table());
  EXPECT_TRUE(contains(expect_error(perpend({"compare", data, "--target", "z"}), 4), "has no column 'z'"));
  EXPECT_TRUE(contains(expect_error(perpend({"compare", path("none.csv"), "--target", "y"}), 6), "none.csv"));
  EXPECT_TRUE(contains(expect_error(perpend({"compare", data}), 2), "--target"));
  expect_error(perpend({"compare", data, "--target", "y", "--members", "0"}), 2);
  expect_error(perpend({"compare", data, "--target", "y", "--lambdas=-1"}), 2);
  expect_error(perpend({"compare", data, "--target", "y", "--split", "none"}), 3);
  expect_error(perpend({"compare", data, "--target", "y", "--split", "randm"}), 3);
  expect_error(perpend({"compare", data, "--target", "y", "--minutes", "0"}), 2);
  const std::string config = write("run.toml", "epochs = 1\nmethod = \"lit\"\n");
  EXPECT_TRUE(contains(expect_error(perpend({"compare", data, "--target", "y", "--config", config}), 3), "run.toml:2"));
}

TEST_F(Compare, LambdaAutoIsRefusedByMethodsWithoutLambda) {
  const std::string data = write("rows.csv", small_table());
  for (const char* method : {"restarts", "bagging", "adaboost"}) {
    EXPECT_TRUE(contains(expect_error(train(data, {"--method", method, "--lambda", "auto"}), 3), "has no lambda"));
  }
}

// A stand-in for a public set, with the names and the size of ionosphere.
std::string made_ionosphere() {
  std::string text;
  for (int c = 1; c <= 34; ++c) text += (c < 10 ? "a0" : "a") + std::to_string(c) + ",";
  text += "target\n";
  for (int r = 0; r < 351; ++r) {
    for (int c = 1; c <= 34; ++c) text += (c == 2 ? "0" : std::to_string((r * (c + 7) * 31 + r * r * c) % 1009)) + ",";
    text += r * 13 % 7 < 4 ? "g\n" : "b\n";
  }
  return text;
}

TEST_F(Compare, PresetPublishedEncodesAPublicSetByAllRowsAsThePaperDid) {
  write("ionosphere.csv", made_ionosphere());
  const auto run =
      perpend({"compare", "ionosphere", "--data-dir", folder_.path().string(), "--target", "target", "--preset",
               "published", "--split", "extrapolation", "--epochs", "1", "--restarts", "1", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out).at("encoding"), "published");
  EXPECT_TRUE(contains(run.err, "statistics of all 351 rows")) << run.err;
  const auto line = expect_error(perpend({"compare", "ionosphere", "--data-dir", folder_.path().string(), "--target",
                                          "target", "--preset", "published", "--drop", "a05"}),
                                 3);
  EXPECT_TRUE(contains(line, "fixes the encoding of ionosphere")) << line;
}

TEST_F(Compare, TrainUsesTheSameEncodingAndKeepsItInTheModel) {
  write("ionosphere.csv", made_ionosphere());
  // The mean of a01 over all rows. An encoding by training rows alone would have another mean.
  double sum = 0;
  for (int r = 0; r < 351; ++r) sum += (r * 8 * 31 + r * r) % 1009;
  const auto mean_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {
        "train",   "ionosphere", "--data-dir", folder_.path().string(), "--target", "target", "--epochs", "1", "-o",
        path("m"), "--force",    "--split",    "extrapolation"};
    all.insert(all.end(), more.begin(), more.end());
    const auto run = perpend(all);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const auto inspected = perpend({"inspect", path("m"), "--json"});
    return Json::parse(inspected.out).at("schema").at("features").at(0).at("mean").get<double>();
  };
  EXPECT_NEAR(mean_of({"--preset", "published"}), sum / 351, 1e-9);
  EXPECT_GT(std::abs(mean_of({}) - sum / 351), 1e-3);
}

}  // namespace
}  // namespace perpend::test
