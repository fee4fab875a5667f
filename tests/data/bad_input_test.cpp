// Every kind of bad table gives one line that names the place and what to do. The cases check the kind of the error,
// its place and its values.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <ostream>

#include "perpend/data/encode.h"
#include "perpend/data/read_npy.h"
#include "perpend/data/read_table.h"
#include "tests/data/npy_bytes.h"
#include "tests/data/tables.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

struct BadTable {
  std::string name;
  std::string bytes;
  std::string message;  // {} stands for the file's path
  std::string file = "t.csv";
  SchemaOptions options = {.target = "y"};
};

std::ostream& operator<<(std::ostream& out, const BadTable& bad) { return out << bad.name; }

std::string with_path(std::string message, const std::string& path) {
  for (std::size_t at = message.find("{}"); at != std::string::npos; at = message.find("{}"))
    message.replace(at, 2, path);
  return message;
}

class BadInput : public testing::TestWithParam<BadTable> {};

TEST_P(BadInput, IsOneLineThatNamesThePlace) {
  const TempFolder folder;
  const std::string path = folder.write(GetParam().file, GetParam().bytes);
  const std::string message = data_error([&] {
    const Table table = read_table(path);
    fit_schema(table, all_rows(table), GetParam().options);
  });
  EXPECT_EQ(message, with_path(GetParam().message, path));
}

std::string rows(const std::string& row, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += row;
  return text;
}

std::string npy(const std::string& dtype, const std::string& shape, const std::string& data) {
  return npy_bytes(npy_header(dtype, shape), data);
}

const std::string kLong = "a value that is longer than forty characters, in truth";

const std::string kLatin1 =
    "text in Latin-1, as Windows programs write it, becomes UTF-8 with: iconv -f WINDOWS-1252 -t UTF-8 OLD.csv > "
    "NEW.csv, "
    "or save it as CSV UTF-8 in Excel";

std::string utf16(const std::string& name) {
  return "save it as CSV UTF-8 in Excel, or convert it: iconv -f " + name + " -t UTF-8 OLD.csv > NEW.csv";
}

