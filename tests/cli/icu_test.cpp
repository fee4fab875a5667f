// perpend data make icu and --group, as typed.
#include <nlohmann/json.hpp>

#include "tests/cli/small_model.h"
#include "tests/icu/mimic_folder.h"

namespace perpend::test {
namespace {

class IcuCommand : public SmallModel {
 protected:
  IcuCommand() : mimic(folder.write()) {}
  MimicFolder folder;
  std::string mimic;
};

TEST_F(IcuCommand, WritesTheTableAndReportsTheCohort) {
  const auto run = perpend({"data", "make", "icu", "--from", "mimic", mimic, "-o", path("icu.csv")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "first stay of each patient")) << run.out;
  EXPECT_TRUE(contains(run.out, "50 rows (hours begun) of 2 patients")) << run.out;
  EXPECT_TRUE(contains(run.err, "--group subject_id")) << run.err;
  EXPECT_EQ(file_content(path("icu.csv")).rfind("subject_id,hour,age,", 0), 0U);
}

TEST_F(IcuCommand, TableToStdoutIsAlone) {
  const auto run = perpend({"data", "make", "icu", "--from", "mimic", mimic});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 51);
  EXPECT_TRUE(contains(run.err, "first stay of each patient"));
}

TEST_F(IcuCommand, CountsAreAlsoJson) {
  const auto run = perpend({"data", "make", "icu", "--from", "mimic", mimic, "-o", path("icu.csv"), "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["rows"], 50);
  EXPECT_EQ(json["cohort"].back()["stays"], 2);
  EXPECT_EQ(json["events"][0]["read"], 13);
}

TEST_F(IcuCommand, MistakesAreOneLine) {
  const auto line = [&](const std::vector<std::string>& more, int code) {
    std::vector<std::string> words = {"data", "make", "icu"};
    words.insert(words.end(), more.begin(), more.end());
    return expect_error(perpend(words), code);
  };
  EXPECT_TRUE(contains(line({}, 2), "--from mimic FOLDER"));
  EXPECT_TRUE(contains(line({"--from", "eicu", "x"}, 2), "no source 'eicu'"));
  EXPECT_TRUE(contains(line({"--from", "mimic", path("absent")}, 6), "is not a folder"));
  EXPECT_TRUE(contains(line({"--from", "mimic", mimic, "--rows", "5"}, 2), "--rows"));
  EXPECT_TRUE(contains(line({"--from", "mimic", mimic, "--json"}, 2), "-o"));
  EXPECT_TRUE(contains(line({"--from", "physionet2012", write("x.csv", "a,b\n1,2\n")}, 4), "In-hospital_death"));
  EXPECT_TRUE(contains(line({"--from", "mimic", mimic, "-o", write("there.csv", "old")}, 6), "--force"));
  EXPECT_EQ(file_content(path("there.csv")), "old");
  EXPECT_TRUE(
      contains(expect_error(perpend({"data", "make", "blocks", "--from", "mimic", mimic}), 2), "data make icu"));
}

TEST_F(IcuCommand, GroupIsAFlagOfTrain) {
  std::string table = "id,x,y\n";
  for (int p = 0; p < 30; ++p) {
    for (int i = 0; i < 4; ++i) {
      table += "p" + std::to_string(p) + "," + std::to_string(p * 7 % 11 + i) + (p % 2 == 0 ? ",yes\n" : ",no\n");
    }
  }
  const std::string data = write("people.csv", table);
  const auto run = train(data, {"--group", "id", "--json", "--epochs", "1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["rows"]["test"], 24);  // six of thirty groups
  EXPECT_EQ(json["options"]["group"], "id");
  const std::string line = expect_error(train(data, {"--group", "di", "--force"}), 4);
  EXPECT_TRUE(contains(line, "did you mean 'id'?")) << line;
}

TEST_F(IcuCommand, Table2WantsAnIcuTable) {
  const std::string other = write("other.csv", "a,b\n1,2\n");
  const std::string line =
      expect_error(perpend({"reproduce", "table2", "--data", other, "-o", path("runs"), "--quick"}), 4);
  EXPECT_TRUE(contains(line, "perpend data make icu")) << line;
  EXPECT_FALSE(std::filesystem::exists(path("runs")));
}

}  // namespace
}  // namespace perpend::test
