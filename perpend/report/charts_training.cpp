// How a training went: loss and penalty over its epochs.
#include <fmt/format.h>

#include <algorithm>

#include "perpend/report/charts.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

// Where members are trained in turn, each counts its epochs from 1. Then steps are the time axis.
bool is_in_turn(const TrainLog& log) { return !log.epochs.empty() && log.epochs.front().round > 0; }

std::string training_spec(const char* field, const char* title, bool in_turn, const std::vector<std::string>& names,
                          bool logarithmic) {
  const std::string scale = logarithmic ? R"("scale":{"type":"log","nice":false},)" : "";
  const std::string x = quantity(in_turn ? "steps" : "epoch", in_turn ? "steps" : "epoch",
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
  const bool in_turn = is_in_turn(log);
  std::size_t members = 0;
  bool validated = false;
  double least = 1;
  for (const auto& record : log.epochs) {
    for (std::size_t m = 0; m < record.fit.size(); ++m) {
      const std::size_t member = in_turn ? static_cast<std::size_t>(record.round) - 1 : m;
      members = std::max(members, member + 1);
      least = std::min(least, record.fit[m]);
      chart.data.rows.push_back(record_row(member_name(member), record, record.fit[m]));
    }
    if (!record.validation_log_loss || in_turn) continue;
    validated = true;
    least = std::min(least, *record.validation_log_loss);
    chart.data.rows.push_back(record_row("ensemble", record, *record.validation_log_loss));
  }
  chart.title = "Training loss";
  chart.reading =
      std::string(regression ? "Loss" : "Cross-entropy") + " of each member on its training rows, with dropout" +
      (validated ? fmt::format("; thick: the ensemble's {} on validation rows.", regression ? "loss" : "log-loss")
                 : ".");
  chart.alt = fmt::format("Training loss of {} members at {} epochs.", members, log.epochs.size());
  chart.spec = training_spec("log_loss", regression ? "loss" : "log-loss", in_turn, member_names(members), least > 0);
  return chart;
}

// Members that are trained in turn have one penalty each, except the first. The title is about the last.
Chart penalty_chart(const TrainLog& log, const std::string& shows) {
  Chart chart{.id = "penalty", .data = {{"curve", "epoch", "steps", "penalty"}, {}}};
  const bool in_turn = is_in_turn(log);
  const auto members = static_cast<std::size_t>(log.epochs.back().round);
  for (const auto& record : log.epochs) {
    if (record.round == 1) continue;
    const std::string curve = in_turn ? member_name(static_cast<std::size_t>(record.round) - 1) : "ensemble";
    chart.data.rows.push_back(record_row(curve, record, record.penalty));
  }
  const double first = std::ranges::find(log.epochs, log.epochs.back().round, &EpochRecord::round)->penalty;
  const double last = log.epochs.back().penalty;
  chart.title = fmt::format("The penalty went from {:.3g} to {:.3g}", first, last);
  chart.reading = shows;
  chart.alt = fmt::format("Penalty over epochs, from {:.4g} to {:.4g}.", first, last);
  chart.spec = training_spec("penalty", "penalty", in_turn, member_names(members), false);
  return chart;
}

}  // namespace perpend
