#include "perpend/api/adapt.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "perpend/base/message.h"
#include "perpend/data/encode.h"
#include "perpend/evaluate/adapt.h"
#include "perpend/evaluate/ensemble.h"

namespace perpend {

namespace {

constexpr std::size_t kFewestRows = 8;
constexpr double kStandsOut = 0.1;  // above an equal weight

std::vector<std::string> thin_rows_warnings(const Dataset& rows) {
  std::vector<std::string> warnings;
  if (rows.rows() < kFewestRows) {
    warnings.push_back(counted(rows.rows(), "row") + " cannot say much about the members; 16 or more are better");
  }
  if (rows.quantity) return warnings;
  const std::set<std::int32_t> seen(rows.labels.begin(), rows.labels.end());
  if (seen.size() == 1) {
    warnings.push_back("every row is " + quote(rows.classes[static_cast<std::size_t>(*seen.begin())]) +
                       ": a member that always says so wins; add rows of the other classes");
  }
  return warnings;
}

// What of the old decision the new weights make doubtful.
std::vector<std::string> kept_and_dropped(const Decision& before) {
  std::vector<std::string> warnings;
  if (before.map.kind != Calibrator::none) {
    warnings.push_back("the calibration of the training is dropped: it was fitted to other weights and other rows");
  }
  if (before.threshold) {
    warnings.push_back(fmt::format(
        "the threshold stays {:.3g}; it was chosen for the training's rows, so check it on rows of this place",
        *before.threshold));
  }
  return warnings;
}

std::string reading_of_weights(const std::vector<double>& before, const std::vector<double>& after) {
  if (after.size() == 1) return "One member has all the weight, whatever the rows say.";
  const auto best = static_cast<std::size_t>(std::ranges::max_element(after) - after.begin());
  if (after[best] < 1.0 / static_cast<double>(after.size()) + kStandsOut) {
    return "These rows do not tell the members apart: the weights are nearly equal.";
  }
  return fmt::format("Member {} explains these rows best: its weight goes from {:.2f} to {:.2f}.", best + 1,
                     before[best], after[best]);
}

}  // namespace

AdaptedModel adapt(const TrainedModel& model, const Table& table, int thread_count) {
  EncodeReport report;
  const Dataset rows = encode(table, model.schema, all_rows(table), &report);
  const Threads threads(thread_count);
  AdaptedModel out;
  out.model = model;
  out.model.decision = {.rule = Rule::mean,
                        .weights = adapted_weights(model.ensemble, rows, threads),
                        .map = {},
                        .threshold = model.decision.threshold};
  out.rows = rows.rows();
  out.weights_before = model.decision.weights;
  out.before = evaluate_ensemble(model.ensemble, model.decision, rows, threads);
  out.after = evaluate_ensemble(model.ensemble, out.model.decision, rows, threads);
  out.model.summary.adapted = {rows.rows(), *out.before.trained_for(), *out.after.trained_for()};
  out.warnings = report.warnings();
  out.encoded = report;
  for (auto& warning : thin_rows_warnings(rows)) out.warnings.push_back(std::move(warning));
  for (auto& warning : kept_and_dropped(model.decision)) out.warnings.push_back(std::move(warning));
  out.reading = reading_of_weights(out.weights_before, out.model.decision.weights);
  return out;
}

}  // namespace perpend
