#include "perpend/api/measure.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/manifold/manifold.h"

namespace perpend {

namespace {

// What the model was trained along; "none" of models that do not say.
std::string trained_along(const TrainedModel& model) {
  const auto options = nlohmann::json::parse(model.options, nullptr, false);
  if (!options.is_object() || !options.contains("manifold") || !options["manifold"].is_string()) return "none";
  return options["manifold"].get<std::string>();
}

MeasuredTangents kept_tangents(const TrainedModel& model) {
  const std::string trained = trained_along(model);
  MeasuredTangents found{model.basis, {}};
  if (model.basis.empty() && trained != "none" && trained != "auto") {
    found.notes.push_back("The model was trained along " + printable(trained) +
                          ", which has a basis for each row and is not kept; give " + option_mention("manifold") +
                          " to measure cos² along it.");
  }
  return found;
}

}  // namespace

void need_plain_features(const TrainedModel& model, const std::string& what) {
  if (!model.ensemble.architecture.has_views()) return;
  throw ConfigError(what + " needs a model with plain features, and this one has views of columns; train one with " +
                    option_mention("views", "plain"));
}

MeasuredTangents tangents_for(const std::string& manifold, const TrainedModel& model, InputsView rows,
                              const Threads& threads) {
  if (manifold.empty()) return kept_tangents(model);
  if (manifold != "none") need_plain_features(model, option_mention("manifold"));
  const FittedManifold fitted = fit_manifold(parse_manifold(manifold), rows, {}, rows.rows(), threads);
  std::vector<std::uint32_t> all(rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  MeasuredTangents found{tangents_at(fitted, rows, all, threads), {}};
  if (!fitted.summary.empty()) found.notes.push_back("manifold         " + printable(fitted.summary));
  return found;
}

}  // namespace perpend
