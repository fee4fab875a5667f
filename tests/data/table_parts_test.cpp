#include "perpend/data/table_parts.h"

#include <gtest/gtest.h>

#include "perpend/data/cells.h"
#include "perpend/data/encode.h"
#include "perpend/data/read_table.h"
#include "perpend/data/source.h"
#include "tests/data/tables.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

// The parts in the order of their names are one table of four rows.
class Parts : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("part-2.csv", "x,y\nblue,0\nred,1\n");
    folder_.write("part-1.csv", "x,y\nred,1\n7,\n");
  }
  std::string pattern() const { return folder_.path("part-*.csv"); }

  TempFolder folder_;
  const std::string whole_ = "x,y\nred,1\n7,\nblue,0\nred,1\n";
};

TEST_F(Parts, AreOneTableInTheOrderOfTheirNames) {
  for (const std::string& source : {pattern(), folder_.path("")}) {
    const Table table = read_table(source);
    EXPECT_EQ(csv_text(table), whole_);
    EXPECT_EQ(table.columns[0].words, (std::vector<std::string>{"red", "blue"}));
    EXPECT_EQ(files_of(source).size(), 2U);
  }
}

TEST_F(Parts, PassThroughInBlocksToo) {
  std::string rows;
  read_source_in_blocks(pattern(), "", [&](const Table& block) {
    const std::string text = csv_text(block);
    rows += rows.empty() ? text : text.substr(text.find('\n') + 1);
  });
  EXPECT_EQ(rows, whole_);
}

TEST_F(Parts, DecideTogetherWhatOneThousandIs) {
  folder_.write("part-1.csv", "x;y\n1.000;0\n");
  folder_.write("part-2.csv", "x;y\n999,50;1\n2.000;0\n");
  const Table table = read_table(pattern());
  const NumericCells cells(table.columns[0], find_reading(table, table.columns[0]));
  EXPECT_EQ(cells.number(0), 1000);
  EXPECT_EQ(cells.number(1), 999.5);
  EXPECT_EQ(cells.number(2), 2000);
}

TEST_F(Parts, RowsAreNamedByTheirPart) {
  const Table table = read_table(pattern());
  EXPECT_EQ(table.place(1), folder_.path("part-1.csv") + ":3");
  EXPECT_EQ(table.place(2), folder_.path("part-2.csv") + ":2");
}

TEST_F(Parts, WithOtherColumnsAreRefusedWithBothNames) {
  const std::string same = "; all files of a table must have the same columns";
  const auto message = [&] {
    const std::string whole = data_error([&] { read_table(pattern()); });
    EXPECT_EQ(data_error([&] { read_source_in_blocks(pattern(), "", [](const Table&) {}); }), whole);
    return whole;
  };
  const std::string first = folder_.path("part-1.csv");
  const std::string other = folder_.write("part-3.csv", "x,z\n1,2\n");
  EXPECT_EQ(message(), other + " has no column 'y', which " + first + " has" + same);
  folder_.write("part-3.csv", "x,y,z\n1,2,3\n");
  EXPECT_EQ(message(), first + " has no column 'z', which " + other + " has" + same);
  folder_.write("part-3.csv", "y,x\n1,2\n");
  EXPECT_EQ(message(), other + " has the columns of " + first + " in another order" + same);
}

TEST_F(Parts, MayBeTheRealNameOfAFile) {
  const std::string path = folder_.write("part-*.csv", "x,y\n1,2\n");
  EXPECT_EQ(read_table(path).rows, 1U);
}

TEST_F(Parts, OfAFolderLeaveOutWhatIsNoTable) {
  folder_.write("_SUCCESS", "");
  folder_.write("_metadata.csv", "z\n1\n");
  folder_.write(".hidden.csv", "z\n1\n");
  folder_.write("README", "two parts\n");
  EXPECT_EQ(read_table(folder_.path("")).rows, 4U);
}

TEST_F(Parts, OfTwoKindsInAFolderAreRefused) {
  folder_.write("part-3.arff", "@relation r\n");
  const std::string message = data_error([&] { read_table(folder_.path("")); });
  EXPECT_NE(message.find("has tables of two kinds, " + folder_.path("part-1.csv") + " and "), message.npos) << message;
}

TEST_F(Parts, HaveASha256OfAllTheirBytes) {
  const std::string before = source_sha256(pattern(), "");
  EXPECT_EQ(source_sha256(folder_.path(""), ""), before);
  folder_.write("part-2.csv", "x,y\nblue,0\nred,2\n");
  EXPECT_NE(source_sha256(pattern(), ""), before);
}

TEST(NoParts, AreAnErrorOfTheFileSystem) {
  const TempFolder folder;
  EXPECT_EQ(message_of(ErrorKind::io, [&] { read_table(folder.path("part-*.csv")); }),
            "cannot read " + folder.path("part-*.csv") + ": no file matches it");
  const std::string message = message_of(ErrorKind::io, [&] { read_table(folder.path("")); });
  EXPECT_TRUE(message.starts_with("cannot read " + folder.path("") + ": it is a folder without tables;")) << message;
}

}  // namespace
}  // namespace perpend
