#include "perpend/data/read_csv.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>

#include "perpend/data/read_table.h"
#include "tests/data/tables.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

std::vector<std::string> texts(const Column& column, std::size_t rows) {
  std::vector<std::string> out;
  for (std::size_t row = 0; row < rows; ++row) out.push_back(column.text(row));
  return out;
}

using Texts = std::vector<std::string>;

TEST(ReadCsv, NumbersAreTheNearestDoubles) {
  const Table table = csv(
      "a\n0.1\n-0.1\n123456789.123456789\n1e-5\n3.4e38\n9007199254740993\n0.30000000000000004\n-0\n5.\n.5\n+7\n00.5\n"
      "12345678901234567890\n1.7976931348623157e-308\n");
  const std::vector<double> expected = {0.1,
                                        -0.1,
                                        123456789.123456789,
                                        1e-5,
                                        3.4e38,
                                        9007199254740993.0,
                                        0.30000000000000004,
                                        -0.0,
                                        5,
                                        0.5,
                                        7,
                                        0.5,
                                        12345678901234567890.0,
                                        1.7976931348623157e-308};
  EXPECT_TRUE(table.columns[0].marks.empty());
  EXPECT_EQ(table.columns[0].numbers, expected);
  EXPECT_TRUE(std::signbit(table.columns[0].numbers[7]));
}

TEST(ReadCsv, ManyDigitsAreRoundedOnce) {
  const Table table = csv("a\n586455046669598392.9\n92471.31068846352887\n1604.052746295347599\n");
  EXPECT_EQ(table.columns[0].numbers,
            (std::vector<double>{586455046669598392.9, 92471.31068846352887, 1604.052746295347599}));
}

TEST(ReadCsv, CellsThatLookLikeNumbersButAreNotStayWords) {
  const Table table = csv("a\n007\n-01\n1e\n1 2\n0x10\n1_000\n--1\n+-1\n-\n.\n1e39\n1e999\nnan\nNA\n?\n1.2.3\n");
  for (std::size_t row = 0; row < table.rows; ++row)
    EXPECT_GE(table.columns[0].mark(row), 0) << table.columns[0].text(row);
}

TEST(ReadCsv, InfinityIsANumberAndEmptyIsMissing) {
  const Table table = csv("a,b\ninf,\n-Infinity,\"\"\n");
  EXPECT_EQ(table.columns[0].numbers[0], HUGE_VAL);
  EXPECT_EQ(table.columns[0].numbers[1], -HUGE_VAL);
  EXPECT_TRUE(table.columns[1].is_missing(0));
  EXPECT_TRUE(table.columns[1].is_missing(1));
}

TEST(ReadCsv, QuotesFollowTheStandard) {
  const Table table =
      csv("\"first, name\",b\r\n\"say \"\"hi\"\"\",1\r\n\"two\nlines\",\"2.5\"\r\n  x y  , \" z \" \r\n");
  EXPECT_EQ(table.names(), (Texts{"first, name", "b"}));
  EXPECT_EQ(texts(table.columns[0], 3), (Texts{"say \"hi\"", "two\nlines", "x y"}));
  EXPECT_EQ(texts(table.columns[1], 3), (Texts{"1", "2.5", " z "}));
}

TEST(ReadCsv, RowsKnowTheirLines) {
  const Table table = csv("a,b\n1,\"x\ny\nz\"\n2,w\n3,v\n");
  EXPECT_EQ(table.place(0), "t.csv:2");
  EXPECT_EQ(table.place(1), "t.csv:5");
  EXPECT_EQ(table.place(2), "t.csv:6");
}

TEST(ReadCsv, LastNewlineAndEmptyLinesAtTheEndDoNotMatter) {
  for (const char* text : {"a,b\n1,2\n3,4", "a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n\r\n\r\n",
                           "\xEF\xBB\xBF"
                           "a,b\n1,2\n3,4\n\n"}) {
    const Table table = csv(text);
    EXPECT_EQ(table.rows, 2U);
    EXPECT_EQ(table.names(), (Texts{"a", "b"}));
    EXPECT_EQ(table.columns[1].numbers, (std::vector<double>{2, 4}));
  }
}

TEST(ReadCsv, AnEmptyLineIsAMissingCellInATableOfOneColumn) {
  const Table table = csv("a\n1\n\n3\n");
  ASSERT_EQ(table.rows, 3U);
  EXPECT_TRUE(table.columns[0].is_missing(1));
}

