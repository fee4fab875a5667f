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
  verb.add_option(
          "--manifold", typed,
          "Measure cos^2 along these directions too: pca:K, local-pca:K or auto, found in these rows, a FILE of "
          "tangents or an autoencoder, or none [what the model keeps]")
      ->option_text("SPEC");
}

void add_distance_flags(CLI::App& verb, DistanceSettings& settings) {
  const char* const group = "Independence at a distance";
  auto* const epsilon =
      verb.add_option(
              "--epsilon", settings.epsilons,
              "Measure how far one member moves where another is largest within so many encoded units (sd of numbers); "
              "several with commas")
          ->delimiter(',')
          ->check(between(1e-6, 1e6))
          ->option_text("E[,E]")
          ->group(group);
  verb.add_option("--norm", settings.norm, "Shape of the ball around a row [l2]")
      ->check(CLI::IsMember({"l2", "linf"}))
      ->option_text("l2|linf")
      ->needs(epsilon)
      ->group(group);
  verb.add_option("--steps", settings.steps, "Steps of gradient ascent [40]")
      ->check(whole_between(1, 100000))
      ->option_text("N")
      ->needs(epsilon)
      ->group(group);
  verb.add_option("--starts", settings.starts,
                  "Ascents per row: the first from the row, the others from random points [1]")
      ->check(whole_between(1, 10000))
      ->option_text("N")
      ->needs(epsilon)
      ->group(group);
  verb.add_option("--draws", settings.draws, "Draws of noise per row [256]")
      ->check(whole_between(3, 1000000))
      ->option_text("N")
      ->needs(epsilon)
      ->group(group);
  verb.add_flag("--box", settings.box, "Let no column leave its range in these rows")->needs(epsilon)->group(group);
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
  return text + "* cos² of input gradients; relative goes to it with rows weighted by their steepness\n";
}

}  // namespace perpend::app
