// Split domain, from the columns of a table to its parts.
#include <gtest/gtest.h>

#include <set>

#include "perpend/base/error.h"
#include "perpend/data/read_csv.h"
#include "perpend/run/option_table.h"
#include "perpend/run/run.h"

namespace perpend {
namespace {

// 60 rows. The columns are x, site (five sites in turn), year (9, 10, 11), w and y. Line 9 has the site `seventh`.
Table sites(const std::string& seventh = "lund") {
  const char* const names[] = {"oslo", "bergen", "lund", "Turku", "aarhus"};
  std::string text = "x,site,year,w,y\n";
  for (int row = 0; row < 60; ++row) {
    text += std::to_string(row * 7 % 13) + "," + (row == 7 ? seventh : names[row % 5]) + "," +
            std::to_string(9 + row / 20) + ",1," + (row % 4 == 0 ? "yes" : "no") + "\n";
  }
  return read_csv(bytes_in_memory("s.csv", text));
}

RunOptions by_domain(const std::string& column, const std::vector<std::string>& test_domains = {}) {
  RunOptions options;
  options.schema.target = "y";
  options.split.kind = SplitKind::domain;
  options.domain = column;
  options.split.test_domains = test_domains;
  return options;
}

std::set<std::string> values_in(const Table& table, const std::string& column, const std::vector<std::uint32_t>& rows) {
  std::set<std::string> values;
  for (const auto row : rows) values.insert(table.find(column)->text(row));
  return values;
}

using Names = std::vector<std::string>;
using Sites = std::set<std::string>;

TEST(Domain, LeavesTheTestDomainsOutAndIsNoInput) {
  const Table table = sites();
  const Prepared data = prepare(table, by_domain("site", {"oslo", "lund"}));
  EXPECT_EQ(values_in(table, "site", data.split.test), (Sites{"oslo", "lund"}));
  EXPECT_EQ(values_in(table, "site", data.split.train), (Sites{"bergen", "Turku", "aarhus"}));
  EXPECT_EQ(data.split.validation.size(), 8U);  // ceil(36 / 5)
  EXPECT_EQ(data.split.train.size(), 28U);
  EXPECT_EQ(data.train.features, (Names{"x", "year"}));
  EXPECT_EQ(data.left_out, (LeftOut{{"lund", "oslo"}, 5}));
  EXPECT_EQ(left_out_line(data.left_out),
            "domains 'lund' and 'oslo' are left out of training, and their rows are the test rows (2 of 5 domains)");
}

TEST(Domain, SeedsCountThroughSortedWords) {
  const Table table = sites();
  const Names sorted = {"Turku", "aarhus", "bergen", "lund", "oslo", "Turku"};
  RunOptions options = by_domain("site");
  for (std::size_t seed = 0; seed < sorted.size(); ++seed) {
    options.train.seed = seed;
    const Prepared data = prepare(table, options);
    EXPECT_EQ(values_in(table, "site", data.split.test), Sites{sorted[seed]});
    EXPECT_EQ(left_out_line(data.left_out),
              "domain '" + sorted[seed] + "' is left out of training, and its rows are the test rows (1 of 5 domains)");
  }
}

TEST(Domain, SeedsCountThroughNumbersByValue) {
  const Table table = sites();
  RunOptions options = by_domain("year");
  for (const auto* year : {"9", "10", "11"}) {  // bytewise, 9 would be the last
    EXPECT_EQ(prepare(table, options).left_out, (LeftOut{{year}, 3}));
    ++options.train.seed;
  }
}

TEST(Domain, OtherSplitsOfAComparisonDoNotSeeItEither) {
  RunOptions options = by_domain("site");
  options.split.kind = SplitKind::random;
  const Prepared data = prepare(sites(), options);
  EXPECT_EQ(data.train.features, (Names{"x", "year"}));
  EXPECT_EQ(left_out_line(data.left_out), "");
}

TEST(Domain, RefusesAGroupInsideAndOutsideTheTestDomains) {
  const Table table = sites();
  RunOptions options = by_domain("year", {"11"});
  options.group = "site";
  try {
    prepare(table, options);
    FAIL() << "every site has rows of every year";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(),
                 "group 'oslo' has rows outside the test domains and rows inside the test domains; a group belongs to "
                 "one part");
  }
}

std::string refusal_of(const Table& table, const RunOptions& options, const Schema* encoding = nullptr) {
  try {
    refuse_problems(options);
    prepare(table, options, {.encoding = encoding});
  } catch (const Error& error) {
    return std::to_string(error.exit_code()) + ": " + error.what();
  }
  return "no error";
}

TEST(Domain, RefusesWhatIsNoDomain) {
  EXPECT_EQ(refusal_of(sites(), by_domain("")),
            "3: this split needs domain, the column that says which domain a row comes from");
  EXPECT_EQ(refusal_of(sites(), by_domain("sit")), "4: s.csv has no column 'sit'; did you mean 'site'?");
  EXPECT_EQ(refusal_of(sites(""), by_domain("site")), "4: s.csv:9: column 'site' is empty; every row needs a domain");
  EXPECT_EQ(refusal_of(sites(), by_domain("y")), "3: column 'y' cannot be both domain and target");
  EXPECT_EQ(refusal_of(sites(), by_domain("w")),
            "4: all rows are of one domain, '1'; the split needs two or more domains");
  RunOptions options = by_domain("w");
  options.schema.sample_weight = "w";
  EXPECT_EQ(refusal_of(sites(), options), "3: column 'w' cannot be both domain and sample weight");
  options = by_domain("site");
  options.group = "site";
  EXPECT_EQ(refusal_of(sites(), options), "3: column 'site' cannot be both domain and group");
}

TEST(Domain, IsNoInputOfAFixedEncoding) {
  RunOptions options = by_domain("site");
  const Schema schema = prepare(sites(), options).schema;
  options.domain = "x";
  EXPECT_EQ(refusal_of(sites(), options, &schema),
            "3: the preset's encoding has 'x' as an input, so it cannot be the domain");
}

TEST(Domain, OptionsGoIntoJsonAndBack) {
  const RunOptions options = by_domain("site", {"a,b", "c"});
  const std::string json = options_to_json(options);
  EXPECT_NE(json.find(R"("split":"domain")"), std::string::npos);
  EXPECT_NE(json.find(R"("domain":"site","test_domains":["a,b","c"])"), std::string::npos) << json;
  RunOptions back;
  options_from_json(json, back);
  EXPECT_EQ(options_to_json(back), json);
}

}  // namespace
}  // namespace perpend
