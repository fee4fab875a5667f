// `--split domain` in every verb that splits.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/cli/small_model.h"

namespace perpend::test {
namespace {

using Json = nlohmann::json;

class DomainCommand : public SmallModel {
 protected:
  std::string data() const { return write("small.csv", small_table(90)); }
  Finished train_by_domain(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"--split", "domain", "--hidden", "4", "--force"};
    words.insert(words.end(), more.begin(), more.end());
    return train(data(), words);
  }
};

TEST_F(DomainCommand, TrainLeavesTheNamedDomainsOutAndSaysSo) {
  const auto run = train_by_domain({"--domain", "c", "--test-domains", "red,blue", "--json", "--list-rows"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err,
                       "\n                 domains 'blue' and 'red' are left out of training, and their rows "
                       "are the test rows (2 of 3 domains)\n"))
      << run.err;
  const auto document = Json::parse(run.out);
  EXPECT_EQ(document.at("options").at("split"), "domain");
  EXPECT_EQ(document.at("options").at("domain"), "c");
  EXPECT_EQ(document.at("options").at("test_domains"), Json({"red", "blue"}));
  EXPECT_EQ(document.at("left_out"), Json({"blue", "red"}));
  ASSERT_EQ(document.at("split").at("test").size(), 60U);
  for (const auto& row : document.at("split").at("test")) EXPECT_NE(row.get<int>() % 3, 1) << "green";
  const auto inspected = Json::parse(perpend({"inspect", path("model"), "--json"}).out);
  for (const auto& column : inspected.at("schema").at("columns")) EXPECT_NE(column.at("name"), "c");
}

TEST_F(DomainCommand, TrainTakesTheDomainOfTheSeed) {
  for (const auto& [seed, name] : {std::pair("0", "blue"), {"1", "green"}, {"5", "red"}}) {
    const auto run = train_by_domain({"--domain", "c", "--seed", seed, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(Json::parse(run.out).at("left_out"), Json({name})) << seed;
  }
}

TEST_F(DomainCommand, MistakesAreOneLineWithTheRightExitCode) {
  const auto error = [&](const std::vector<std::string>& words, int code) {
    return expect_error(train_by_domain(words), code);
  };
  EXPECT_TRUE(contains(error({}, 3), "this split needs --domain"));
  EXPECT_TRUE(contains(error({"--domain", "d"}, 4), "no column 'd'"));
  EXPECT_TRUE(contains(error({"--domain", "y"}, 3), "both domain and target"));
  EXPECT_TRUE(contains(error({"--domain", "c", "--group", "c"}, 3), "both domain and group"));
  EXPECT_TRUE(contains(error({"--domain", "c", "--test-domains", "rot"}, 4), "'blue', 'green' and 'red'"));
  EXPECT_TRUE(contains(error({"--domain", "c", "--test-domains", "red,blue,green"}, 4), "all 3 domains"));
  const std::string unused = expect_error(train(data(), {"--domain", "c", "--test-domains", "red"}), 3);
  EXPECT_TRUE(contains(unused, "--domain is \"c\"") && contains(unused, "--split domain")) << unused;
}

TEST_F(DomainCommand, CompareGoesThroughTheDomains) {
  const auto run = perpend({"compare", data(), "--target", "y", "--split", "domain", "--domain", "c", "--restarts", "3",
                            "--epochs", "1", "--hidden", "4", "--lambdas", "1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "domain 'blue' is left out of training")) << run.err;
  EXPECT_TRUE(contains(run.out, "out of training and tests on it: 'blue', 'green' and 'red'\n")) << run.out;
  EXPECT_TRUE(
      contains(expect_error(perpend({"compare", data(), "--target", "y", "--domain", "c"}), 3), "--split domain"));
}

TEST_F(DomainCommand, SweepTakesDomainsFromItsOptions) {
  const auto swept = [&](const std::string& folder, const std::string& more) {
    const std::string study = write(folder + ".toml", "datasets = [{source = \"" + data() +
                                                          "\", target = \"y\"}]\nsplits = [\"domain\"]\nmethods = "
                                                          "[\"restarts\"]\nmembers = 2\nrestarts = 2\nrow_visits = "
                                                          "100\n[options]\nhidden = [4]\ndomain = \"c\"\n" +
                                                          more);
    return perpend({"sweep", study, "-o", path(folder)});
  };
  const auto in_turn = swept("in_turn", "");
  ASSERT_EQ(in_turn.exit_code, 0) << in_turn.err;
  EXPECT_TRUE(contains(in_turn.err,
                       "small.csv: each restart leaves one of 3 domains out of training and tests on it: "
                       "'blue' and 'green'\n"))
      << in_turn.err;
  const auto table = perpend({"table", path("in_turn")});
  EXPECT_TRUE(contains(table.out, "domain split")) << table.out;
  const auto named = swept("named", "test_domains = [\"red\"]\n");
  ASSERT_EQ(named.exit_code, 0) << named.err;
  EXPECT_TRUE(contains(named.err, "small.csv: domain 'red' is left out of training")) << named.err;
  EXPECT_TRUE(contains(expect_error(swept("wrong", "test_domains = [\"rot\"]\n"), 4), "no domain 'rot'"));
  EXPECT_FALSE(std::filesystem::exists(path("wrong")));
}

// Eleven public tables whose rows come from several places or times. The test uses those that are present.
TEST_F(DomainCommand, TakesTheTablesWithANaturalShift) {
  const char* named = std::getenv("PERPEND_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(named != nullptr ? named : PERPEND_SOURCE_DIR "/../shared/data") / "shift";
  if (!std::filesystem::exists(folder / "test_domains.json")) {
    GTEST_SKIP() << folder << " has no test_domains.json; set PERPEND_DATA to a folder with shift/ in it";
  }
  const auto domains = Json::parse(file_content(folder / "test_domains.json"));
  EXPECT_EQ(domains.size(), 11U);
  for (const auto& [table, left_out] : domains.items()) {
    std::string list;
    for (const auto& name : left_out) list += (list.empty() ? "" : ",") + name.get<std::string>();
    const auto run = perpend({"train",    (folder / (table + ".csv")).string(),
                              "--target", "target",
                              "-o",       path("model"),
                              "--force",  "--split",
                              "domain",   "--domain",
                              "domain",   "--test-domains",
                              list,       "--missing",
                              "mean",     "--epochs",
                              "1",        "--hidden",
                              "4",        "--json"});
    ASSERT_EQ(run.exit_code, 0) << table << ": " << run.err;
    const auto document = Json::parse(run.out);
    EXPECT_EQ(document.at("left_out").size(), left_out.size()) << table;
    EXPECT_TRUE(document.at("metrics").at("test").at("auc").is_number()) << table;
  }
}

}  // namespace
}  // namespace perpend::test
