#include "apps/perpend/finite_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/perpend/command.h"
#include "perpend/base/error.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/ensemble.h"

namespace perpend::app {

namespace {

void set_box(InputsView rows, AscentOptions& options) {
  options.low.assign(rows.row(0), rows.row(0) + rows.cols());
  options.high = options.low;
  for (std::size_t r = 1; r < rows.rows(); ++r) {
    for (std::size_t f = 0; f < rows.cols(); ++f) {
      options.low[f] = std::min(options.low[f], rows(r, f));
      options.high[f] = std::max(options.high[f], rows(r, f));
    }
  }
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

void add_finite_flags(CLI::App& verb, FiniteArguments& arguments) {
  const char* const group = "Independence at a distance";
  verb.add_option(
          "--epsilon", arguments.epsilons,
          "How far f moves where g is largest within so many encoded units (sd of numbers); several with commas")
      ->delimiter(',')
      ->check(between(1e-6, 1e6))
      ->option_text("E[,E]")
      ->group(group);
  verb.add_option("--norm", arguments.norm, "Shape of the ball (l2)")
      ->check(CLI::IsMember({"l2", "linf"}))
      ->option_text("l2|linf")
      ->group(group);
  verb.add_option("--steps", arguments.steps, "Steps of gradient ascent (40)")
      ->check(whole_between(1, 100000))
      ->option_text("N")
      ->group(group);
  verb.add_option("--starts", arguments.starts, "Ascents a row: from the row, then from random points (1)")
      ->check(whole_between(1, 10000))
      ->option_text("N")
      ->group(group);
  verb.add_option("--draws", arguments.draws, "Draws of noise a row (256)")
      ->check(whole_between(3, 1000000))
      ->option_text("N")
      ->group(group);
  verb.add_flag("--box", arguments.box, "Let no column leave its range in these rows")->group(group);
}

FiniteResults measure_finite(const FiniteArguments& arguments, const Ensemble& ensemble, InputsView rows,
                             const Threads& threads) {
  FiniteResults results;
  results.arguments = arguments;
  if (arguments.epsilons.empty()) return results;
  if (ensemble.architecture.classes != 2) {
    throw ConfigError(fmt::format("--epsilon is for two classes, and the model has {}", ensemble.architecture.classes));
  }
  AscentOptions options{
      .norm = arguments.norm == "linf" ? Norm::linf : Norm::l2, .steps = arguments.steps, .starts = arguments.starts};
  if (arguments.box) set_box(rows, options);
  const GradientDiversity gradients = gradient_diversity(ensemble, rows, threads);
  results.cos2 = gradients.cos2;
  results.information = gradients.local_mutual_information;
  for (const double epsilon : arguments.epsilons) {
    options.epsilon = epsilon;
    results.steps.push_back(finite_independence(ensemble, rows, options, threads));
    const NoiseOptions noise{.sigma = epsilon / std::sqrt(static_cast<double>(rows.cols())), .draws = arguments.draws};
    results.noise.push_back(noise_independence(ensemble, rows, noise, threads));
  }
  return results;
}

Json finite_json(const FiniteResults& results) {
  Json steps = Json::array();
  for (std::size_t i = 0; i < results.steps.size(); ++i) {
    Json pairs = Json::array();
    for (const auto& pair : results.steps[i].pairs) {
      pairs.push_back({{"of", pair.of + 1},
                       {"along", pair.along + 1},
                       {"indep_err", pair.indep_err},
                       {"relative", number_json(pair.relative)}});
    }
    steps.push_back({{"epsilon", results.steps[i].epsilon},
                     {"indep_err", number_json(results.steps[i].indep_err)},
                     {"own_change", results.steps[i].own},
                     {"relative", number_json(results.steps[i].relative)},
                     {"pairs", std::move(pairs)},
                     {"sigma", results.noise[i].sigma},
                     {"noise_correlation2", number_json(results.noise[i].correlation2)},
                     {"noise_information", number_json(results.noise[i].information)}});
  }
  return {{"norm", results.arguments.norm},
          {"steps", results.arguments.steps},
          {"starts", results.arguments.starts},
          {"draws", results.arguments.draws},
          {"box", results.arguments.box},
          {"grad_cos2", number_json(results.cos2)},
          {"local_mutual_information", number_json(results.information)},
          {"epsilons", std::move(steps)}};
}

std::string finite_table(const FiniteResults& results) {
  if (results.steps.empty()) return "";
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
