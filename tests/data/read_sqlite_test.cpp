#include "perpend/data/read_sqlite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "perpend/data/read_table.h"
#include "perpend/data/source.h"
#include "tests/data/tables.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

class Sqlite : public testing::Test {
 protected:
  void SetUp() override {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file_.c_str(), &database), SQLITE_OK);
    const char* rows =
        "CREATE TABLE loans(income, word, day); INSERT INTO loans VALUES (1, 'red', '2024-01-01'), (2.5, NULL, '12'), "
        "(NULL, 'blue', '');"
        "CREATE TABLE odd(bytes); INSERT INTO odd VALUES (x'00ff');"
        "CREATE VIEW loud AS SELECT upper(word) AS word FROM loans;";
    ASSERT_EQ(sqlite3_exec(database, rows, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }
  std::string source(const std::string& statement) const { return "sqlite:" + file_ + "?" + statement; }
  std::string refusal(const std::string& statement) const {
    const std::string message = data_error([&] { read_table(source(statement)); });
    EXPECT_TRUE(message.starts_with(file_)) << message;
    return message.substr(std::min(file_.size(), message.size()));
  }

  TempFolder folder_;
  const std::string file_ = folder_.path("loans.db");
};

TEST_F(Sqlite, CellsAreWhatTheyAreInACsv) {
  EXPECT_EQ(csv_text(read_table(source("SELECT * FROM loans"))),
            "income,word,day\n1,red,2024-01-01\n2.5,,12\n,blue,\n");
  EXPECT_EQ(csv_text(read_table(source("select word from loud;"))), "word\nRED\n\nBLUE\n");
  EXPECT_EQ(read_table(source("SELECT * FROM loans")).place(1), file_ + "[1]");
}

TEST_F(Sqlite, OnlySelects) {
  const std::string only = ": the statement may do nothing but select (not authorized";
  for (const char* statement :
       {"DROP TABLE loans", "INSERT INTO loans VALUES (1, 2, 3) RETURNING income", "PRAGMA journal_mode = WAL",
        "ATTACH 'other.db' AS other", "SELECT load_extension('x') AS x"}) {
    EXPECT_TRUE(refusal(statement).starts_with(only)) << refusal(statement);
  }
  EXPECT_EQ(refusal("SELECT 1 AS x; SELECT 2 AS x"), ": 'SELECT 1 AS x; SELECT 2 AS x' is not one SELECT statement");
}

TEST_F(Sqlite, MistakesAreOneLine) {
  EXPECT_EQ(refusal("SELECT incme FROM loans"), ": SQLite says: no such column: incme");
  EXPECT_EQ(refusal("SELECT income, income FROM loans"), ": columns 1 and 2 are both called 'income'");
  EXPECT_EQ(refusal("SELECT * FROM loans WHERE income > 9"), ": the statement selects no rows");
  EXPECT_EQ(refusal("SELECT * FROM odd"), "[0]: column 'bytes' is a BLOB or is not UTF-8; select numbers and texts");
  EXPECT_NE(data_error([&] { read_table("sqlite:" + file_); }).find("'sqlite:FILE?SELECT ... FROM ...'"),
            std::string::npos);
  EXPECT_EQ(message_of(ErrorKind::io, [&] { read_table("sqlite:" + folder_.path("none.db") + "?SELECT 1"); }),
            "cannot read " + folder_.path("none.db") + ": No such file or directory");
  folder_.write("text.db", "this is no database, whatever its name says");
  EXPECT_EQ(data_error([&] { read_table("sqlite:" + folder_.path("text.db") + "?SELECT * FROM loans"); }),
            folder_.path("text.db") + ": SQLite says: file is not a database");
}

TEST_F(Sqlite, Sha256IsThatOfTheRows) {
  const std::string all = source_sha256(source("SELECT * FROM loans"), "");
  EXPECT_EQ(source_sha256(source("SELECT income, word, day FROM loans"), ""), all);
  EXPECT_NE(source_sha256(source("SELECT income FROM loans"), ""), all);
}

}  // namespace
}  // namespace perpend
