#include "perpend/api/model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "perpend/base/message.h"
#include "perpend/base/sha256.h"
#include "perpend/run/card.h"
#include "perpend/run/threshold.h"
#include "perpend/store/model_file.h"

namespace perpend {

namespace {

std::string layers_of(const Architecture& architecture) {
  std::string layers = std::to_string(architecture.features);
  for (const auto units : architecture.hidden) layers += "-" + std::to_string(units);
  return layers + "-" + std::to_string(architecture.classes);
}

const char* word_of(Rule rule) {
  switch (rule) {
    case Rule::mean:
      return "mean";
    case Rule::samme_r:
      return "samme_r";
    case Rule::samme:
      return "samme";
    case Rule::median:
      return "median";
  }
  return "";
}

std::string calibration_text(const ProbabilityMap& map) {
  switch (map.kind) {
    case Calibrator::none:
      return "";
    case Calibrator::temperature:
      return fmt::format("temperature {:.3g}", map.temperature);
    case Calibrator::isotonic:
      return fmt::format("isotonic, {}", counted(map.knots.size(), "knot"));
  }
  return "";
}

// The options of a model may be any JSON values. A value that is not an aim is ignored.
std::string aim_of(const TrainedModel& model) {
  const auto options = nlohmann::json::parse(model.options);
  if (!model.decision.threshold || !options.contains("threshold")) return "";
  const auto& given = options["threshold"];
  const auto aim = parse_aim(given.is_string() ? given.get<std::string>() : given.dump());
  return aim ? text_of(*aim) : "";
}

std::string share_text(const char* name, const Metric& share, std::size_t part, std::size_t whole) {
  if (!share) return fmt::format("{} -", name);
  return fmt::format("{} {:.3f} ({} of {})", name, *share, thousands(part), thousands(whole));
}

}  // namespace

std::string threshold_text(const ThresholdCounts& counts, const std::string& aim) {
  const std::size_t hits = counts.true_positives;
  std::string text = share_text("recall", counts.recall(), hits, hits + counts.false_negatives) + ", " +
                     share_text("precision", counts.precision(), hits, hits + counts.false_positives);
  const auto asked = parse_aim(aim);
  if (asked && asked->kind == Aim::Kind::f1 && counts.f1()) text += fmt::format(", F1 {:.3f}", *counts.f1());
  const Metric cost = asked ? mean_cost(*asked, counts) : Metric();
  if (!cost) return text;
  return text + fmt::format(", cost {:.4g} a row ({}, {})", *cost, counted(counts.false_positives, "false alarm"),
                            counts.false_negatives == 1 ? std::string("1 miss")
                                                        : thousands(counts.false_negatives) + " misses");
}

ModelFacts inspect(const TrainedModel& model) {
  const std::string bytes = to_bytes(model);
  return {bytes.size(),
          sha256_hex(bytes),
          model.ensemble.members.size(),
          layers_of(model.ensemble.architecture),
          model.ensemble.has_trees(),
          word_of(model.decision.rule),
          calibration_text(model.decision.map),
          model.decision.threshold,
          aim_of(model)};
}

std::string ModelFacts::members_text() const {
  const std::size_t networks = members - (trees ? 1 : 0);
  const std::string text = counted(networks, "network") + " of " + layers;
  if (!trees) return text;
  return networks == 0 ? "boosted trees" : text + ", and boosted trees";
}

int model_format_version() { return kFormatVersion; }

std::string card(const TrainedModel& model) { return card_markdown(model_card(model, inspect(model).sha256)); }

}  // namespace perpend
