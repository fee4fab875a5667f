#include "perpend/study/sqlite_view.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstring>
#include <memory>
#include <stdexcept>

#include "perpend/study/table.h"
#include "tests/study/folders.h"

namespace perpend {
namespace {

using test::add_diverged;
using test::add_result;
using test::empty_folder;

using Rows = std::vector<std::vector<std::string>>;

// Returns what a query on the bytes of a file gives, with NULL as "-".
Rows ask(const std::string& bytes, const std::string& sql) {
  sqlite3* opened = nullptr;
  if (sqlite3_open(":memory:", &opened) != SQLITE_OK) throw std::runtime_error("cannot open");
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> base(opened, sqlite3_close);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  std::memcpy(copy, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  sqlite3_deserialize(opened, "main", copy, size, size, SQLITE_DESERIALIZE_FREEONCLOSE);
  Rows rows;
  const auto add = [](void* to, int count, char** values, char**) {
    auto& row = static_cast<Rows*>(to)->emplace_back();
    for (int i = 0; i < count; ++i) row.emplace_back(values[i] == nullptr ? "-" : values[i]);
    return 0;
  };
  char* complaint = nullptr;
  if (sqlite3_exec(opened, sql.c_str(), add, &rows, &complaint) != SQLITE_OK) {
    ADD_FAILURE() << sql << ": " << complaint;
    sqlite3_free(complaint);
  }
  return rows;
}

// a has two complete restarts. In b, the second restart of lit lacks a trial.
StudyFolder folder_of_two() {
  StudyFolder folder = empty_folder({"a", "b"}, {Method::restarts, Method::lit},
                                    {.members = {2}, .lambdas = {{Method::lit, {0.1, 1}}}}, 2);
  add_result(folder, 0, 0.9, 0.75, 0.5, 1.0);
  add_result(folder, 1, 0.8, 0.25, 0.5, 0.5);
  add_result(folder, 2, 0.8, 0.5, 0.5, 0.5);  // a tie: the earlier one is chosen
  auto& result = add_result(folder, 3, {}, 0.75);
  result.seconds = 1.25;
  result.finished = 1700000000.5;
  result.result.test.members.resize(2);
  result.result.test.members[1].auc = 0.625;
  add_diverged(folder, 4);
  add_result(folder, 5, {}, 0.5);  // chosen, because the other diverged
  add_result(folder, 6, 0.5, 0.5);
  add_diverged(folder, 7);
  add_diverged(folder, 8);
  add_result(folder, 9, 0.5, 0.5);
  add_result(folder, 10, 0.5, 0.5);
  return folder;
}

TEST(SqliteView, HasEveryTrialWithItsStatus) {
  const std::string bytes = sqlite_view(folder_of_two());
  EXPECT_EQ(ask(bytes, "SELECT status, count(*) FROM trials GROUP BY status"),
            (Rows{{"diverged", "3"}, {"left", "1"}, {"ok", "8"}}));
  EXPECT_EQ(ask(bytes,
                "SELECT id, dataset, split, method, members, lambda, restart, validation_auc, auc, seconds, "
                "finished FROM trials WHERE id IN ('trial3', 'trial11') ORDER BY rowid"),
            (Rows{{"trial3", "a", "random", "restarts", "2", "-", "1", "-", "0.75", "1.25", "1700000000.5"},
                  {"trial11", "b", "random", "lit", "2", "1.0", "1", "-", "-", "-", "-"}}));
  EXPECT_EQ(ask(bytes, "SELECT * FROM members"),
            (Rows{{"trial3", "1", "-", "-", "-", "-", "-"}, {"trial3", "2", "0.625", "-", "-", "-", "-"}}));
  EXPECT_EQ(ask(bytes, "SELECT * FROM datasets"), (Rows{{"a", "a", "target", "5ea1"}, {"b", "b", "target", "5ea1"}}));
  EXPECT_EQ(ask(bytes, "SELECT value FROM study WHERE key IN ('results', 'trials') ORDER BY key"),
            (Rows{{"11"}, {"12"}}));
  EXPECT_EQ(ask(bytes, "SELECT json_extract(value, '$.hidden') FROM study WHERE key = 'options'"), (Rows{{"auto"}}));
}

TEST(SqliteView, SelectsWhatTheTableSelects) {
  const std::string bytes = sqlite_view(folder_of_two());
  EXPECT_EQ(ask(bytes, "SELECT id FROM selected ORDER BY dataset, restart, method DESC"),
            (Rows{{"trial0"}, {"trial1"}, {"trial3"}, {"trial5"}, {"trial6"}, {"trial7"}, {"trial9"}}));
}

TEST(SqliteView, HasTheTableOfTheProgram) {
  const StudyFolder folder = folder_of_two();
  const auto found =
      ask(sqlite_view(folder),
          "SELECT dataset, method, restarts, best FROM table1 WHERE metric = 'auc' AND split = 'random'");
  EXPECT_EQ(
      found,
      (Rows{{"a", "restarts", "2", "1"}, {"a", "lit", "2", "0"}, {"b", "restarts", "2", "1"}, {"b", "lit", "0", "0"}}));
  // The mean of the view is that of the table.
  EXPECT_EQ(ask(sqlite_view(folder),
                "SELECT count(*) FROM table1 t WHERE metric = 'auc' AND mean IS NOT (SELECT avg(auc) FROM selected s "
                "WHERE (s.dataset, s.split, s.method) = (t.dataset, t.split, t.method))"),
            (Rows{{"0"}}));
}

TEST(SqliteView, IsTheSameBytesForTheSameResults) {
  EXPECT_EQ(sqlite_view(folder_of_two()), sqlite_view(folder_of_two()));
  StudyFolder other = folder_of_two();
  other.results[0].result.test.auc = 0.5;
  EXPECT_NE(sqlite_view(folder_of_two()), sqlite_view(other));
  EXPECT_EQ(ask(sqlite_view(other), "PRAGMA integrity_check"), (Rows{{"ok"}}));
}

TEST(SqliteView, TakesDataSetsOfTheSameBytesWhichShareTheirTrials) {
  StudyFolder folder = empty_folder({"a", "copy"}, {Method::restarts}, {.members = {2}}, 1);
  folder.trials[1].id = folder.trials[0].id;
  add_result(folder, 0, 0.9, 0.75).result.test.members.resize(2);
  add_result(folder, 1, 0.9, 0.75).result.test.members.resize(2);
  const std::string bytes = sqlite_view(folder);
  EXPECT_EQ(ask(bytes, "SELECT dataset FROM trials"), (Rows{{"a"}, {"copy"}}));
  EXPECT_EQ(ask(bytes, "SELECT count(*) FROM members"), (Rows{{"2"}}));
}

}  // namespace
}  // namespace perpend
