#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// A short training on the shortcut set, and a folder to work in.
class Train : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  Finished train(const std::string& model, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"train",     "builtin:shortcut", "--target", "target",   "-o",
                                      path(model), "--members",        "3",        "--epochs", "20"};
    words.insert(words.end(), more.begin(), more.end());
    return perpend(words);
  }
  TemporaryFolder folder_;
};

// The labels of a generated set, and y of X.npy,y.npy, need no name.
TEST_F(Train, FindsTheTargetWhereThereIsOnlyOne) {
  const auto made = perpend({"train", "builtin:shortcut", "-o", path("m"), "--members", "2", "--epochs", "1"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const auto compared = perpend({"compare", "builtin:quadrants", "--restarts", "1", "--epochs", "1", "--members", "2"});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_TRUE(contains(expect_error(perpend({"train", path("none.csv"), "-o", path("x")}), 2), "no target is given"));
}

TEST_F(Train, TakesRowsWithoutLabels) {
  const auto with = train("with.safetensors", {"--unlabeled", "builtin:shortcut-failed"});
  ASSERT_EQ(with.exit_code, 0) << with.err;
  EXPECT_TRUE(contains(with.err, "without labels 1,500")) << with.err;
  const auto told =
      Json::parse(train("with.safetensors", {"--unlabeled", "builtin:shortcut-failed", "--json", "--force"}).out);
  EXPECT_EQ(told.at("rows").at("unlabeled"), 1500);
  const auto seen =
      Json::parse(perpend({"evaluate", path("with.safetensors"), "builtin:shortcut-failed", "--json"}).out);
  EXPECT_NEAR(told.at("unlabeled").at("grad_cos2"), seen.at("metrics").at("grad_cos2"), 1e-9);
  const auto inspected = Json::parse(perpend({"inspect", path("with.safetensors"), "--json"}).out);
  EXPECT_TRUE(contains(inspected.dump(), "\"unlabeled\":1500")) << inspected.dump();

  std::ofstream(path("other.csv")) << "ward\n1\n";
  EXPECT_TRUE(contains(expect_error(train("x.safetensors", {"--unlabeled", path("other.csv")}), 4), "no column"));
  expect_error(train("x.safetensors", {"--unlabeled", path("absent.csv")}), 6);
  EXPECT_TRUE(contains(expect_error(train("x.safetensors", {"--unlabeled", "builtin:shortcut", "--method", "ncl"}), 3),
                       "method lit"));
}

TEST_F(Train, DivDisAndDbatNeedRowsWithoutLabels) {
  for (const char* method : {"divdis", "dbat"}) {
    const auto refused = expect_error(train("x.safetensors", {"--method", method}), 3);
    EXPECT_TRUE(contains(refused, "needs rows without labels; give --unlabeled")) << refused;
    const auto made =
        train("rival.safetensors", {"--method", method, "--unlabeled", "builtin:shortcut-flipped", "--force"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(perpend({"report", path("rival.safetensors"), "-o", path("rival.html"), "--force"}).exit_code, 0);
  }
}

TEST_F(Train, JsonHasTheAgreedKeys) {
  const auto run = train("m.safetensors", {"--json", "--list-rows"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto document = Json::parse(run.out);
  EXPECT_EQ(document.at("status"), "ok");
  EXPECT_EQ(document.at("rows").at("train"), 960);
  EXPECT_EQ(document.at("steps"), 20 * 20);  // batches of a twentieth of the rows
  EXPECT_GT(document.at("seconds"), 0.0);
  EXPECT_EQ(document.at("options").at("members"), 3);
  EXPECT_EQ(document.at("split").at("test").size(), 300U);
  for (const char* part : {"train", "validation", "test"}) {
    const auto& metrics = document.at("metrics").at(part);
    for (const char* key :
         {"auc", "accuracy", "log_loss", "brier", "ece", "rho_av", "q_av", "kappa", "disagreement", "grad_cos2"}) {
      EXPECT_TRUE(metrics.contains(key)) << part << ' ' << key;
    }
    EXPECT_EQ(metrics.at("members").size(), 3U);
  }
  const auto& beside = document.at("baselines");
  for (const char* key : {"auc", "accuracy", "log_loss"}) {
    EXPECT_TRUE(beside.at("logistic").at(key).is_number() && beside.at("majority").at(key).is_number()) << key;
  }
}

TEST_F(Train, LogisticRegressionStandsBesideTheEnsemble) {
  const auto run = train("m.safetensors", {"--learning-rate", "1e-5"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string test = run.out.substr(run.out.find("\ntest "));
  EXPECT_TRUE(contains(test, "\nlogistic regression   1.000 ")) << test;  // column ward tells the class
  EXPECT_TRUE(contains(test, "\nmajority class        0.500 ")) << test;
  EXPECT_TRUE(contains(test, "The ensemble is worse than one logistic regression (log-loss 0.")) << test;
  EXPECT_TRUE(contains(test, "more --epochs may help.")) << test;
  EXPECT_FALSE(contains(test, "independent")) << test;
  const auto inspected = Json::parse(perpend({"inspect", path("m.safetensors"), "--json"}).out);
  EXPECT_GT(inspected.at("summary").at("baselines").at("log_loss_behind_logistic").at("mean"), 0.0);
}

TEST_F(Train, ThePublishedRecipeIsMeasuredAlone) {
  const auto run = train("m.safetensors", {"--preset", "published"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(contains(run.out, "logistic regression")) << run.out;
  EXPECT_FALSE(contains(perpend({"inspect", path("m.safetensors"), "--json"}).out, "baselines"));
}

TEST_F(Train, OptionsThatNothingWouldReadAreRefused) {
  EXPECT_TRUE(contains(expect_error(train("x.safetensors", {"--list-rows"}), 2), "--json"));
  EXPECT_TRUE(contains(expect_error(train("x.safetensors", {"--split-column", "ward"}), 3), "--split by-column"));
  EXPECT_TRUE(contains(expect_error(train("x.safetensors", {"--split-quantile", "0.7"}), 3), "--split by-column"));
}

TEST_F(Train, ThreadsDoNotChangeAByteOfTheModel) {
  ASSERT_EQ(train("one.safetensors", {"--threads", "1"}).exit_code, 0);
  ASSERT_EQ(train("eight.safetensors", {"--threads", "8"}).exit_code, 0);
  const std::string one = file_content(path("one.safetensors"));
  EXPECT_FALSE(one.empty());
  EXPECT_TRUE(one == file_content(path("eight.safetensors")));
}

TEST_F(Train, RefusesToOverwriteAndSaysHow) {
  ASSERT_EQ(train("m.safetensors").exit_code, 0);
  const auto again = train("m.safetensors");
  EXPECT_EQ(again.exit_code, 6);
  EXPECT_EQ(count_lines(again.err), 1U);
  EXPECT_TRUE(contains(again.err, "--force"));
  EXPECT_EQ(train("m.safetensors", {"--force"}).exit_code, 0);
}

TEST_F(Train, MistakesAreOneLineWithTheNearestName) {
  const auto flag = train("m.safetensors", {"--lamda", "1"});
  EXPECT_EQ(flag.exit_code, 2);
  EXPECT_EQ(count_lines(flag.err), 1U);
  EXPECT_TRUE(contains(flag.err, "--lambda"));
  const auto column = perpend({"train", "builtin:shortcut", "--target", "targt", "-o", path("m")});
  EXPECT_EQ(column.exit_code, 4);
  EXPECT_EQ(count_lines(column.err), 1U);
  EXPECT_TRUE(contains(column.err, "'target'"));
  const auto value = train("m.safetensors", {"--dropout", "1.5", "--batch-size", "5000000"});
  EXPECT_EQ(value.exit_code, 3);
  EXPECT_TRUE(contains(value.err, "dropout is 1.5") && contains(value.err, "--batch-size is 5000000")) << value.err;
  const auto diverged = train("m.safetensors", {"--learning-rate", "1e30"});
  EXPECT_EQ(diverged.exit_code, 7);
  EXPECT_TRUE(contains(diverged.err, "--learning-rate"));
  EXPECT_FALSE(std::filesystem::exists(path("m.safetensors")));
}

TEST_F(Train, NearDuplicateColumnsAreNamed) {
  const auto run =
      perpend({"train", "builtin:blocks", "--target", "target", "-o", path("m"), "--members", "2", "--epochs", "1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "near-duplicate columns")) << run.err;
  EXPECT_TRUE(contains(run.err, "'flow_1', 'flow_2', 'flow_3' and 'flow_4'")) << run.err;
  EXPECT_FALSE(contains(train("other").err, "near-duplicate"));
}

// The columns are "a,b", a and b. Dropping the first keeps the others.
TEST_F(Train, AColumnWithACommaInItsNameCanBeNamed) {
  std::ofstream table(path("commas.csv"));
  table << "\"a,b\",a,b,\"say \"\"hi\"\"\",y\n";
  for (int i = 0; i < 60; ++i)
    table << i << ',' << i * 7 % 11 << ',' << i * 5 % 13 << ',' << i * 3 % 7 << ',' << i % 2 << '\n';
  table.close();
  std::ofstream(path("list.toml")) << "drop = [\"a,b\", \"say \\\"hi\\\"\"]\n";
  std::ofstream(path("text.toml")) << "drop = \"\\\"a,b\\\",\\\"say \\\"\\\"hi\\\"\\\"\\\"\"\n";
  const std::vector<std::vector<std::string>> ways = {
      {"--drop", "\"a,b\",\"say \"\"hi\"\"\""}, {"--config", path("list.toml")}, {"--config", path("text.toml")}};
  for (const auto& way : ways) {
    SCOPED_TRACE(way[1]);
    std::vector<std::string> words = {"train",   path("commas.csv"), "--target", "y", "-o",
                                      path("m"), "--force",          "--epochs", "1"};
    words.insert(words.end(), way.begin(), way.end());
    const auto run = perpend(words);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto model = Json::parse(perpend({"inspect", path("m"), "--json"}).out);
    EXPECT_EQ(model.at("options").at("drop"), Json({"a,b", "say \"hi\""}));
    std::vector<std::string> columns;
    for (const auto& column : model.at("schema").at("columns")) columns.push_back(column.at("name"));
    EXPECT_EQ(columns, (std::vector<std::string>{"a", "b"}));
  }
}

TEST_F(Train, ConfigurationFilesNameThePlaceOfAMistake) {
  std::ofstream(path("bad.toml")) << "members = 2\nlamda = 3\n";
  const auto bad = train("m.safetensors", {"--config", path("bad.toml")});
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_TRUE(contains(bad.err, "bad.toml:2:1") && contains(bad.err, "did you mean lambda?")) << bad.err;
  std::ofstream(path("good.toml")) << "lambda = 0.5\nhidden = [16, 8]\nactivation = \"tanh\"\n";
  const auto good = train("m.safetensors", {"--config", path("good.toml"), "--json"});
  ASSERT_EQ(good.exit_code, 0) << good.err;
  const auto options = Json::parse(good.out).at("options");
  EXPECT_EQ(options.at("hidden"), Json({16, 8}));
  EXPECT_EQ(options.at("lambda"), 0.5);
  EXPECT_EQ(options.at("activation"), "tanh");
}

TEST_F(Train, PredictKeepsOrderIdsAndMatchesColumnsByName) {
  ASSERT_EQ(perpend({"data", "make", "shortcut", "--rows", "50", "-o", path("rows.csv")}).exit_code, 0);
  ASSERT_EQ(train("m.safetensors").exit_code, 0);
  // The same rows with an id, and with the columns in the opposite order.
  std::ifstream in(path("rows.csv"));
  std::ofstream turned(path("turned.csv"));
  std::string line;
  for (int row = 0; std::getline(in, line); ++row) {
    std::vector<std::string> cells;
    std::stringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    std::string out = row == 0 ? "patient" : "p" + std::to_string(row);
    for (std::size_t c = cells.size(); c-- > 0;) out += "," + cells[c];
    turned << out << '\n';
  }
  turned.close();
  const auto plain = perpend({"predict", path("m.safetensors"), path("rows.csv"), "--members", "--abstain", "0.1"});
  const auto other = perpend({"predict", path("m.safetensors"), path("turned.csv"), "--members", "--abstain", "0.1",
                              "--id", "patient", "-o", path("out.csv")});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_EQ(plain.out.substr(0, plain.out.find('\n')),
            "probability,prediction,disagreement,abstain,member_1,member_2,member_3");
  EXPECT_EQ(count_lines(plain.out), 51U);
  std::string without_ids;
  std::istringstream rows(file_content(path("out.csv")));
  while (std::getline(rows, line)) without_ids += line.substr(line.find(',') + 1) + "\n";
  EXPECT_EQ(without_ids, plain.out);
  EXPECT_FALSE(has_control_bytes(plain.out));
}

// Returns the rows of a CSV as numbers, without its first line.
std::vector<std::vector<double>> numbers_of(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    rows.emplace_back();
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::atof(cell.c_str()));
  }
  return rows;
}

TEST_F(Train, ABoostedModelDecidesByItsOwnRuleAfterItWasSaved) {
  for (const std::string rule : {"samme-r", "samme"}) {
    const std::string model = path(rule + ".safetensors");
    const auto run = perpend({"train",      "builtin:shortcut",
                              "--target",   "target",
                              "-o",         model,
                              "--members",  "3",
                              "--epochs",   "2",
                              "--method",   "adaboost",
                              "--boosting", rule,
                              "--split",    "none",
                              "--hidden",   "8",
                              "--json",     "--views",
                              "plain",      "--early-stopping",
                              "0",          "--dropout",
                              "0.5",        "--batch-size",
                              "256",        "--learning-rate",
                              "1e-3"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto document = Json::parse(run.out);
    const auto evaluated = Json::parse(perpend({"evaluate", model, "builtin:shortcut", "--json"}).out);
    // Training sums over rows in the order of their content, and evaluate in the order of the file.
    for (const char* metric : {"auc", "accuracy", "log_loss", "brier", "rho_av", "grad_cos2"}) {
      EXPECT_NEAR(evaluated.at("metrics").at(metric).get<double>(),
                  document.at("metrics").at("train").at(metric).get<double>(), 1e-13)
          << metric;
    }
    const auto inspected = Json::parse(perpend({"inspect", model, "--json"}).out);
    EXPECT_EQ(inspected.at("rule"), rule == "samme" ? "samme" : "samme_r");
    EXPECT_TRUE(contains(perpend({"inspect", model}).out, "decision    samme"));
    const auto weights = inspected.at("member_weights").get<std::vector<double>>();
    // SAMME drops the last learner, which is no better than chance.
    ASSERT_EQ(document.at("boosting").size(), 3U);
    ASSERT_EQ(weights.size(), rule == "samme" ? 2U : 3U);
    // The columns are probability, prediction, disagreement, and members.
    for (const auto& row : numbers_of(perpend({"predict", model, "builtin:shortcut", "--members"}).out)) {
      ASSERT_EQ(row.size(), 3 + weights.size());
      double sum = 0;
      for (std::size_t m = 0; m < weights.size(); ++m) {
        const double p = row[3 + m];
        sum += weights[m] * (rule == "samme" ? (p > 0.5 ? 2 : -2) : std::log(p / (1 - p)));
      }
      ASSERT_NEAR(row[0], 1 / (1 + std::exp(-sum)), 1e-4);
    }
  }
}

TEST_F(Train, APerfectLearnerEndsBoostingAndItsDiversityIsADash) {
  const auto run = perpend({"train", "builtin:shortcut", "--target", "target", "-o", path("m.safetensors"), "--members",
                            "3", "--method", "adaboost", "--epochs", "150"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "ended with 1 of 3: learner 1 makes no error on the training rows")) << run.err;
  EXPECT_TRUE(contains(run.out, "gradients' cos² -   error correlation -   disagreement -   kappa -")) << run.out;
}

TEST_F(Train, BaggingTellsItsOutOfBagEstimate) {
  const auto run = train("m.safetensors", {"--method", "bagging", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto estimate = Json::parse(run.out).at("out_of_bag");
  EXPECT_EQ(estimate.at("rows").get<int>() + estimate.at("seen_by_all").get<int>(), 960);
  EXPECT_NEAR(estimate.at("seen_by_all").get<double>() / 960, std::pow(1 - std::exp(-1.0), 3), 0.05);
  for (const char* key : {"auc", "accuracy", "log_loss"}) EXPECT_TRUE(estimate.at(key).is_number()) << key;
  const auto summary = Json::parse(perpend({"inspect", path("m.safetensors"), "--json"}).out).at("summary");
  EXPECT_EQ(summary.at("out_of_bag"), estimate);
  EXPECT_TRUE(contains(train("t.safetensors", {"--method", "bagging"}).out, "out of bag   AUC "));
}

TEST_F(Train, EveryMethodTakesThreeClasses) {
  // Class k has its own column, k.
  std::ofstream rows(path("three.csv"));
  rows << "a,b,c,colour\n";
  for (int i = 0; i < 240; ++i) {
    for (int f = 0; f < 3; ++f) rows << (i * (f + 3) * 37 % 101) / 50.0 + (i % 3 == f ? 2 : 0) << ',';
    rows << (i % 3 == 0 ? "red" : i % 3 == 1 ? "green" : "blue") << '\n';
  }
  rows.close();
  for (const std::string method : {"restarts", "bagging", "adaboost", "ncl", "ace", "lit"}) {
    SCOPED_TRACE(method);
    const std::string model = path(method + ".safetensors");
    const auto run = perpend({"train", path("three.csv"), "--target", "colour", "-o", model, "--members", "2",
                              "--hidden", "32", "--epochs", "60", "--method", method, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_GT(Json::parse(run.out).at("metrics").at("test").at("accuracy"), 0.8);
    const auto seen = perpend({"evaluate", model, path("three.csv"), "--json"});
    ASSERT_EQ(seen.exit_code, 0) << seen.err;
    EXPECT_GT(Json::parse(seen.out).at("metrics").at("auc"), 0.9);
    const auto predicted = perpend({"predict", model, path("three.csv"), "--members"});
    ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
    // Boosting may end with one learner that makes no error.
    EXPECT_TRUE(predicted.out.starts_with(
        "probability,prediction,disagreement,probability=blue,probability=green,probability=red,member_1"));
    EXPECT_EQ(count_lines(predicted.out), 241U);
  }
}

TEST_F(Train, DefaultsFollowTheMethod) {
  const auto options_of = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--json", "--force"});
    const auto run = train("m.safetensors", more);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(run.out).at("options");
  };
  EXPECT_TRUE(options_of({}).at("lambda").is_number()) << "auto has chosen";
  const auto lit = options_of({"--views", "plain"});
  EXPECT_EQ(lit.at("lambda"), 1.0);
  EXPECT_EQ(lit.at("weight_decay"), 1e-4);
  const auto ncl = options_of({"--preset", "published", "--method", "ncl"});
  EXPECT_EQ(ncl.at("lambda"), 0.5);
  EXPECT_EQ(ncl.at("weight_decay"), 0.0);
  const auto given = options_of({"--weight-decay", "0.01", "--method", "ncl", "--lambda", "1"});
  EXPECT_EQ(given.at("lambda"), 1.0);
  EXPECT_EQ(given.at("weight_decay"), 0.01);
  const auto ace = options_of({"--method", "ace"});
  EXPECT_EQ(ace.at("lambda"), 0.1);
  EXPECT_EQ(ace.at("weight_decay"), 1e-4);
}

TEST_F(Train, SaysWhatNclAndAceAreFor) {
  for (const std::string method : {"ncl", "ace"}) {
    const auto run = perpend({"train", "builtin:toy-4", "--target", "target", "-o", path(method), "--members", "3",
                              "--epochs", "20", "--method", method});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "errors")) << run.out;
    EXPECT_TRUE(contains(run.out, "--method lit keeps apart")) << run.out;
  }
}

TEST_F(Train, ADamagedModelIsRefused) {
  ASSERT_EQ(train("m.safetensors").exit_code, 0);
  std::string bytes = file_content(path("m.safetensors"));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(path("flipped.safetensors"), std::ios::binary) << bytes;
  const auto run = perpend({"evaluate", path("flipped.safetensors"), "builtin:shortcut"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(count_lines(run.err), 1U);
  EXPECT_EQ(perpend({"inspect", path("absent.safetensors")}).exit_code, 6);
}

TEST(Docs, OptionsAreThoseOfTheTable) {
  const auto run = perpend({"train", "--print-options"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, file_content(PERPEND_SOURCE_DIR "/docs/options.md"))
      << "make docs/options.md anew with: perpend train --print-options > docs/options.md";
}

TEST(Data, ListsMakesAndFetches) {
  const TemporaryFolder folder;
  const auto list = Json::parse(perpend({"data", "list", "--json", "--data-dir", folder.path().string()}).out);
  EXPECT_EQ(list.at("generated").size(), 15U);
  EXPECT_EQ(list.at("public").size(), 5U);
  EXPECT_EQ(perpend({"data", "make", "shortcut", "--seed", "3"}).out,
            perpend({"data", "make", "shortcut", "--seed", "3"}).out);
  const auto unknown = perpend({"data", "fetch", "ionospere"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.err, "ionosphere"));
}

TEST(Data, FetchTakesAPublicSetFromAMirrorAndChecksItsSum) {
  const char* named = std::getenv("PERPEND_DATA");
  const std::filesystem::path mirror = named != nullptr ? named : PERPEND_SOURCE_DIR "/../shared/data";
  if (!std::filesystem::exists(mirror / "sonar.csv")) {
    GTEST_SKIP() << "sonar.csv is not in " << mirror << "; set PERPEND_DATA to a folder that has it";
  }
  const TemporaryFolder folder;
  const auto good =
      perpend({"data", "fetch", "sonar", "--mirror", mirror.string(), "--data-dir", folder.path().string()});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_EQ(file_content(folder.path() / "sonar.csv"), file_content(mirror / "sonar.csv"));
  const TemporaryFolder wrong;
  std::ofstream(wrong.path() / "sonar.csv") << "band01,target\n1,M\n";
  const auto bad =
      perpend({"data", "fetch", "sonar", "--mirror", wrong.path().string(), "--data-dir", folder.path().string()});
  EXPECT_EQ(bad.exit_code, 4);
  EXPECT_TRUE(contains(bad.err, "sha256"));
}

}  // namespace
}  // namespace perpend::test
