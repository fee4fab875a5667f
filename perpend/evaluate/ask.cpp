#include "perpend/evaluate/ask.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/portable_math.h"
#include "perpend/base/random.h"
#include "perpend/evaluate/correction.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

constexpr double kFloor = 0.1;  // of the mean distance

double squared_distance(const double* away, std::size_t scores, std::size_t members) {
  double sum = 0;
  for (std::size_t m = 0; m < members; ++m) {
    double mean = 0;
    for (std::size_t k = 0; k < scores && scores > 1; ++k) mean += away[k * members + m] / static_cast<double>(scores);
    for (std::size_t k = 0; k < scores; ++k) {
      const double off = away[k * members + m] - mean;
      sum += (scores > 1 ? 2 : 1) * off * off;
    }
  }
  return sum;
}

std::vector<double> weights_of(const CorrectionData& data) {
  std::vector<double> weights;
  for (std::size_t r = 0; r < data.answer.size() / data.scores; ++r) {
    const double* away = data.away.data() + r * data.scores * data.members;
    weights.push_back(std::sqrt(squared_distance(away, data.scores, data.members)));
  }
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  for (double& weight : weights) weight = mean > 0 ? weight + kFloor * mean : 1;
  return weights;
}

}  // namespace

std::vector<std::size_t> rows_to_label(const Ensemble& ensemble, const Decision& decision, InputsView inputs,
                                       std::size_t count, const Threads& threads) {
  if (inputs.rows() == 0) return {};
  Decision plain = decision;
  plain.correction.reset();  // as adapt does
  const auto& quantity = ensemble.architecture.quantity;
  const CorrectionData data =
      quantity ? correction_data(member_predictions(ensemble, inputs, threads).view(), plain, *quantity)
               : correction_data(member_probabilities(ensemble, inputs, threads), plain);
  std::vector<double> times = weights_of(data);
  const Stream lot({.seed = 0, .purpose = Purpose::ask, .member = 0, .step = 0});
  for (std::size_t r = 0; r < times.size(); ++r) {
    times[r] = -portable_log(lot.uniform_open(r)) / times[r];
  }
  std::vector<std::size_t> rows(times.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::ranges::stable_sort(rows, {}, [&](std::size_t r) { return times[r]; });
  rows.resize(std::min(count, rows.size()));
  return rows;
}

}  // namespace perpend
