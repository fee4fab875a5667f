#include "perpend/study/sqlite_view.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include "perpend/base/contract.h"
#include "perpend/base/error.h"
#include "perpend/run/option_table.h"
#include "perpend/study/table.h"

namespace perpend {

namespace {

constexpr const char* kSchema = R"sql(
PRAGMA user_version = 1;
BEGIN;
CREATE TABLE study (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE datasets (name TEXT PRIMARY KEY, source TEXT, target TEXT, sha256 TEXT);
CREATE TABLE trials (
  id TEXT, dataset TEXT REFERENCES datasets, split TEXT, method TEXT, members INTEGER, lambda REAL, restart INTEGER,
  status TEXT, validation_auc REAL, auc REAL, accuracy REAL, log_loss REAL, brier REAL, ece REAL, rho_av REAL, q_av REAL,
  kappa REAL, disagreement REAL, grad_cos2 REAL, seconds REAL, finished REAL, PRIMARY KEY (id, dataset));
CREATE TABLE members (
  trial TEXT, member INTEGER, auc REAL, accuracy REAL, log_loss REAL, brier REAL, ece REAL,
  PRIMARY KEY (trial, member)) WITHOUT ROWID;
CREATE TABLE table1 (
  split TEXT, dataset TEXT REFERENCES datasets, method TEXT, metric TEXT, mean REAL, sd REAL, standard_error REAL,
  restarts INTEGER, best INTEGER{});
CREATE VIEW selected AS
  SELECT id, dataset, split, method, members, lambda, restart, status, validation_auc, auc, accuracy, log_loss, brier,
         ece, rho_av, q_av, kappa, disagreement, grad_cos2, seconds, finished
  FROM (SELECT *,
          row_number() OVER (PARTITION BY dataset, split, method, restart
                             ORDER BY status = 'ok' DESC, validation_auc DESC, rowid) AS place,
          sum(status = 'left') OVER (PARTITION BY dataset, split, method, restart) AS missing
        FROM trials)
  WHERE place = 1 AND missing = 0;
)sql";

struct Close {
  void operator()(sqlite3* base) const { sqlite3_close(base); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  void operator()(unsigned char* bytes) const { sqlite3_free(bytes); }
};
using Base = std::unique_ptr<sqlite3, Close>;

// The database is in memory, so only a lack of memory can make it fail.
void check(int code) {
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
  PERPEND_CHECK(code == SQLITE_OK || code == SQLITE_DONE);
}

// Inserts rows into one table. Data sets of the same bytes share trials, so a row that exists stays.
class Insert {
 public:
  Insert(sqlite3* base, const std::string& table, int columns) {
    std::string sql = "INSERT OR IGNORE INTO " + table + " VALUES (?";
    for (int i = 1; i < columns; ++i) sql += ",?";
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(base, (sql + ")").c_str(), -1, &statement, nullptr));
    statement_.reset(statement);
  }

  template <class... Values>
  void operator()(const Values&... values) {
    int column = 0;
    (bind(++column, values), ...);
    check(sqlite3_step(statement_.get()));
    check(sqlite3_reset(statement_.get()));
  }

 private:
  void bind(int column, std::string_view text) {
    check(sqlite3_bind_text64(statement_.get(), column, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  }
  void bind(int column, std::int64_t number) { check(sqlite3_bind_int64(statement_.get(), column, number)); }
  void bind(int column, const Metric& number) { bind(column, number ? &*number : nullptr); }
  void bind(int column, const double* number) {
    check(number == nullptr ? sqlite3_bind_null(statement_.get(), column)
                            : sqlite3_bind_double(statement_.get(), column, *number));
  }

  std::unique_ptr<sqlite3_stmt, Close> statement_;
};

std::int64_t integer(std::size_t count) { return static_cast<std::int64_t>(count); }

void add_study(sqlite3* base, const StudyFolder& folder) {
  const Study& study = folder.study;
  Insert study_row(base, "study", 2);
  study_row("contract", std::int64_t{kContractVersion});
  study_row("restarts", std::int64_t{study.restarts});
  if (study.row_visits) study_row("row_visits", std::int64_t{*study.row_visits});
  study_row("published", std::int64_t{study.published});
  study_row("options", options_to_json(study.options));
  study_row("trials", integer(folder.trials.size()));
  study_row("results", integer(folder.results.size()));
  Insert dataset_row(base, "datasets", 4);
  const auto names = dataset_names(study);
  for (std::size_t d = 0; d < names.size(); ++d) {
    const StudyDataset& dataset = study.datasets[d];
    dataset_row(names[d], dataset.source, dataset.target, dataset.sha256);
  }
}

const char* status_name(TrialStatus status) { return status == TrialStatus::ok ? "ok" : "diverged"; }

void add_trials(sqlite3* base, const StudyFolder& folder) {
  const auto names = dataset_names(folder.study);
  std::vector<const StudyResult*> results(folder.trials.size(), nullptr);
  for (const auto& result : folder.results) results[result.trial] = &result;
  Insert trial_row(base, "trials", 21);
  Insert member_row(base, "members", 7);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& [dataset, trial, id] = folder.trials[i];
    const StudyResult nothing;
    const bool left = results[i] == nullptr;
    const StudyResult& found = left ? nothing : *results[i];
    const Evaluation& test = found.result.test;
    trial_row(id, names[dataset], name_of(trial.split), name_of(trial.method), std::int64_t{trial.members},
              trial.lambda, std::int64_t{trial.restart}, left ? "left" : status_name(found.result.status),
              found.result.validation_merit, test.merit(), test.accuracy, test.log_loss, test.brier, test.ece,
              test.rho_av, test.q_av, test.kappa, test.disagreement, test.grad_cos2, left ? nullptr : &found.seconds,
              left ? nullptr : &found.finished);
    for (std::size_t m = 0; m < test.members.size(); ++m) {
      const Scores& own = test.members[m];
      member_row(id, integer(m + 1), own.merit(), own.accuracy, own.log_loss, own.brier, own.ece);
    }
  }
}

void add_table(sqlite3* base, const StudyFolder& folder, const PrintedFigures* printed) {
  const StudyTable table = table_of(folder, printed);
  Insert row(base, "table1", printed == nullptr ? 9 : 11);
  for (const auto& entry : table.entries) {
    for (const auto& figure : figures_of(table, entry)) {
      const auto add = [&](const auto&... more) {
        row(name_of(entry.split), table.datasets[entry.dataset], name_of(entry.ours.method), figure.metric,
            figure.ours.mean, figure.ours.sd, figure.ours.standard_error, integer(figure.ours.count),
            std::int64_t{figure.best}, more...);
      };
      printed == nullptr ? add() : add(figure.printed.mean(), figure.printed.sd());
    }
  }
}

}  // namespace

std::string sqlite_view(const StudyFolder& folder, const PrintedFigures* printed) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(":memory:", &opened);
  const Base base(opened);
  check(code);
  const std::string beside = printed == nullptr ? "" : fmt::format(", {0}_mean REAL, {0}_sd REAL", printed->name);
  check(sqlite3_exec(opened, fmt::format(kSchema, beside).c_str(), nullptr, nullptr, nullptr));
  add_study(opened, folder);
  add_trials(opened, folder);
  add_table(opened, folder, printed);
  check(sqlite3_exec(opened, "COMMIT", nullptr, nullptr, nullptr));
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, Close> bytes(sqlite3_serialize(opened, "main", &size, 0));
  if (!bytes) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

}  // namespace perpend
