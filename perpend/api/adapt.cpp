#include "perpend/api/adapt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "perpend/base/message.h"
#include "perpend/data/encode.h"
#include "perpend/evaluate/adapt.h"

namespace perpend {

namespace {

constexpr std::size_t kFewestRows = 8;
constexpr double kStandsOut = 0.1;  // above or below what a member had to say
constexpr double kMostOdds = 20.7;  // a log of odds; beyond a billion to one the figure says nothing more

std::vector<std::string> thin_rows_warnings(const Dataset& rows) {
  std::vector<std::string> warnings;
  if (rows.rows() < kFewestRows) {
    warnings.push_back(counted(rows.rows(), "row") + " cannot say much about the members; 16 or more are better");
  }
  if (rows.quantity) return warnings;
  const std::set<std::int32_t> seen(rows.labels.begin(), rows.labels.end());
  if (seen.size() == 1) {
    warnings.push_back("every row is " + quote(rows.classes[static_cast<std::size_t>(*seen.begin())]) +
                       ", so the rows cannot tell the classes apart; add rows of the other classes");
  }
  return warnings;
}

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double standard_error_of_gain(const Adapted& found, double gain) {
  const std::size_t n = found.present.size();
  if (n < 2) return 0;
  double sum = 0;
  for (std::size_t r = 0; r < n; ++r) {
    const double off = found.present[r] - found.left_out[r] - gain;
    sum += off * off;
  }
  return std::sqrt(sum / static_cast<double>(n - 1) / static_cast<double>(n));
}

std::string odds_text(double log_odds) {
  return log_odds > kMostOdds ? "more than a billion times" : fmt::format("{:.3g} times", std::exp(log_odds));
}

std::string moved_says(const AdaptedModel& adapted) {
  const auto& before = adapted.says_before;
  const auto& after = adapted.says_after;
  if (after.size() == 1) return " There is one member, so only the bias is learnt.";
  std::vector<double> moved;
  for (std::size_t m = 0; m < after.size(); ++m) moved.push_back(after[m] - before[m]);
  const auto up = static_cast<std::size_t>(std::ranges::max_element(moved) - moved.begin());
  const auto down = static_cast<std::size_t>(std::ranges::min_element(moved) - moved.begin());
  if (std::max(moved[up], -moved[down]) < kStandsOut) return " No member's say moves by more than 0.1.";
  return fmt::format(
      " Member {} gains most: its say goes from {:.2f} to {:.2f}. Member {} loses most: from {:.2f} to {:.2f}.", up + 1,
      before[up], after[up], down + 1, before[down], after[down]);
}

std::string reading_of(const AdaptedModel& adapted) {
  const std::string rows = counted(adapted.rows, "label");
  if (!adapted.is_changed) {
    return fmt::format(
        "These {} do not support a change: they are {} likelier under the present answer. It stays as it is.", rows,
        odds_text(-adapted.log_evidence.value_or(0)));
  }
  std::string text;
  if (adapted.log_evidence) {
    text = fmt::format(
        "These {} are {} likelier if the answer changes than if it stays. By their evidence the members' "
        "pulls have a strength of {:.2g}, where 0.4 is usual.",
        rows, odds_text(*adapted.log_evidence), adapted.kappa);
  }
  text += moved_says(adapted);
  return text.starts_with(" ") ? text.substr(1) : text;
}

}  // namespace

AdaptedModel adapt(const TrainedModel& model, const Table& table, int thread_count) {
  EncodeReport report;
  const Dataset rows = encode(table, model.schema, all_rows(table), &report);
  const Threads threads(thread_count);
  const Adapted found = adapted_to(model.ensemble, model.decision, rows, threads);
  AdaptedModel out;
  out.model = model;
  out.model.decision = found.decision;
  out.rows = rows.rows();
  out.is_changed = found.is_changed;
  out.log_evidence = found.log_evidence;
  out.kappa = found.kappa;
  out.says_before = member_says(model.decision);
  out.says_after = member_says(found.decision);
  out.loss_before = mean_of(found.present);
  out.loss_after = mean_of(found.left_out);
  out.standard_error = standard_error_of_gain(found, out.loss_before - out.loss_after);
  out.model.summary.adapted = {rows.rows(), out.loss_before, out.loss_after};
  out.warnings = report.warnings();
  out.encoded = report;
  for (auto& warning : thin_rows_warnings(rows)) out.warnings.push_back(std::move(warning));
  if (model.decision.threshold) {
    out.warnings.push_back(fmt::format(
        "the threshold stays {:.3g}; it was chosen for the training's rows, so check it on rows of this place",
        *model.decision.threshold));
  }
  out.reading = reading_of(out);
  return out;
}

}  // namespace perpend
