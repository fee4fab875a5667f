#include "apps/perpend/measure_flags.h"

#include <fmt/format.h>

#include <numeric>

#include "apps/perpend/command.h"
#include "apps/perpend/results.h"

namespace perpend::app {

namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

void add_manifold_flag(CLI::App& verb, std::string& typed) {
  verb.add_option("--manifold", typed,
                  "Directions along which cos^2 is measured, too: pca:K, local-pca:K or auto (found in these rows), a "
                  "FILE of tangents or of an autoencoder, or none [those of the model]")
      ->option_text("SPEC");
}

void add_distance_flags(CLI::App& verb, DistanceSettings& settings) {
  const char* const group = "Independence at a distance";
  auto* const epsilon =
      verb.add_option("--epsilon", settings.epsilons,
                      "Distances at which independence is measured: how much one member changes where another is "
                      "largest within E encoded units (standard deviations of a number)")
          ->delimiter(',')
          ->check(between(1e-6, 1e6))
          ->option_text("E[,E]")
          ->group(group);
  verb.add_option("--norm", settings.norm, "Norm of the distances [l2]")
      ->check(CLI::IsMember({"l2", "linf"}))
      ->option_text("l2|linf")
      ->needs(epsilon)
      ->group(group);
  verb.add_option("--steps", settings.steps, "Number of steps of gradient ascent [40]")
      ->check(whole_between(1, 100000))
      ->option_text("N")
      ->needs(epsilon)
      ->group(group);
  verb.add_option("--starts", settings.starts,
                  "Number of ascents per row: the first starts at the row, the others at random points [1]")
      ->check(whole_between(1, 10000))
      ->option_text("N")
      ->needs(epsilon)
      ->group(group);
  verb.add_option("--draws", settings.draws, "Number of random draws of noise per row [256]")
      ->check(whole_between(3, 1000000))
      ->option_text("N")
      ->needs(epsilon)
      ->group(group);
  verb.add_flag("--box", settings.box, "Keep every column within its range in these rows")
      ->needs(epsilon)
      ->group(group);
}

std::string distance_table(const DistanceIndependence& results) {
  std::string text = fmt::format("\n{:<10} {:>12} {:>12} {:>10} {:>21} {:>18}\n", "epsilon", "IndepErr", "own change",
                                 "relative", "noise correlation²", "information, nats");
  text += fmt::format("{:<10} {:>12} {:>12} {:>10} {:>20} {:>18}\n", "to 0", "0", "0", shown(results.cos2) + "*",
                      shown(results.cos2), shown(results.information));
  for (std::size_t i = 0; i < results.steps.size(); ++i) {
    const Metric error = results.steps[i].indep_err;
    text += fmt::format("{:<10g} {:>12} {:>12.4g} {:>10} {:>20} {:>18}\n", results.steps[i].epsilon,
                        error ? fmt::format("{:.4g}", *error) : "-", mean(results.steps[i].own),
                        shown(results.steps[i].relative), shown(results.noise[i].correlation2),
                        shown(results.noise[i].information));
  }
  return text +
         "* cos² of input gradients; for small epsilon, relative approaches it (with rows weighted by their "
         "steepness)\n";
}

}  // namespace perpend::app
