// Parquet, Arrow and Feather files have the same table as the CSV file beside them (tests/golden/make_tables.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "perpend/data/codecs.h"
#include "perpend/data/encode.h"
#include "perpend/data/read_arrow.h"
#include "perpend/data/read_parquet.h"
#include "perpend/data/read_table.h"
#include "tests/data/tables.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

std::string golden_table(const std::string& name) { return PERPEND_SOURCE_DIR "/tests/golden/tables/" + name; }

std::string bytes_of(const std::string& name) {
  std::ifstream in(golden_table(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_same_cells(const Table& table, const Table& wanted) {
  ASSERT_EQ(table.names(), wanted.names());
  ASSERT_EQ(table.rows, wanted.rows);
  for (std::size_t c = 0; c < wanted.columns.size(); ++c) {
    const Column& column = table.columns[c];
    const Column& want = wanted.columns[c];
    EXPECT_EQ(column.words, want.words) << column.name;
    for (std::size_t row = 0; row < wanted.rows; ++row) {
      ASSERT_EQ(column.mark(row), want.mark(row)) << column.name << " " << row;
      ASSERT_EQ(column.number(row), want.number(row)) << column.name << " " << row;
    }
  }
}

bool is_built_in(const std::string& name) {
  if (name.starts_with("snappy") || name.starts_with("int")) return has_codec(Codec::snappy);
  if (name.starts_with("zstd")) return has_codec(Codec::zstd);
  if (name.starts_with("lz4")) return has_codec(Codec::lz4_raw);
  return true;
}

class Columnar : public testing::TestWithParam<const char*> {};

TEST_P(Columnar, HoldsTheTableOfTheCsv) {
  if (!is_built_in(GetParam())) GTEST_SKIP() << "the codec is not built in";
  const Table wanted = read_csv(golden_table("types.csv"));
  expect_same_cells(read_table(golden_table(GetParam())), wanted);
}

TEST_P(Columnar, IsEncodedAsTheCsvIs) {
  if (!is_built_in(GetParam())) GTEST_SKIP() << "the codec is not built in";
  const SchemaOptions options{.target = "flag", .missing = Missing::indicator};
  const auto schema_text = [&](const Table& table) {
    return schema_to_json(fit_schema(table, all_rows(table), options));
  };
  EXPECT_EQ(schema_text(read_table(golden_table(GetParam()))), schema_text(read_csv(golden_table("types.csv"))));
}

// A file that is cut off anywhere must give an error of one line.
TEST_P(Columnar, IsRefusedWhereItIsCutOff) {
  const std::string bytes = bytes_of(GetParam());
  const bool parquet = std::string_view(GetParam()).ends_with(".parquet");
  for (std::size_t size = 0; size < bytes.size(); size += size < 64 || bytes.size() - size < 64 ? 1 : 61) {
    const RandomBytes cut = random_bytes_in_memory("cut", std::string_view(bytes).substr(0, size));
    const std::string message =
        data_error([&] { parquet ? read_parquet(cut, Threads(1)) : read_arrow(cut, Threads(1)); });
    EXPECT_TRUE(message.starts_with("cut")) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Columnar,
                         testing::Values("snappy.parquet", "none.parquet", "gzip.parquet", "zstd.parquet",
                                         "lz4.parquet", "plain.parquet", "encoded.parquet", "encoded_2.parquet",
                                         "groups.parquet", "int96.parquet", "integer_decimals.parquet", "plain.feather",
                                         "lz4.feather", "zstd.feather"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST(Parquet, TableDoesNotDependOnThreads) {
  const Table one = read_parquet(golden_table("groups.parquet"), Threads(1));
  expect_same_cells(read_parquet(golden_table("groups.parquet"), Threads(3)), one);
}

TEST(Parquet, DamagedPageIsFoundByItsChecksum) {
  std::string bytes = bytes_of("groups.parquet");
  const std::size_t at = bytes.find("word number 3");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'W';
  const RandomBytes file = random_bytes_in_memory("t.parquet", bytes);
  EXPECT_EQ(data_error([&] { read_parquet(file, Threads(1)); }),
            "t.parquet: column 'only': a page is damaged (its checksum is another)");
}

TEST(Parquet, WhatIsNotReadIsNamed) {
  const auto message = [](const std::string& name) { return data_error([&] { read_table(golden_table(name)); }); };
  EXPECT_EQ(message("bad_nested.parquet"), golden_table("bad_nested.parquet") +
                                               ": columns 'items' and 'pair' are nested (a list, map or struct); leave "
                                               "them out, or make plain columns of them");
  EXPECT_EQ(message("bad_codec.parquet"),
            golden_table("bad_codec.parquet") +
                ": column 'double' is packed by codec brotli, which is not read; write it "
                "with snappy, gzip or zstd");
}

TEST(Parquet, OtherFilesAreRefused) {
  const auto message = [](std::string_view bytes) {
    return data_error([&] { read_parquet(random_bytes_in_memory("t.parquet", bytes), Threads(1)); });
  };
  EXPECT_EQ(message(""), "t.parquet is empty");
  EXPECT_EQ(message("x,y\n1,2\n"), "t.parquet: not a Parquet file (too short)");
  EXPECT_EQ(message("x,y\n1,2\n3,4\n5,6\n"), "t.parquet: not a Parquet file (wrong last bytes)");
  std::string bytes = bytes_of("none.parquet");
  EXPECT_EQ(message(bytes.substr(0, 2000)), "t.parquet: the Parquet file is cut off or damaged (wrong last bytes)");
  EXPECT_EQ(message(bytes.substr(0, bytes.size() - 1) + "E"),
            "t.parquet is an encrypted Parquet file; write it without encryption");
  bytes[bytes.size() - 5] = 1;  // the size of the footer grows by 16 MiB
  EXPECT_TRUE(message(bytes).starts_with("t.parquet: the footer claims 16,")) << message(bytes);
}

TEST(Arrow, ColumnsWithDictionariesAreCategories) {
  const Table table = read_table(golden_table("levels.feather"));
  const Table wanted = read_csv(golden_table("types.csv"));
  const Column* level = table.find("level");
  const Column* word = wanted.find("word");
  ASSERT_NE(level, nullptr);
  EXPECT_TRUE(level->nominal);
  EXPECT_FALSE(table.find("x")->nominal);
  for (std::size_t row = 0; row < table.rows; ++row) EXPECT_EQ(level->text(row), word->text(row)) << row;
}

TEST(Arrow, OtherFilesAreRefused) {
  const auto message = [](std::string_view bytes) {
    return data_error([&] { read_arrow(random_bytes_in_memory("t.arrow", bytes), Threads(1)); });
  };
  EXPECT_EQ(message(""), "t.arrow is empty");
  EXPECT_EQ(message("x,y\n1,2\n3,4\n5,6\n7,8\n"), "t.arrow: not an Arrow file (wrong first bytes)");
  EXPECT_EQ(message(std::string("FEA1") + std::string(30, '\0')),
            "t.arrow: not an Arrow file (wrong first bytes); it is a Feather file of version 1");
  EXPECT_EQ(message(bytes_of("plain.feather").substr(0, 900)),
            "t.arrow: the Arrow file is cut off or damaged (wrong last bytes)");
}

}  // namespace
}  // namespace perpend
