// How a training went: loss and penalty over its epochs.
#include <fmt/format.h>

#include <algorithm>

#include "perpend/report/charts.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

// Boosting counts epochs again for each learner: then steps tell the time.
bool is_boosting(const TrainLog& log) { return !log.epochs.empty() && log.epochs.front().round > 0; }

std::string training_spec(const char* field, const char* title, bool boosting, const std::vector<std::string>& names,
                          bool logarithmic) {
  const std::string scale = logarithmic ? R"("scale":{"type":"log","nice":false},)" : "";
  const std::string x = quantity(boosting ? "steps" : "epoch", boosting ? "steps" : "epoch",
                                 R"("axis":{"format":"~s","tickCount":6},"scale":{"nice":false})");
  const std::string y = quantity(field, title, scale + R"("axis":{"format":"~g","tickCount":5})");
  const std::string tooltip = shown("curve", "curve") + "," + shown("epoch", "epoch", ",d") + "," +
                              shown("steps", "steps", ",d") + "," + shown(field, title, ".4~g");
  return fill_spec(R"({<start>,"height":260,"layer":[<curves>]})",
                   {{"start", spec_start()}, {"curves", curve_layers(x, y, names, true, tooltip)}});
}

std::vector<Cell> record_row(std::string curve, const EpochRecord& record, double value) {
  return {std::move(curve), static_cast<double>(record.epoch), static_cast<double>(record.steps), value};
}

}  // namespace

Chart loss_chart(const TrainLog& log, bool regression) {
  Chart chart{.id = "loss", .data = {{"curve", "epoch", "steps", "log_loss"}, {}}};
  const bool boosting = is_boosting(log);
  std::size_t members = 0;
  bool validated = false;
  double least = 1;
  for (const auto& record : log.epochs) {
    for (std::size_t m = 0; m < record.fit.size(); ++m) {
      const std::size_t member = boosting ? static_cast<std::size_t>(record.round) - 1 : m;
      members = std::max(members, member + 1);
      least = std::min(least, record.fit[m]);
      chart.data.rows.push_back(record_row(member_name(member), record, record.fit[m]));
    }
    if (!record.validation_log_loss || boosting) continue;
    validated = true;
    least = std::min(least, *record.validation_log_loss);
    chart.data.rows.push_back(record_row("ensemble", record, *record.validation_log_loss));
  }
  chart.title = "Training loss";
  chart.reading =
      std::string(regression ? "Loss" : "Cross-entropy") + " of each member on its training rows, drop-out included" +
      (validated ? fmt::format("; thick: the ensemble's {} on validation rows.", regression ? "loss" : "log-loss")
                 : ".");
  chart.alt = fmt::format("Training loss of {} members at {} epochs.", members, log.epochs.size());
  chart.spec = training_spec("log_loss", regression ? "loss" : "log-loss", boosting, member_names(members), least > 0);
  return chart;
}

Chart penalty_chart(const TrainLog& log, const std::string& shows) {
  Chart chart{.id = "penalty", .data = {{"curve", "epoch", "steps", "penalty"}, {}}};
  for (const auto& record : log.epochs) {
    chart.data.rows.push_back(record_row("ensemble", record, record.penalty));
  }
  const double first = log.epochs.front().penalty;
  const double last = log.epochs.back().penalty;
  chart.title = fmt::format("The penalty went from {:.3g} to {:.3g}", first, last);
  chart.reading = shows;
  chart.alt = fmt::format("Penalty over epochs, from {:.4g} to {:.4g}.", first, last);
  chart.spec = training_spec("penalty", "penalty", false, {}, false);
  return chart;
}

}  // namespace perpend
