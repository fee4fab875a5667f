#include <gtest/gtest.h>

#include <set>

#include "perpend/base/error.h"
#include "perpend/data/read_csv.h"
#include "perpend/run/option_table.h"
#include "perpend/run/run.h"

namespace perpend {
namespace {

// 40 patients of five rows each; x tells the class.
Table patients(const std::string& name = "patient", const std::string& missing_in_row_7 = "p1") {
  std::string text = "x," + name + ",y\n";
  for (int p = 0; p < 40; ++p) {
    for (int i = 0; i < 5; ++i) {
      const int row = 5 * p + i;
      const std::string who = row == 7 ? missing_in_row_7 : "p" + std::to_string(p);
      text += std::to_string(row % 13 + (p % 2) * 20) + "," + who + "," + (p % 2 == 0 ? "no" : "yes") + "\n";
    }
  }
  return read_csv(bytes_in_memory("p.csv", text));
}

RunOptions grouped(const std::string& group) {
  RunOptions options;
  options.schema.target = "y";
  options.group = group;
  return options;
}

std::string error_of(const Table& table, const RunOptions& options, const Schema* fixed = nullptr) {
  try {
    prepare(table, options, {.encoding = fixed});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::set<std::string> groups_of(const Table& table, const std::vector<std::uint32_t>& rows) {
  std::set<std::string> groups;
  for (const auto row : rows) groups.insert(table.find("patient")->text(row));
  return groups;
}

TEST(Group, KeepsPatientsWholeAndIsNoInput) {
  const Table table = patients();
  for (const char* kind : {"random", "extrapolation", "limited", "none"}) {
    RunOptions options = grouped("patient");
    find_option("split").set(options, kind);
    const Prepared data = prepare(table, options);
    auto all = groups_of(table, data.split.train);
    std::size_t parts = all.size();
    for (const auto* rows : {&data.split.validation, &data.split.test}) {
      const auto more = groups_of(table, *rows);
      parts += more.size();
      all.insert(more.begin(), more.end());
    }
    EXPECT_EQ(parts, all.size()) << kind;
    EXPECT_EQ(data.train.features, std::vector<std::string>{"x"}) << kind;
    EXPECT_EQ(data.schema.ignored, std::vector<std::string>{"patient"}) << kind;
  }
}

TEST(Group, IsAnOptionOfTheTable) {
  RunOptions options;
  find_option("group").set(options, "patient");
  EXPECT_EQ(options.group, "patient");
  EXPECT_EQ(find_option("group").json(options), "\"patient\"");
}

TEST(Group, RefusesWhatIsNoGroup) {
  EXPECT_EQ(error_of(patients(), grouped("patent")), "p.csv has no column 'patent'; did you mean 'patient'?");
  EXPECT_EQ(error_of(patients(), grouped("y")), "column 'y' cannot be both group and target");
  EXPECT_EQ(error_of(patients("patient", ""), grouped("patient")),
            "p.csv:9: column 'patient' is empty; every row needs a group");
}

TEST(Group, IsNoInputOfAFixedEncoding) {
  const Table table = patients();
  RunOptions options = grouped("");
  const Schema schema = prepare(table, options).schema;
  options.group = "x";
  EXPECT_EQ(error_of(table, options, &schema), "the preset's encoding has 'x' as an input, so it cannot be the group");
}

}  // namespace
}  // namespace perpend
