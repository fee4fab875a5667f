#include "apps/perpend/tangent_flag.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "perpend/base/message.h"
#include "perpend/manifold/manifold.h"

namespace perpend::app {

namespace {

// What the model was trained along; "none" of models that do not say.
std::string trained_along(const TrainedModel& model) {
  const auto options = nlohmann::json::parse(model.options, nullptr, false);
  if (!options.is_object() || !options.contains("manifold") || !options["manifold"].is_string()) return "none";
  return options["manifold"].get<std::string>();
}

}  // namespace

void add_manifold_flag(CLI::App& verb, std::string& typed) {
  verb.add_option(
          "--manifold", typed,
          "Measure cos^2 along these directions too: pca:K, local-pca:K or auto, found in these rows, a FILE of "
          "tangents or an autoencoder, or none (what the model keeps)")
      ->option_text("SPEC");
}

Tangents tangents_for(const std::string& typed, const TrainedModel& model, InputsView rows, const Threads& threads,
                      HeldMessages& held) {
  if (typed.empty()) {
    const std::string trained = trained_along(model);
    if (model.basis.empty() && trained != "none" && trained != "auto") {
      held.write(
          fmt::format("The model was trained along {}, which has a basis for each row and is not kept; give "
                      "--manifold to measure cos² along it.\n",
                      printable(trained)));
    }
    return model.basis;
  }
  const FittedManifold manifold = fit_manifold(parse_manifold(typed), rows, {}, rows.rows(), threads);
  if (!manifold.summary.empty()) held.write(fmt::format("manifold         {}\n", printable(manifold.summary)));
  std::vector<std::uint32_t> all(rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  return tangents_at(manifold, rows, all, threads);
}

}  // namespace perpend::app