TEST(ReadCsv, Utf8IsCheckedToTheEdgesOfItsRanges) {
  for (const char* good : {"\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(csv("a\n" + std::string(good) + "\n").columns[0].text(0), good);
  }
  for (const char* bad :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xE1\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    data_error([&] { csv("a\n" + std::string(bad) + "\n"); });
  }
}

TEST(Separator, IsFoundInTheHeaderAndTheFirstRows) {
  for (const char separator : {',', ';', '\t', '|'}) {
    std::string text = "a-b-c\n1.5-x-\n-3- two words \n";
    std::ranges::replace(text, '-', separator);
    CsvReader reader(bytes_in_memory("t.csv", text));
    EXPECT_EQ(reader.separator(), separator);
    const Table table = csv(text);
    EXPECT_EQ(table.names(), (Texts{"a", "b", "c"}));
    EXPECT_EQ(texts(table.columns[0], 2), (Texts{"1.5", ""}));
    EXPECT_EQ(texts(table.columns[2], 2), (Texts{"", "two words"}));
  }
}

TEST(Separator, IsTheCommaWhereverAllRowsHaveAsManyCellsByIt) {
  EXPECT_EQ(csv("a,b;c\n1,2;3\n").names(), (Texts{"a", "b;c"}));
  EXPECT_EQ(csv("a,b\nx;y,1\nx|y\tz,2\n").names(), (Texts{"a", "b"}));
}

TEST(Separator, IsNotTheCommaOfDecimalsOrOfQuotedNames) {
  const Table table = csv("\"net, EUR\";weight\n1,5;\"2;5\"\n10;3,25\n");
  EXPECT_EQ(table.names(), (Texts{"net, EUR", "weight"}));
  EXPECT_EQ(texts(table.columns[0], 2), (Texts{"1,5", "10"}));
  EXPECT_EQ(texts(table.columns[1], 2), (Texts{"2;5", "3,25"}));
  EXPECT_EQ(csv("price, net;weight\n1,5;2\n3;4\n").names(), (Texts{"price, net", "weight"}));
}

TEST(Separator, OfOneColumnIsTheComma) { EXPECT_EQ(csv("note\na;b\nc|d\n").names(), (Texts{"note"})); }

TEST(Separator, DoesNotDependOnHowTheBytesComeIn) {
  // By its first row alone, both the semicolon and the comma could be the separator of the table.
  std::string text = "price, net;weight\n1,5;2\n";
  for (int i = 0; i < 3; ++i) text += "3;4\n";
  std::size_t at = 0;
  const ByteSource drip{.name = "t.csv",
                        .read =
                            [&](char* to, std::size_t) {
                              if (at == text.size()) return std::size_t{0};
                              *to = text[at++];
                              return std::size_t{1};
                            },
                        .size = {}};
  EXPECT_EQ(read_csv(drip).names(), csv(text).names());
  EXPECT_EQ(csv(text).names(), (Texts{"price, net", "weight"}));
}

TEST(Separator, OfAHeaderBeyondTheOpeningIsCountedInWhatIsSeen) {
  std::string header = "a0";
  std::string row = "0";
  for (int i = 1; i < 30000; ++i) {
    header += ";a" + std::to_string(i);
    row += ";0";
  }
  EXPECT_EQ(csv(header + "\n" + row + "\n").columns.size(), 30000U);
}

TEST(ForeignFile, IsNoTableWhoseFirstColumnIsCalledLikeAMagicNumber) {
  EXPECT_EQ(csv("PAR1,b\n1,2\n").names(), (Texts{"PAR1", "b"}));
  EXPECT_EQ(csv("ARROW1,b\n1,2\n").names(), (Texts{"ARROW1", "b"}));
}

std::string long_csv(std::size_t rows) {
  std::string text = "id,value,word\n";
  for (std::size_t i = 0; i < rows; ++i) {
    text += std::to_string(i) + "," + std::to_string(0.25 * static_cast<double>(i)) +
            (i % 3 == 0 ? ",\"n\xC3\xB6\n\"\n" : ",w\n");
  }
  return text;
}

TEST(ReadCsv, BlocksAreTheWholeTableInPieces) {
  const std::string text = long_csv(50000);
  const Table whole = csv(text);
  ASSERT_EQ(whole.rows, 50000U);
  CsvReader reader(bytes_in_memory("t.csv", text));
  std::size_t row = 0;
  for (Table block; reader.next(block, 777);) {
    EXPECT_EQ(block.first_row, row);
    EXPECT_LE(block.rows, 777U);
    for (std::size_t i = 0; i < block.rows; ++i, ++row) {
      ASSERT_EQ(block.columns[1].numbers[i], whole.columns[1].numbers[row]);
      ASSERT_EQ(block.columns[2].text(i), whole.columns[2].text(row));
      ASSERT_EQ(block.place(i), whole.place(row));
    }
  }
  EXPECT_EQ(row, whole.rows);
  EXPECT_EQ(whole.columns[0].numbers[49999], 49999);
}

TEST(ReadCsv, ShortReadsGiveTheSameTable) {
  const std::string text = long_csv(500);
  const Table whole = csv(text);
  std::size_t at = 0;
  const ByteSource drip{.name = "t.csv",
                        .read =
                            [&](char* to, std::size_t) {
                              if (at == text.size()) return std::size_t{0};
                              *to = text[at++];
                              return std::size_t{1};
                            },
                        .size = {}};
  const Table slow = read_csv(drip);
  ASSERT_EQ(slow.rows, whole.rows);
  for (std::size_t row = 0; row < slow.rows; ++row) EXPECT_EQ(slow.columns[2].text(row), whole.columns[2].text(row));
}

void write_gz(const std::string& path, std::string_view text, const char* mode = "wb") {
  gzFile file = gzopen(path.c_str(), mode);
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

TEST(ReadCsv, GzIsUnpackedWhateverItsName) {
  const TempFolder folder;
  const std::string text = long_csv(20000);
  for (const char* name : {"t.csv.gz", "t.csv"}) {
    write_gz(folder.path(name), text);
    const Table table = read_table(folder.path(name));
    EXPECT_EQ(table.rows, 20000U);
    EXPECT_EQ(table.columns[0].numbers[19999], 19999);
  }
}

TEST(ReadCsv, GzMembersAreReadOneAfterTheOther) {
  const TempFolder folder;
  write_gz(folder.path("t.csv.gz"), "a,b\n1,2\n");
  write_gz(folder.path("t.csv.gz"), "3,4\n", "ab");
  EXPECT_EQ(read_table(folder.path("t.csv.gz")).rows, 2U);
}

TEST(ReadCsv, DashIsStandardInput) {
  const TempFolder folder;
  const std::string path = folder.write("t.csv", "a,b\n1,2\n");
  FILE* file = std::fopen(path.c_str(), "rb");
  const int saved = dup(STDIN_FILENO);
  dup2(fileno(file), STDIN_FILENO);
  const Table table = read_table("-");
  dup2(saved, STDIN_FILENO);
  close(saved);
  std::fclose(file);
  EXPECT_EQ(table.rows, 1U);
  EXPECT_EQ(table.place(0), "stdin:2");
}

// The chosen cells of every row, and their places.
std::vector<Texts> rows_of(std::string_view text, const std::vector<std::size_t>& columns) {
  CsvReader reader(bytes_in_memory("t.csv", text));
  reader.select(columns);
  std::vector<std::string_view> cells(columns.size());
  std::vector<Texts> rows;
  while (reader.next_row(cells)) {
    rows.emplace_back(cells.begin(), cells.end());
    rows.back().push_back(reader.row_place());
  }
  return rows;
}

TEST(CsvRows, AreTheChosenCellsInTheOrderAsked) {
  EXPECT_EQ(rows_of("a,b,c,d\n1,2,3,4\r\n x ,,\"y, z\",\"\"\n\n", {3, 0, 2}),
            (std::vector<Texts>{{"4", "1", "3", "t.csv:2"}, {"", "x", "y, z", "t.csv:3"}}));
}

TEST(CsvRows, KeepCellsWithDoubledQuotesApart) {
  EXPECT_EQ(rows_of("a,b\n\"one \"\"1\"\"\",\"two \"\"2\"\"\"\n\"line\nbreak\",3\n4,5\n", {0, 1}),
            (std::vector<Texts>{
                {"one \"1\"", "two \"2\"", "t.csv:2"}, {"line\nbreak", "3", "t.csv:3"}, {"4", "5", "t.csv:5"}}));
}

TEST(CsvRows, CheckTheCellsTheyPassOver) {
  EXPECT_EQ(data_error([] { rows_of("a,b\n1,2\n1,2,3\n", {0}); }),
            "t.csv:3: the row has 3 cells where the header has 2");
  EXPECT_EQ(data_error([] { rows_of("a,b\n1,2\n1\n", {0}); }), "t.csv:3: the row has 1 cell where the header has 2");
  EXPECT_EQ(data_error([] { rows_of("a,b\n1,x\"y\n", {0}); }).substr(0, 10), "t.csv:2: c");
  EXPECT_EQ(data_error([] { rows_of("a,b\n1,2\n\n3,4\n", {0}); }), "t.csv:3: there is an empty line inside the table");
  EXPECT_EQ(data_error([] { rows_of("a,b\n", {0}); }), "t.csv has a header but no rows");
}

TEST(ReadCsv, ManyColumnsOfFewRowsStaySmall) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += (i == 0 ? "c" : ",c") + std::to_string(i);
  text += "\n";
  for (int i = 0; i < 100000; ++i) text += i == 0 ? "1" : ",1";
  const Table table = csv(text);
  EXPECT_EQ(table.columns.size(), 100000U);
  EXPECT_LE(table.columns[7].numbers.capacity(), 16U);
}

}  // namespace
}  // namespace perpend