// clang-format off
const std::vector<BadTable> kBadTables = {
    // the file
    {"EmptyFile", "", "{} is empty"},
    {"HeaderWithoutRows", "x,y\n", "{} has a header but no rows"},
    {"EmptyLinesOnly", "x,y\n\n\n", "{} has a header but no rows"},
    // rows
    {"RowTooShort", "x,y\n1,0\n2\n", "{}:3: the row has 1 cell where the header has 2"},
    {"RowTooLong", "x,y\n1,0\n2,1,\"a,b\",4\n", "{}:3: the row has 4 cells where the header has 2"},
    {"RowTooShortAfterQuotedLines", "x,y\n\"a\nb\",0\n2\n", "{}:4: the row has 1 cell where the header has 2"},
    {"RowTooShortBetweenSemicolons", "x;y\n1;0\n2\n", "{}:3: the row has 1 cell where the header has 2"},
    {"EmptyLineInside", "x,y\n1,0\n\n2,1\n", "{}:3: there is an empty line inside the table"},
    // the header
    {"DuplicateName", "x,z,x,y\n1,2,3,0\n", "{}:1: columns 1 and 3 are both called 'x'"},
    {"EmptyName", "x,,y\n1,2,0\n", "{}:1: column 2 has no name; the first line must name every column"},
    {"EmptyLastName", "x,y,\n1,0,\n", "{}:1: column 3 has no name; the first line must name every column"},
    {"NoHeader", "1.5,0\n2.5,1\n", "{}:1: the header '1.5' has only numbers; the first line must name the columns"},
    // bytes
    {"NotUtf8", "x,y\n1,0\ncaf\xE9,1\n", "{}:3: byte offset 11 is not UTF-8; " + kLatin1},
    {"OverlongUtf8", "x,y\n\xC0\xAF,1\n", "{}:2: byte offset 4 is not UTF-8; " + kLatin1},
    {"CutUtf8AtTheEnd", "x,y\n1,\xC3", "{}:2: byte offset 6 is not UTF-8; " + kLatin1},
    {"Utf16", std::string("\xFF\xFEx\0,\0y\0\n\0", 10), "{} is text in UTF-16; " + utf16("UTF-16")},
    {"Utf16BigEndian", std::string("\xFE\xFF\0x\0,\0y\0\n", 10), "{} is text in UTF-16; " + utf16("UTF-16")},
    {"Utf16WithoutMark", std::string("x\0,\0y\0\n\0", 8), "{} is text in UTF-16; " + utf16("UTF-16LE")},
    {"Utf16WithoutMarkBigEndian", std::string("\0x\0,\0y\0\n", 8), "{} is text in UTF-16; " + utf16("UTF-16BE")},
    {"Parquet", std::string("PAR1\x15\4\x15\0\xE9", 9), "{} is a Parquet file; give it a name that ends in .parquet"},
    {"Arrow", std::string("ARROW1\0\0\xFF\xFF", 10), "{} is an Arrow file; give it a name that ends in .arrow or .feather"},
    {"Feather", std::string("FEA1\0\0\0\0", 8), "{} is a Feather file; make CSV of it in Python: pandas.read_feather('OLD').to_csv('NEW.csv', index=False)"},
    {"Excel", "PK\3\4[Content_Types].xml xl/workbook.xml", "{} is an Excel workbook; save the sheet in Excel as CSV UTF-8, or in Python: pandas.read_excel('OLD').to_csv('NEW.csv', index=False)"},
    {"OldExcel", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "{} is an old Excel workbook (or another document of Office); save the sheet in Excel as CSV UTF-8"},
    {"OpenDocument", "PK\3\4mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "{} is an OpenDocument spreadsheet; save the sheet as CSV in UTF-8"},
    {"Zip", "PK\3\4table.csv", "{} is a zip archive; unpack it with unzip and give the CSV file in it"},
    {"Xz", std::string("\xFD" "7zXZ\0\0\4", 8), "{} is packed by xz; unpack it with unxz"},
    {"ParquetNamedArff", std::string("PAR1\x15\4\x15\0\xE9", 9), "{} is a Parquet file; give it a name that ends in .parquet", "t.arff"},
    {"NulByte", std::string("x,y\n1,0\n2,\0\n", 12), "{}:3: byte offset 10 is a NUL byte; is this a text file?"},
    // lines and quotes
    {"UnclosedQuote", "x,y\n1,0\n\"two,1\n3,0\n", "{}:3: the quote opened in column 1 is not closed before the end of the file"},
    {"UnclosedQuoteOver16MiB", "x,y\n\"" + std::string((16 << 20) + 10, 'a') + "\n", "{}:2: the quote opened in column 1 is not closed within 16 MiB"},
    {"LineOver16MiB", "x,y\n1,0\n" + std::string(17 << 20, 'a') + ",1\n", "{}:3: the line is longer than 16 MiB"},
    {"StrayQuote", "x,y\n5\" disk,0\n", "{}:2: column 1: stray quote; put the whole cell in quotes and double the quotes in it"},
    {"TextAfterQuote", "x,y\n\"a\"b,0\n", "{}:2: there is text after the closing quote in column 1"},
    {"OldMacLineEnds", "x,y\r1,0\r2,1\r", "{}:1: column 2: carriage return inside a cell; lines must end in LF or CRLF"},
    // cells
    {"TextAmongNumbers", "x,y\n1,0\nabc,1\n3,0\n", "{}:3: column 'x' is 'abc' where 2 other rows are numbers; correct it, or give categorical=x or drop=x"},
    {"LongTextAmongNumbers", "x,y\n1,0\n2,1\n\"" + kLong + "\",0\n",
     "{}:4: column 'x' is 'a value that is longer than forty charac...' where 2 other rows are numbers; correct it, or give categorical=x or drop=x"},
    {"TextWithLineBreakAmongNumbers", "x,y\n1,0\n2,1\n\"a\nb\",0\n", "{}:4: column 'x' is 'a\\nb' where 2 other rows are numbers; correct it, or give categorical=x or drop=x"},
    {"LeadingZeroAmongNumbers", "zip,y\n90210,0\n01234,1\n10001,0\n", "{}:3: column 'zip' is '01234' where 2 other rows are numbers; correct it, or give categorical=zip or drop=zip"},
    {"BeyondFloat", "x,y\n1,0\n-1e39,1\n", "{}:3: column 'x' is '-1e39', a number outside float range (3.4e38); scale the column or give drop=x"},
    {"BeyondDouble", "x,y\n1,0\n1e999,1\n", "{}:3: column 'x' is '1e999', a number outside float range (3.4e38); scale the column or give drop=x"},
    {"MissingWord", "income,y\n1,0\n2,1\nn/a,0\n3,1\nNA,0\n",
     "{}:4: column 'income' is 'n/a' where 3 other rows are numbers (2 missing or infinite cells in all); give missing=mean, missing=indicator or categorical=income"},
    {"MissingNumber", "x,y\n1,0\n,1\n3,0\n", "{}:3: column 'x' is empty where 2 other rows are numbers (1 missing or infinite cell in all); give missing=mean, missing=indicator or drop=x"},
    {"InfiniteNumber", "x,y\n1,0\n2,1\n-inf,1\n", "{}:4: column 'x' is '-inf' where 2 other rows are numbers (1 missing or infinite cell in all); give missing=mean, missing=indicator or categorical=x"},
    {"MissingLevel", "x,y\na,0\n,1\nb,0\n", "{}:3: column 'x' is empty where 2 other rows have a value (1 missing cell in all); give missing=mean, missing=indicator or drop=x"},
    // labels
    {"MissingLabel", "x,y\n1,0\n2,\n3,1\n", "{}:3: label 'y' is empty, one of 1 row without a label; remove them"},
    {"NanLabel", "x,y\n1,0\n2,1\n3,NaN\n4,?\n", "{}:4: label 'y' is 'NaN', one of 2 rows without a label; remove them"},
    {"MissingTextLabel", "x,y\n1,yes\n2,no\n3,null\n", "{}:4: label 'y' is 'null', one of 1 row without a label; remove them"},
    {"TargetMisspelled", "x,default\n1,0\n", "{} has no column 'defualt'; did you mean 'default'?", "t.csv", {.target = "defualt"}},
    {"TargetAbsent", "x,y\n1,0\n", "{} has no column 'outcome'", "t.csv", {.target = "outcome"}},
    {"ColonFile", "x:y\n1:0\n", "{} has no column 'y'; its only column is 'x:y', are cells separated by commas, semicolons, tabs or |?"},
    {"OneClass", "x,y\n1,yes\n2,yes\n", "{}: target 'y' has only one class, 'yes' (2 rows); at least two are needed"},
    {"TargetIsAQuantity", "x,y\n" + [] { std::string t; for (int i = 0; i < 30; ++i) t += "1," + std::to_string(i) + ".5\n"; return t; }(),
     "{}: target 'y' looks like a quantity, not a class: it has over 20 different values; task=regress predicts the number", "t.csv", {.target = "y", .task = Task::classify}},
    {"PositiveAbsent", "x,y\n1,yes\n2,no\n", "target 'y' has no class 'Yes', which is to be positive; it has 'no' (1 row), 'yes' (1 row)", "t.csv", {.target = "y", .positive = "Yes"}},
    {"PositiveOfThree", "x,y\n1,a\n2,b\n3,c\n", "positive=b needs a target of two classes; target 'y' has 3", "t.csv", {.target = "y", .positive = "b"}},
    // options that name columns
    {"DropAbsent", "age,y\n1,0\n2,1\n", "{} has no column 'agge'; did you mean 'age'?", "t.csv", {.target = "y", .drop = {"agge"}}},
    {"WeightNegative", "x,w,y\n1,1,0\n2,-1,1\n", "{}:3: sample weight in column 'w' is '-1'; weights must be numbers >= 0", "t.csv", {.target = "y", .sample_weight = "w"}},
    {"WeightMissing", "x,w,y\n1,,0\n2,1,1\n", "{}:2: sample weight in column 'w' is empty; weights must be numbers >= 0", "t.csv", {.target = "y", .sample_weight = "w"}},
    {"WeightsAllZero", "x,w,y\n1,0,0\n2,0,1\n", "{}: every sample weight in column 'w' is zero", "t.csv", {.target = "y", .sample_weight = "w"}},
    {"NoInputLeft", "x,y\n1,0\n1,1\n", "{} has no input column left besides the target 'y'"},
    {"FeatureNamesCollide", "a,a=u,y\nu,1,0\nv,2,1\nw,3,1\n", "two features would be called 'a=u'; rename the column or level"},
    // ARFF
    {"ArffSparse", "@relation r\n@attribute x numeric\n@data\n{0 5}\n", "{}:4: sparse rows are not read; convert the file to plain ARFF or CSV", "t.arff"},
    {"ArffTextInNumeric", "@relation r\n@attribute x numeric\n@data\n5\nabc\n", "{}:5: column 'x' is 'abc', where its @attribute promises a number; a missing cell is written ?", "t.arff"},
    {"ArffBeyondFloat", "@relation r\n@attribute x real\n@data\n1e39\n", "{}:4: column 'x' is '1e39', a number outside float range (3.4e38)", "t.arff"},
    {"ArffUndeclaredLevel", "@relation r\n@attribute x {a,b}\n@data\na\nc\n", "{}:5: column 'x' is 'c', which its @attribute does not list", "t.arff"},
    {"ArffRowTooLong", "@relation r\n@attribute x {a,b}\n@data\na,b\n", "{}:4: the row has 2 cells where the header has 1", "t.arff"},
    {"ArffEmptyCell", "@relation r\n@attribute x {a,b}\n@attribute y {a,b}\n@data\na,\n", "{}:5: column 'y' is empty; ARFF writes a missing cell as ?", "t.arff"},
    {"ArffDate", "@relation r\n@attribute x date\n@data\n", "{}:2: attribute 'x' has type 'date'; only numeric, real, integer, string and nominal are read", "t.arff"},
    {"ArffDuplicate", "@attribute x real\n@attribute z real\n@attribute x real\n", "{}:3: attributes 1 and 3 are both called 'x'", "t.arff"},
    {"ArffNoData", "@relation r\n@attribute x real\n", "{}:2: the file ends without @data", "t.arff"},
    {"ArffNoRows", "@relation r\n@attribute x real\n@data\n", "{} has a header but no rows", "t.arff"},
    {"ArffOpenList", "@attribute x {a,b\n", "{}:1: the list of values of attribute 'x' is not closed", "t.arff"},
    {"ArffOpenQuote", "@attribute 'x real\n", "{}:1: a quote is not closed on its line", "t.arff"},
    {"ArffUnknownWord", "x,y\n1,2\n", "{}:1: expected @relation, @attribute or @data, found 'x,y'", "t.arff"},
    // npy
    {"NpyObject", npy("|O", "(2, 2)", "pickle"), "{}: dtype '|O' holds Python objects; save numbers, for example with .astype('float32')", "t.npy"},
    {"NpyBigEndian", npy(">f8", "(1, 1)", "12345678"), "{}: dtype '>f8' is big-endian; save it with .astype('<f8')", "t.npy"},
    {"NpyComplex", npy("<c8", "(1, 1)", "12345678"), "{}: dtype '<c8' is not a plain number type; save numbers, for example with .astype('float32')", "t.npy"},
    {"NpyStructured", npy_bytes("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "12345678"),
     "{}: dtype is structured; save a plain float32 or float64 array", "t.npy"},
    {"NpyTooShort", npy("<f8", "(2, 3)", std::string(40, 'x')), "{}: shape (2, 3) of dtype '<f8' needs 48 bytes, but the file has 40", "t.npy"},
    {"NpyTooLong", npy("<f4", "(2,)", std::string(9, 'x')), "{}: shape (2,) of dtype '<f4' needs 8 bytes, but the file has 9", "t.npy"},
    {"NpyThreeAxes", npy("<f4", "(1, 1, 1)", "1234"), "{}: shape (1, 1, 1) has 3 axes; rows and columns are needed", "t.npy"},
    {"NpyNoRows", npy("<f4", "(0, 3)", ""), "{}: shape (0, 3) has no rows or no columns", "t.npy"},
    {"NpyOtherFile", "x,y\n1,2\n3,4\n", "{}: not an npy file (wrong first bytes)", "t.npy"},
    {"NpyVersion", npy_bytes(npy_header("<f4", "(1,)"), "1234", 4), "{}: npy version 4.0 is not known", "t.npy"},
    {"NpyHugeHeader", std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF", 12), "{}: the npy header claims 4,294,967,295 bytes", "t.npy"},
    {"NpyEmpty", "", "{} is empty", "t.npy"},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Tables, BadInput, testing::ValuesIn(kBadTables),
                         [](const auto& test) { return test.param.name; });

TEST(BadFile, MissingFileNamesPathAndReason) {
  const TempFolder folder;
  EXPECT_EQ(message_of(ErrorKind::io, [&] { read_table(folder.path("none.csv")); }),
            "cannot read " + folder.path("none.csv") + ": No such file or directory");
}

TEST(BadFile, UnreadableFileNamesPathAndReason) {
  const TempFolder folder;
  const std::string path = folder.write("t.csv", "x,y\n1,2\n");
  chmod(path.c_str(), 0);
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  EXPECT_EQ(message_of(ErrorKind::io, [&] { read_table(path); }), "cannot read " + path + ": Permission denied");
}

TEST(BadFile, NameWithLineBreakStaysOnOneLine) {
  EXPECT_EQ(message_of(ErrorKind::io, [&] { read_table("a\nb.csv"); }),
            "cannot read a\\nb.csv: No such file or directory");
}

TEST(BadFile, FailingDiskIsAnIoErrorNotTheEndOfTheTable) {
  int calls = 0;
  const ByteSource failing{.name = "t.csv",
                           .read = [&](char* to, std::size_t) -> std::size_t {
                             if (++calls > 1) throw IoError("cannot read t.csv: Input/output error");
                             return std::string_view("x,y\n1,2\n").copy(to, 8);
                           },
                           .size = {}};
  message_of(ErrorKind::io, [&] { read_csv(failing); });
}

std::string packed(std::string_view text) {
  const TempFolder folder;
  gzFile file = gzopen(folder.path("t.gz").c_str(), "wb9");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  std::ifstream in(folder.path("t.gz"), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(BadFile, CutGzNamesThePath) {
  const TempFolder folder;
  const std::string whole = packed("x,y\n" + rows("1,0\n", 1000));
  const std::string path = folder.write("t.csv.gz", whole.substr(0, whole.size() / 2));
  EXPECT_NE(data_error([&] { read_table(path); }).find(path + " is damaged or cut off after"), std::string::npos);
}

TEST(BadFile, DamagedGzNamesThePath) {
  const TempFolder folder;
  std::string whole = packed("x,y\n" + rows("1,0\n", 1000));
  whole[whole.size() - 6] ^= 1;
  const std::string path = folder.write("t.csv.gz", whole);
  EXPECT_NE(data_error([&] { read_table(path); }).find(path + " is damaged or cut off after"), std::string::npos);
}

// A table of ten gigabytes in ten megabytes. It has many equal gz members, the first with a header.
class GzBomb : public testing::TestWithParam<std::string> {};

TEST_P(GzBomb, IsRefusedEarly) {
  const TempFolder folder;
  const std::string header = packed("x,y\n");
  const std::string member = packed(rows(GetParam(), static_cast<int>((32U << 20) / GetParam().size())));
  const std::string path = folder.write("t.csv.gz", header);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  for (int i = 0; i < 320; ++i) file << member;
  file.close();
  data_error([&] { read_table(path); });
}

INSTANTIATE_TEST_SUITE_P(Texts, GzBomb, testing::Values("1,2\n", "a", "\"", "1,2\r\n\n", std::string(1, '\0')));

TEST(BadFile, EndlessLineIsGivenUpAfter17MiB) {
  for (const char filler : {'a', '"', ','}) {
    std::size_t served = 0;
    const ByteSource endless{.name = "t.csv",
                             .read =
                                 [&](char* to, std::size_t size) {
                                   std::fill_n(to, size, filler);
                                   if (served == 0) std::string_view("x,y\n\"").copy(to, filler == '"' ? 5 : 4);
                                   served += size;
                                   return size;
                                 },
                             .size = {}};
    data_error([&] { read_csv(endless); });
    EXPECT_LE(served, std::size_t{17} << 20);
  }
}

TEST(BadFile, HeaderOfMillionsOfColumnsIsRefused) {
  std::string text = "a0";
  for (int i = 1; i < 200000; ++i) text += ",a" + std::to_string(i);
  EXPECT_EQ(data_error([&] { csv(text + "\n1\n"); }), "t.csv:1: there are more than 100,000 columns");
}

TEST(BadOptions, TargetCannotBeDroppedNorBeAWeight) {
  const Table table = csv("x,y\n1,0\n2,1\n");
  message_of(ErrorKind::config, [&] { fit_schema(table, all_rows(table), {}); });
  message_of(ErrorKind::config, [&] { fit_schema(table, all_rows(table), {.target = "y", .drop = {"y"}}); });
  message_of(ErrorKind::config, [&] { fit_schema(table, all_rows(table), {.target = "y", .sample_weight = "y"}); });
}

}  // namespace
}  // namespace perpend
