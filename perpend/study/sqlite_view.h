// results.sqlite: what a study's folder holds, for queries in SQL. It is derived from study.toml and results/*.jsonl
// and can be made from them at any time. perpend never reads it.
//
//     study     key, value: contract, restarts, row_visits, published, options (JSON), trials, results
//     datasets  name, source, target, sha256
//     trials    id, dataset, split, method, members, lambda, restart, status, validation_auc, the metrics of the test
//               rows (auc accuracy log_loss brier ece rho_av q_av kappa disagreement grad_cos2), seconds, finished
//               (seconds since 1970). All trials of the study in its order; status is ok, diverged or left.
//     members   trial, member (from 1), auc, accuracy, log_loss, brier, ece of each member alone
//     selected  a view: for each data set, split, method and restart whose trials are all finished, the trial that
//               validation chose
//     table1    split, dataset, method, metric, mean, sd, standard_error, restarts, best and, with printed
//               figures, NAME_mean, NAME_sd: the lines of `table --format csv`. It is a table and not a view, because
//               many SQLites have no square root.
//
// Undefined is NULL. The bytes depend only on the results and the version of SQLite.
#pragma once

#include <string>

#include "perpend/study/printed.h"
#include "perpend/study/study_folder.h"

namespace perpend {

// Returns the bytes of the file. printed: figures to show beside ours in table1.
std::string sqlite_view(const StudyFolder& folder, const PrintedFigures* printed = nullptr);

}  // namespace perpend
