#include "perpend/api/evaluate.h"

#include <algorithm>
#include <cmath>

#include "perpend/api/measure.h"
#include "perpend/api/predict.h"
#include "perpend/base/error.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/finite.h"
#include "perpend/evaluate/regression.h"
#include "perpend/model/predict.h"

namespace perpend {

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

void check_distance(const DistanceSettings& settings, std::size_t classes) {
  const auto wrong = [](const std::string& what) { throw ConfigError(what); };
  if (classes != 2)
    wrong(option_mention("epsilon") + " is for two classes, and the model has " + std::to_string(classes));
  const auto is_distance = [](double epsilon) { return epsilon >= 1e-6 && epsilon <= 1e6; };
  if (!std::ranges::all_of(settings.epsilons, is_distance))
    wrong(option_mention("epsilon") + " must be from 1e-6 to 1e6");
  if (settings.norm != "l2" && settings.norm != "linf") wrong(option_mention("norm") + " must be l2 or linf");
  if (settings.steps < 1) wrong(option_mention("steps") + " must be at least 1");
  if (settings.starts < 1) wrong(option_mention("starts") + " must be at least 1");
  if (settings.draws < 3) wrong(option_mention("draws") + " must be at least 3");
}

DistanceIndependence measure_distance(const DistanceSettings& settings, const Ensemble& ensemble, InputsView rows,
                                      const Threads& threads) {
  AscentOptions ascent{
      .norm = settings.norm == "linf" ? Norm::linf : Norm::l2, .steps = settings.steps, .starts = settings.starts};
  if (settings.box) set_box(rows, ascent);
  const GradientDiversity gradients = gradient_diversity(ensemble, rows, threads);
  DistanceIndependence found{settings, gradients.cos2, gradients.local_mutual_information, {}, {}};
  for (const double epsilon : settings.epsilons) {
    ascent.epsilon = epsilon;
    found.steps.push_back(finite_independence(ensemble, rows, ascent, threads));
    const NoiseOptions noise{.sigma = epsilon / std::sqrt(static_cast<double>(rows.cols())), .draws = settings.draws};
    found.noise.push_back(noise_independence(ensemble, rows, noise, threads));
  }
  return found;
}

}  // namespace

Evaluated evaluate(const TrainedModel& model, const Table& table, const EvaluateOptions& options) {
  const bool at_distance = !options.distance.epsilons.empty();
  if (at_distance) {
    need_plain_features(model, option_mention("epsilon"));
    check_distance(options.distance, model.ensemble.architecture.classes);
  }
  EncodeReport report;
  const Dataset data = encode(table, model.schema, all_rows(table), &report);
  const Threads threads(options.threads);
  MeasuredTangents along = tangents_for(options.manifold, model, data.inputs.view(), threads);
  Evaluated found{.rows = data.rows(),
                  .metrics = evaluate_ensemble(model.ensemble, model.decision, data, threads, along.tangents),
                  .distance = std::nullopt,
                  .warnings = report.warnings(),
                  .encoded = report,
                  .notes = std::move(along.notes)};
  if (model.schema.quantity && model.summary.residuals) {
    score_interval(model.ensemble, model.decision, data, *model.summary.residuals, threads, found.metrics);
  }
  if (at_distance) found.distance = measure_distance(options.distance, model.ensemble, data.inputs.view(), threads);
  return found;
}

GradientDiversity gradient_diversity(const TrainedModel& model, const Table& table, int thread_count,
                                     EncodeReport* report) {
  const Threads threads(thread_count);
  GradientDiversitySums sums(model.ensemble.differentiable());
  const EncodeReport met = for_each_encoded_block(model, table, [&](std::size_t, InputsView inputs) {
    const auto gradients = input_gradients(model.ensemble, inputs, threads);
    std::vector<InputsView> views;
    for (std::size_t m = 0; m < gradients.members(); ++m) views.push_back(gradients[m]);
    sums.add(views);
  });
  if (report != nullptr) *report = met;
  return sums.result();
}

}  // namespace perpend
