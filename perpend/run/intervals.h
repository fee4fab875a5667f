// How uncertain the metrics of the judged rows are, since other rows could have been drawn, and a checksum of the rows.
#pragma once

#include <string>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/records/run_summary.h"
#include "perpend/run/run.h"

namespace perpend {

// Returns 95 % bootstrap intervals (evaluate/bootstrap.h) of AUC, accuracy and log-loss, or of RMSE, mean absolute
// error and R^2, on the rows that judge the ensemble. There are 1,000 replicates. With many rows there are fewer,
// because a million drawn rows are enough, but never fewer than 100. Metrics that are undefined are left out.
MetricRanges metric_ranges(const Prepared& data, const TrainResult& trained, const Threads& threads);

// Returns the sha256 of the training, validation and test rows as the model reads them: encoded inputs, labels or
// targets, and weights. So it is the same for a file, a data frame and a query that hold the same cells. It does not
// depend on the order of the rows where the training does not.
std::string rows_sha256(const Prepared& data);

}  // namespace perpend
